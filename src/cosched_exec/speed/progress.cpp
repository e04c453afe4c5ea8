// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <re2/re2.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/number.hpp"

namespace cosched_exec {

namespace {

/// Beyond this, the rest of a line is not searched.
constexpr std::size_t kMostOfLine = 4096;
/// A progress file longer than this is read at its end.
constexpr off_t kMostOfFile = 65536;
constexpr const char* kFirstNumber = R"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)";

/// Bytes, whatever their encoding.
RE2::Options pattern_options() {
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  return options;
}

std::unique_ptr<const RE2> compile(const std::string& pattern) {
  auto compiled = std::make_unique<const RE2>(pattern, pattern_options());
  if (!compiled->ok())
    throw core::Error(fmt::format("progress: {} is not a regular expression of RE2: {}",
                                  core::quoted(pattern), compiled->error()),
                      core::ExitStatus::usage);
  return compiled;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t+");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Group 0, the whole match, and group 1.
using Match = std::array<re2::StringPiece, 2>;

/// Finds the next match in the line at or after `from`.
bool find(std::string_view line, std::size_t from, const RE2& pattern, Match& match) {
  const int groups = pattern.NumberOfCapturingGroups() > 0 ? 2 : 1;
  return pattern.Match(line, from, line.size(), RE2::UNANCHORED, match.data(), groups);
}

/// The number in this match: group 1, else the whole match; none where that is no number.
std::optional<double> number_in(const Match& match, const RE2& pattern) {
  const re2::StringPiece& part = match[pattern.NumberOfCapturingGroups() > 0 ? 1 : 0];
  if (part.data() == nullptr) return std::nullopt;  // group 1 did not take part
  return core::parse_number(trimmed({part.data(), part.size()}));
}

/// The last number that the pattern finds in a line.
std::optional<double> last_number(std::string_view line, const RE2& pattern) {
  std::optional<double> last;
  Match match;
  for (std::size_t from = 0; from < line.size() && find(line, from, pattern, match);) {
    if (const auto number = number_in(match, pattern)) last = number;
    const auto end = static_cast<std::size_t>(match[0].end() - line.data());
    from = match[0].empty() ? end + 1 : end;
  }
  return last;
}

/// The end of a file, or all of it; empty when it cannot be read (not there yet). A file that is
/// not regular is not waited for.
std::string read_end(const std::string& path) {
  const core::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return {};
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  ::lseek(file.get(), std::max<off_t>(0, size - kMostOfFile), SEEK_SET);
  std::string text(static_cast<std::size_t>(kMostOfFile), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

}  // namespace

void check_progress(const ProgressSpec& spec) {
  using Kind = ProgressSpec::Kind;
  if (spec.kind == Kind::match && spec.pattern.empty())
    throw core::Error("progress: there is no pattern to look for", core::ExitStatus::usage);
  if (spec.kind == Kind::file && spec.file.empty())
    throw core::Error("progress: there is no name of a file", core::ExitStatus::usage);
  if (!spec.pattern.empty()) compile(spec.pattern);
}

struct Progress::State {
  State(const ProgressSpec& wanted, const std::string& working_directory)
      : spec(wanted),
        pattern(compile(wanted.pattern.empty() ? kFirstNumber : wanted.pattern)),
        path(std::filesystem::path(working_directory) / wanted.file) {}

  void count_lines(std::string_view bytes) {
    lines += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  }

  void add_to_line(std::string_view part) {
    line += part.substr(0, kMostOfLine - std::min(kMostOfLine, line.size()));
  }

  void show(double number) {
    if (last != number) ++shown;
    last = number;
  }

  void search_lines(std::string_view bytes) {
    for (std::size_t end; (end = bytes.find_first_of("\n\r")) != std::string_view::npos;) {
      add_to_line(bytes.substr(0, end));
      bytes.remove_prefix(end + 1);
      if (const auto number = last_number(line, *pattern)) show(*number);
      line.clear();
    }
    add_to_line(bytes);
  }

  /// The last number that the pattern finds in the file; without a pattern, the file's first
  /// number. A last line without an end counts: such files are rewritten as a whole.
  void search_file() {
    const std::string text = read_end(path);
    const auto number = spec.pattern.empty() ? first_number(text) : last_number_of_lines(text);
    if (number) last = number;
  }

  std::optional<double> first_number(std::string_view text) const {
    Match match;
    if (!find(text.substr(0, kMostOfLine), 0, *pattern, match)) return std::nullopt;
    return number_in(match, *pattern);
  }

  std::optional<double> last_number_of_lines(std::string_view text) const {
    while (!text.empty()) {
      const std::size_t start = text.find_last_of("\n\r") + 1;  // npos + 1 is 0
      if (const auto number = last_number(text.substr(start, kMostOfLine), *pattern)) return number;
      text = text.substr(0, start == 0 ? 0 : start - 1);
    }
    return std::nullopt;
  }

  ProgressSpec spec;
  std::unique_ptr<const RE2> pattern;
  std::string path;
  std::uint64_t lines = 0;
  std::uint64_t shown = 0;  ///< match: new numbers
  std::string line;         ///< match: what has come of a line, at most kMostOfLine
  std::optional<double> last;
};

Progress::Progress(const ProgressSpec& spec, const std::string& working_directory)
    : state_(std::make_unique<State>(spec, working_directory)) {}
Progress::Progress(Progress&&) noexcept = default;
Progress::~Progress() = default;

void Progress::feed(std::string_view bytes) {
  switch (state_->spec.kind) {
    case ProgressSpec::Kind::lines:
      state_->count_lines(bytes);
      break;
    case ProgressSpec::Kind::match:
      state_->search_lines(bytes);
      break;
    case ProgressSpec::Kind::file:
      break;
  }
}

std::optional<double> Progress::value() {
  if (state_->spec.kind == ProgressSpec::Kind::lines)
    return state_->lines > 0 ? std::optional(static_cast<double>(state_->lines)) : std::nullopt;
  if (state_->spec.kind == ProgressSpec::Kind::file) state_->search_file();
  return state_->last;
}

std::optional<double> Progress::events() const {
  switch (state_->spec.kind) {
    case ProgressSpec::Kind::lines:
      return static_cast<double>(state_->lines);
    case ProgressSpec::Kind::match:
      return static_cast<double>(state_->shown);
    case ProgressSpec::Kind::file:
      break;
  }
  return std::nullopt;
}

std::string Progress::absence() const {
  const ProgressSpec& spec = state_->spec;
  const std::string place = spec.kind == ProgressSpec::Kind::file ? state_->path : "its output";
  if (spec.kind == ProgressSpec::Kind::lines) return "it has shown no line of output";
  if (spec.pattern.empty()) return fmt::format("no number was found in {}", place);
  return fmt::format("no number was found by '{}' in {}", spec.pattern, place);
}

}  // namespace cosched_exec
