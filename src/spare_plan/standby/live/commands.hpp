// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spare_plan::standby::live {

/// How programs of the system are run: by argument vectors, looked up in a fixed search path, in an
/// empty environment, for a limited time.
class Commands {
 public:
  static constexpr const char* kPath =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /// `slurm_conf`: what SLURM_CONF is for them, if anything.
  Commands(const std::optional<std::string>& path, std::optional<std::string> slurm_conf,
           double timeout);

  bool has(const std::string& program) const;
  struct Outcome {
    int status;  ///< 0: well; 137: too late
    std::string out;
  };
  /// Their stderr is ours. Throws Error when there is no such program.
  Outcome run(const std::vector<std::string>& argv) const;
  /// stdout. Throws Error that names the command when it fails.
  std::string output(const std::vector<std::string>& argv) const;
  /// Why it failed, for a message: "ended with status 3".
  static std::string failure(const std::vector<std::string>& argv, int status);

 private:
  std::string path_;
  std::optional<std::string> slurm_conf_;
  double timeout_;
};

}  // namespace spare_plan::standby::live
