// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchrun/plan.hpp"
#include "core/launchers.hpp"

namespace benchrun {

/// The hosts of one launch and how many ranks each gets.
struct Placement {
  std::vector<core::HostSlots> hosts;  ///< slots = ranks here
  Per per = Per::host;
  Bind bind = Bind::by_default;
  std::uint32_t ranks() const;
};

/// A program to start. A hostfile, if there is one, is open as descriptor kHostfileFd in it.
inline constexpr int kHostfileFd = 3;
struct CommandLine {
  std::vector<std::string> argv;
  std::string hostfile;
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
  std::vector<std::size_t> hosts;  ///< indices into the placement that depend on this program
};

/// Starts ranks on hosts. The rank program takes its arguments from `rank`, whose first word is the
/// path of the program.
class Launcher {
 public:
  virtual ~Launcher() = default;
  virtual std::string name() const = 0;
  /// All hosts at once: one program, or one for each rank where the launcher knows one host only.
  virtual std::vector<CommandLine> all_hosts(const Placement& placement,
                                             const std::vector<std::string>& rank) const = 0;
  /// One rank on one host, independent of all else that runs.
  virtual CommandLine one_host(const std::string& host,
                               const std::vector<std::string>& rank) const = 0;
  /// Whether the ranks of a launch are one parallel job to MPI.
  virtual bool runs_mpi() const { return true; }
};

/// `program` is the launcher's own, e.g. "mpirun"; in_slurm: inside a Slurm allocation.
std::unique_ptr<Launcher> open_mpi_launcher(std::string program);
std::unique_ptr<Launcher> hydra_launcher(const core::Launcher& kind, std::string program);
std::unique_ptr<Launcher> srun_launcher();
std::unique_ptr<Launcher> ssh_launcher();
std::unique_ptr<Launcher> local_launcher();

/// One word for a POSIX shell, which ssh starts on the other side.
std::string shell_word(const std::string& text);

}  // namespace benchrun
