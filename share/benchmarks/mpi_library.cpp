// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"

namespace benchmarks {

namespace {

using Names = std::vector<std::string>;

template <class Function>
Function* find(void* library, const char* name) {
  void* const symbol = ::dlsym(library, name);
  if (symbol == nullptr)
    throw core::Error(fmt::format("the MPI library has no {}: {}", name, ::dlerror()));
  return reinterpret_cast<Function*>(symbol);
}

/// What a program of this interface has compiled in. Handles are pointers in Open MPI, numbers in
/// MPICH.
template <class Handle>
struct Constants {
  Handle world, byte;
  void* ignore_status;
};

Constants<void*> open_mpi_constants(void* library) {
  return {find<char>(library, "ompi_mpi_comm_world"), find<char>(library, "ompi_mpi_byte"),
          nullptr};
}

Constants<int> mpich_constants() {
  return {0x44000000, 0x4c00010d, reinterpret_cast<void*>(std::uintptr_t{1})};
}

template <class Handle>
class Loaded : public MpiLibrary {
 public:
  Loaded(std::string name, void* library, const Constants<Handle>& constants)
      : MpiLibrary(std::move(name)),
        constants_(constants),
        send_(find<Send>(library, "MPI_Send")),
        receive_(find<Receive>(library, "MPI_Recv")),
        exchange_(find<Exchange>(library, "MPI_Sendrecv")),
        barrier_(find<Barrier>(library, "MPI_Ibarrier")),
        test_(find<Test>(library, "MPI_Test")),
        finish_(find<int()>(library, "MPI_Finalize")) {
    find<int(int*, char***)>(library, "MPI_Init")(nullptr, nullptr);
    find<int(Handle, int*)>(library, "MPI_Comm_rank")(constants_.world, &rank_);
    find<int(Handle, int*)>(library, "MPI_Comm_size")(constants_.world, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int peer, std::span<const char> bytes) override {
    send_(bytes.data(), count(bytes), constants_.byte, peer, kTag, constants_.world);
  }
  void receive(int peer, std::span<char> bytes) override {
    receive_(bytes.data(), count(bytes), constants_.byte, peer, kTag, constants_.world,
             constants_.ignore_status);
  }
  void exchange(int peer, std::span<const char> out, std::span<char> in) override {
    exchange_(out.data(), count(out), constants_.byte, peer, kTag, in.data(), count(in),
              constants_.byte, peer, kTag, constants_.world, constants_.ignore_status);
  }

  void meet() override {
    constexpr double kSpin = 1e-4;  // s
    const timespec nap{0, 100'000};
    Handle request{};
    barrier_(constants_.world, &request);
    const double start = now();
    for (int done = 0;;) {
      test_(&request, &done, constants_.ignore_status);
      if (done != 0) return;
      if (now() - start > kSpin) ::nanosleep(&nap, nullptr);
    }
  }

  void finish() override {
    std::signal(SIGALRM, [](int) { ::_exit(0); });
    ::alarm(kLongestEnd);
    finish_();
    ::alarm(0);
  }

 private:
  using Send = int(const void*, int, Handle, int, int, Handle);
  using Receive = int(void*, int, Handle, int, int, Handle, void*);
  using Exchange = int(const void*, int, Handle, int, int, void*, int, Handle, int, int, Handle,
                       void*);
  using Barrier = int(Handle, Handle*);
  using Test = int(Handle*, int*, void*);
  static constexpr int kTag = 0;

  static int count(std::span<const char> bytes) { return static_cast<int>(bytes.size()); }

  Constants<Handle> constants_;
  Send* send_;
  Receive* receive_;
  Exchange* exchange_;
  Barrier* barrier_;
  Test* test_;
  int (*finish_)();
  int rank_ = 0, size_ = 1;
};

/// Open MPI 1.10 and MPICH have a file name in common, so a symbol tells which it is.
std::unique_ptr<MpiLibrary> start(std::string name, void* library) {
  if (::dlsym(library, "ompi_mpi_comm_world") != nullptr)
    return std::make_unique<Loaded<void*>>(std::move(name), library, open_mpi_constants(library));
  return std::make_unique<Loaded<int>>(std::move(name), library, mpich_constants());
}

Names file_names() {
  const core::Environment environment = core::process_environment();
  const auto is_set = [&](const char* name) { return environment(name).has_value(); };
  const Names open_mpi{"libmpi.so.40"}, mpich{"libmpi.so.12", "libmpich.so.12"};
  if (is_set("OMPI_COMM_WORLD_SIZE")) return open_mpi;
  const bool mpich_first = is_set("PMI_RANK") && !is_set("PMIX_RANK");
  Names names = mpich_first ? mpich : open_mpi;
  const Names& others = mpich_first ? open_mpi : mpich;
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

/// 0 when it cannot be told.
pid_t parent_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  pid_t parent = 0;
  for (std::string word; file >> word;)
    if (word == "PPid:") file >> parent;
  return parent;
}

/// The library folders that belong to the two programs above: the rank program and the launcher's.
Names folders_of_launcher() {
  namespace fs = std::filesystem;
  Names folders;
  pid_t pid = ::getppid();
  for (int i = 0; i < 2 && pid > 1; ++i, pid = parent_of(pid)) {
    std::error_code unreadable;
    const fs::path program = fs::read_symlink(fmt::format("/proc/{}/exe", pid), unreadable);
    if (unreadable) continue;
    for (const char* name : {"lib", "lib64"})
      folders.push_back(program.parent_path().parent_path() / name);
  }
  return folders;
}

}  // namespace

std::unique_ptr<MpiLibrary> load_mpi() {
  const Names names = file_names();
  Names places;
  for (const std::string& folder : folders_of_launcher())
    for (const std::string& name : names) places.push_back(fmt::format("{}/{}", folder, name));
  places.insert(places.end(), names.begin(), names.end());
  for (const std::string& place : places)
    // Its plug-ins look for its symbols among the global ones.
    if (void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL))
      return start(place, library);
  throw core::Error(
      fmt::format("no MPI library: neither beside the launcher nor in LD_LIBRARY_PATH is there {}; "
                  "load the MPI "
                  "that the launcher belongs to, on every host",
                  fmt::join(names, " or ")));
}

}  // namespace benchmarks
