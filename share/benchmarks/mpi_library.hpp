// SPDX-License-Identifier: BSD-3-Clause
// The MPI library of whatever launcher has started this process, loaded while it runs. So one build
// fits all of them, the user's own included, and needs none to be built. There are two binary
// interfaces: that of Open MPI (3 to 5), and that of MPICH, which Intel MPI, MVAPICH and others
// share (the MPICH ABI Compatibility Initiative). Of them these few calls are used.
#pragma once

#include <memory>
#include <span>
#include <string>

namespace benchmarks {

inline constexpr unsigned kLongestEnd = 3;  ///< s

class MpiLibrary {
 public:
  virtual ~MpiLibrary() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int peer, std::span<const char> bytes) = 0;
  virtual void receive(int peer, std::span<char> bytes) = 0;
  /// Both directions at once; as many bytes out as in.
  virtual void exchange(int peer, std::span<const char> out, std::span<char> in) = 0;
  /// Returns when all ranks have called it. Sleeps while it waits: a rank that spins would use up
  /// its host's share of a processor.
  virtual void meet() = 0;
  /// After a meet(). Where MPI has not ended after kLongestEnd, the process does, with status 0: by
  /// then all has been measured, and the end of MPICH 4.0 over TCP (UCX) can hang
  /// (github.com/pmodels/mpich issue 6596).
  virtual void finish() = 0;
  const std::string& name() const { return name_; }  ///< as it was loaded

 protected:
  explicit MpiLibrary(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// Loads the library and initialises MPI. Looked for beside the programs above this process (the
/// launcher's), then where the dynamic linker looks; first that of the launcher's kind, which its
/// variables tell. Throws core::Error when there is none. Whatever MPI itself finds wrong ends the
/// process.
std::unique_ptr<MpiLibrary> load_mpi();

}  // namespace benchmarks
