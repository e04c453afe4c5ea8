// SPDX-License-Identifier: BSD-3-Clause
// What OpenPBS's qstat -x -f -F json prints: {"Jobs": {ID: {KEY: VALUE, ...}, ...}, ...}. Read as
// it comes, since nlohmann's document of it would be many times as large.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/error.hpp"
#include "core/number.hpp"
#include "spare_plan/standby/formats/formats.hpp"
#include "spare_plan/standby/formats/pbs_fields.hpp"

namespace spare_plan::standby {
namespace {

/// The bytes one by one, and in which line they are.
struct Cursor {
  Bytes& bytes;
  std::string_view piece = {};
  std::size_t line = 1;

  bool at_end() {
    if (piece.empty()) piece = bytes.take();
    return piece.empty();
  }
};

class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit ByteIterator(Cursor* cursor) : cursor_(cursor) {}
  char operator*() const { return cursor_->piece.front(); }
  ByteIterator& operator++() {
    if (cursor_->piece.front() == '\n') ++cursor_->line;
    cursor_->piece.remove_prefix(1);
    return *this;
  }
  ByteIterator operator++(int) {
    const auto before = *this;
    ++*this;
    return before;
  }
  /// Only ever compared with the end, which has no cursor.
  bool operator==(const ByteIterator&) const { return cursor_ == nullptr || cursor_->at_end(); }
  bool operator!=(const ByteIterator& other) const { return !(*this == other); }

 private:
  Cursor* cursor_;
};

/// Takes jobs out of the stream of nlohmann's events.
class Jobs {
 public:
  Jobs(HistoryBuilder& history, const Cursor& cursor) : history_(history), cursor_(cursor) {}

  bool null() { return scalar(""); }
  bool boolean(bool value) { return scalar(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { return scalar(fmt::format("{}", value)); }
  bool number_unsigned(std::uint64_t value) { return scalar(fmt::format("{}", value)); }
  bool number_float(double value, const std::string&) { return scalar(fmt::format("{}", value)); }
  bool string(std::string& value) { return scalar(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) { return true; }
  bool start_array(std::size_t) { return open(); }
  bool end_array() { return close(); }
  bool start_object(std::size_t) { return open(); }
  bool end_object() { return close(); }

  bool key(std::string& name) {
    auto& keys = keys_[depth()];
    if (depth() > kJobsDepth && in_jobs()) {
      twice_ = twice_ || std::ranges::find(keys, name) != keys.end();
      keys.push_back(name);
    }
    path_.back() = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) {
    std::string what = e.what();  // "[json.exception...] parse error at line ...: what - where"
    const auto colon = what.find(": ");
    throw core::Error(fmt::format("{}:{}: not JSON as qstat -x -f -F json prints it{}",
                                  history_.name(), cursor_.line,
                                  colon == what.npos ? "" : what.substr(colon)));
  }

  bool found_jobs() const { return found_jobs_; }

 private:
  // {"Jobs": {ID: {...}}}: keys of the first object have depth 1, those of a job 3.
  static constexpr std::size_t kJobsDepth = 2, kJobDepth = 3;

  std::size_t depth() const { return path_.size(); }
  bool in_jobs() const { return !path_.empty() && path_.front() == "Jobs"; }

  bool open() {
    if (depth() + 1 == kJobsDepth && in_jobs()) found_jobs_ = true;
    path_.emplace_back();
    if (keys_.size() <= depth()) keys_.resize(depth() + 1);
    keys_[depth()].clear();
    if (depth() == kJobDepth) {
      values_.fill({});
      twice_ = false;
    }
    return true;
  }

  bool close() {
    if (depth() == kJobDepth && in_jobs()) end_job();
    path_.pop_back();
    return true;
  }

  /// What is read of a job: at its own depth, or one below the outer key.
  enum Field : std::size_t {
    kQueued,
    kEligible,
    kStart,
    kHosts,
    kQueue,
    kState,
    kUsed,
    kLimit,
    kNodes,
    kSelect,
    kFields
  };
  struct Name {
    std::string_view outer, inner;
  };
  static constexpr std::array<Name, kFields> kNames{{{"", "qtime"},
                                                     {"", "etime"},
                                                     {"", "stime"},
                                                     {"", "exec_host"},
                                                     {"", "queue"},
                                                     {"", "job_state"},
                                                     {"resources_used", "walltime"},
                                                     {"Resource_List", "walltime"},
                                                     {"Resource_List", "nodect"},
                                                     {"Resource_List", "select"}}};

  bool scalar(std::string value) {
    if (!in_jobs() || depth() < kJobDepth || depth() > kJobDepth + 1) return true;
    const bool own = depth() == kJobDepth;
    for (std::size_t i = 0; i < kFields; ++i)
      if (kNames[i].inner == path_.back() &&
          kNames[i].outer == (own ? std::string_view() : path_[kJobDepth - 1])) {
        values_[i] = std::move(value);
        break;
      }
    return true;
  }

  void end_job() {
    if (twice_) return history_.leave_out(LeftOut::key_twice, cursor_.line);
    PbsFields fields;
    fields.queued = values_[kQueued];
    fields.eligible = values_[kEligible];
    fields.start = values_[kStart];
    fields.used = values_[kUsed];
    fields.limit = values_[kLimit];
    fields.hosts = values_[kHosts];
    fields.node_count = values_[kNodes];
    fields.select = values_[kSelect];
    fields.queue = values_[kQueue];
    fields.running = values_[kState] == "R";
    add_pbs_job(fields, cursor_.line, history_);
  }

  HistoryBuilder& history_;
  const Cursor& cursor_;
  std::vector<std::string> path_;               ///< the key at each depth
  std::vector<std::vector<std::string>> keys_;  ///< seen at each depth, within the jobs
  std::array<std::string, kFields> values_;     ///< of the job
  bool twice_ = false, found_jobs_ = false;
};

}  // namespace

bool is_qstat_json(std::string_view line) { return line.starts_with('{'); }

void read_qstat_json(Bytes& bytes, HistoryBuilder& history) {
  Cursor cursor{bytes};
  Jobs jobs(history, cursor);
  nlohmann::json::sax_parse(ByteIterator(&cursor), ByteIterator(nullptr), &jobs);
  if (!jobs.found_jobs())
    throw core::Error(
        history.name() +
        " has no \"Jobs\" as qstat -x -f -F json prints them; of Slurm take sacct -P");
}

}  // namespace spare_plan::standby
