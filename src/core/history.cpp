// SPDX-License-Identifier: BSD-3-Clause
#include "core/history.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <tuple>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/pairs.hpp"

namespace core {

namespace {

constexpr std::string_view kSuffix = ".csv";
constexpr off_t kLargestFile = off_t{1} << 30;

std::string errno_text() { return std::strerror(errno); }

/// By computing where both are split: ranks of a synchronised program all end together.
bool slower(const TimesRow& one, const TimesRow& other) {
  return one.split.known() && other.split.known() ? one.split.compute > other.split.compute
                                                  : one.seconds > other.seconds;
}

/// The slowest rank of each host, benchmark and repetition; a repetition with a row that is not ok
/// keeps that row. Order of first appearance.
std::vector<TimesRow> slowest_ranks(const TimesBlock& block) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> place;
  std::vector<TimesRow> kept;
  for (const TimesRow& row : block.rows) {
    const auto [at, is_new] = place.try_emplace({row.host, row.bench, row.run}, kept.size());
    if (is_new) {
      kept.push_back(row);
      continue;
    }
    TimesRow& old = kept[at->second];
    const bool worse =
        old.status == RowStatus::ok && (row.status != RowStatus::ok || slower(row, old));
    if (worse) old = row;
  }
  return kept;
}

std::string summary(const TimesBlock& measured) {
  const TimesBlock block = has_pairs(measured) ? without_pairs(measured) : measured;
  std::ostringstream text;
  const bool split =
      std::ranges::any_of(block.rows, [](const TimesRow& row) { return row.split.known(); });
  TimesWriter writer(text, {.split = split, .hardware = !block.hardware.empty()});
  writer.begin(block.metadata);
  for (std::size_t host = 0; host < block.hosts.size(); ++host)
    writer.hardware(block.hosts[host], block.hardware_of(host));
  for (const TimesRow& row : slowest_ranks(block))
    writer.row(block.hosts[row.host], row.rank, row.run, block.benches[row.bench], row.status,
               row.seconds, row.split);
  writer.end(block.elapsed.value_or(0));
  return text.str();
}

/// Job ids as people's schedulers make them ("123.server", "12[3]"), made a part of a file name.
std::string file_name_part(std::string_view job) {
  std::string part(job.substr(0, 40));
  for (char& c : part)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '_';
  return part.empty() ? "none" : part;
}

std::string file_name(const TimesBlock& block) {
  std::random_device random;
  return fmt::format("{:%Y%m%dT%H%M%S}Z-{}-{:08x}", fmt::gmtime(std::time(nullptr)),
                     file_name_part(block.value("job").value_or("")), random());
}

/// Links a complete file to a name that nobody has; a file system without hard links gets the same
/// from O_EXCL alone, where a reader may see it half written and skips it.
bool try_add(int folder, const std::string& name, const std::string& text) {
  const std::string temporary = "." + name + ".tmp";
  const std::string final_name = name + std::string(kSuffix);
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  {
    const Fd file(::openat(folder, temporary.c_str(), kNew, 0600));
    if (!file && errno == EEXIST) return false;
    if (!file) throw Error(fmt::format("cannot write the history: {}", errno_text()));
    try {
      write_all(file.get(), text, "the history");
    } catch (...) {
      ::unlinkat(folder, temporary.c_str(), 0);
      throw;
    }
  }
  const bool linked = ::linkat(folder, temporary.c_str(), folder, final_name.c_str(), 0) == 0;
  const int error = errno;
  ::unlinkat(folder, temporary.c_str(), 0);
  if (linked) return true;
  if (error == EEXIST) return false;
  const Fd file(::openat(folder, final_name.c_str(), kNew, 0600));
  if (!file && errno == EEXIST) return false;
  if (!file) throw Error(fmt::format("cannot write the history: {}", errno_text()));
  write_all(file.get(), text, "the history");
  return true;
}

void make_folders(const std::string& folder) {
  for (std::size_t slash = folder.find('/', 1);; slash = folder.find('/', slash + 1)) {
    const std::string part = folder.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      throw Error(fmt::format("cannot make the history folder {}: {}", part, errno_text()));
    if (slash == std::string::npos) return;
  }
}

Fd open_folder(const std::string& folder) {
  Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) throw Error(fmt::format("cannot read the history folder {}: {}", folder, errno_text()));
  return fd;
}

/// Names of the tables in a folder, sorted; so by time, since that is how they are called.
std::vector<std::string> table_names(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(folder.c_str()), ::closedir);
  if (dir == nullptr)
    throw Error(fmt::format("cannot read the history folder {}: {}", folder, errno_text()));
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string_view name(entry->d_name);
    if (!name.starts_with('.') && name.ends_with(kSuffix)) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The text of one file of a history folder. O_NONBLOCK: a FIFO planted there must not stop us.
std::string read_member(int folder, const std::string& name, bool named_by_hand) {
  const Fd file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file && errno == ELOOP) throw Error("is a symbolic link");
  if (!file) throw Error(errno_text());
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) throw Error(errno_text());
  if (!S_ISREG(info.st_mode)) throw Error("is not a regular file");
  if (!named_by_hand && info.st_uid != ::geteuid()) throw Error("belongs to another user");
  if (info.st_size > kLargestFile) throw Error("is larger than 1 GiB");
  return read_all(file.get(), name);
}

using Skipped = std::function<void(const std::string&)>;

void append_complete(std::vector<TimesBlock>& all, std::vector<TimesBlock> blocks,
                     const Skipped& skipped) {
  for (TimesBlock& block : blocks) {
    if (block.incomplete())
      skipped(fmt::format("{}:{}: this block lacks its '# complete' line, skipped", block.file,
                          block.first_line));
    else
      all.push_back(std::move(block));
  }
}

void append_folder(std::vector<TimesBlock>& all, const std::string& folder, bool named_by_hand,
                   const Skipped& skipped) {
  const Fd fd = open_folder(folder);
  for (const std::string& name : table_names(folder)) {
    const std::string path = folder + "/" + name;
    try {
      append_complete(all, read_times(read_member(fd.get(), name, named_by_hand), path), skipped);
    } catch (const Error& e) {
      const std::string_view why(e.what());
      skipped(why.starts_with(path) ? fmt::format("{}, file skipped", why)
                                    : fmt::format("{}: {}, skipped", path, why));
    }
  }
}

}  // namespace

std::string default_history(const Environment& environment) {
  const auto data = environment("XDG_DATA_HOME");
  if (data && data->starts_with('/')) return *data + "/launchwise";
  const auto home = environment("HOME");
  if (home && home->starts_with('/')) return *home + "/.local/share/launchwise";
  throw Error("neither XDG_DATA_HOME nor HOME says where the history is; name a folder");
}

std::string add_to_history(const std::string& folder, const TimesBlock& block) {
  make_folders(folder);
  const Fd fd = open_folder(folder);
  const std::string text = summary(block);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string name = file_name(block);
    if (try_add(fd.get(), name, text)) return folder + "/" + name + std::string(kSuffix);
  }
  throw Error(fmt::format("cannot write the history: no free name in {}", folder));
}

std::vector<TimesBlock> read_tables_and_folders(const std::vector<std::string>& paths,
                                                bool named_by_hand, const Skipped& skipped) {
  std::vector<TimesBlock> all;
  for (const std::string& path : paths) {
    if (path != "-" && std::filesystem::is_directory(path))
      append_folder(all, path, named_by_hand, skipped);
    else
      append_complete(all, read_times_file(path), skipped);
  }
  return all;
}

}  // namespace core
