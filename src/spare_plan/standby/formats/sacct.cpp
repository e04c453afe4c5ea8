// SPDX-License-Identifier: BSD-3-Clause
// What sacct -P prints: columns between '|', with a header line, or without one (-n) those of
// kUsualColumns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.hpp"
#include "spare_plan/standby/formats/formats.hpp"
#include "spare_plan/standby/formats/slurm_fields.hpp"

namespace spare_plan::standby {
namespace {

constexpr std::string_view kUsualColumns =
    "JobIDRaw|Submit|Eligible|Start|End|ReqNodes|NNodes|AllocNodes|State|TimelimitRaw|ElapsedRaw|"
    "Partition|Constraints";
constexpr std::size_t kFewestColumns = 11;  // the last two are for groups

using Words = std::vector<std::string_view>;

void split(std::string_view line, Words& words) {
  words.clear();
  for (auto bar = line.find('|'); bar != line.npos; bar = line.find('|')) {
    words.push_back(line.substr(0, bar));
    line.remove_prefix(bar + 1);
  }
  words.push_back(line);
}

/// Where the columns are.
class Columns {
 public:
  /// Throws Error where the header lacks what is needed.
  void set(const Words& header, const std::string& where) {
    width_ = header.size();
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const auto found = std::ranges::find(header, kNames[i]);
      if (found != header.end() && std::find(found + 1, header.end(), kNames[i]) != header.end())
        throw core::Error(fmt::format("{}: the column {} is there twice", where, kNames[i]));
      place_[i] = static_cast<std::size_t>(found - header.begin());
    }
    if (!has("Submit")) lacks(where, "Submit");
    if (!(has("ElapsedRaw") || has("Elapsed") || (has("Start") && has("End"))))
      lacks(where, "ElapsedRaw");
    if (!(has("AllocNodes") || has("NNodes") || has("ReqNodes"))) lacks(where, "AllocNodes");
  }

  /// Whether the line names columns; in later ones only a field that no user chooses tells.
  bool is_header(const Words& words) const {
    if (width_ == 0)
      return std::ranges::any_of(words, [](auto word) {
        return word == "Submit" || word == "JobID" || word == "JobIDRaw" || word == "State";
      });
    return words.size() == width_ && value(words, "Submit") == "Submit";
  }
  std::size_t width() const { return width_; }
  bool has(std::string_view name) const { return place_[index(name)] < width_; }
  std::string_view value(const Words& words, std::string_view name) const {
    return has(name) ? words[place_[index(name)]] : std::string_view();
  }
  /// Of the first column that is there.
  std::string_view value(const Words& words, std::string_view name, std::string_view other) const {
    return value(words, has(name) ? name : other);
  }

 private:
  static constexpr std::array<std::string_view, 16> kNames{
      "JobIDRaw",   "JobID",   "Submit",     "Eligible",   "Start",        "End",
      "ReqNodes",   "NNodes",  "AllocNodes", "State",      "TimelimitRaw", "Timelimit",
      "ElapsedRaw", "Elapsed", "Partition",  "Constraints"};

  static std::size_t index(std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(kNames, name) - kNames.begin());
  }
  [[noreturn]] static void lacks(const std::string& where, const char* name) {
    throw core::Error(fmt::format("{}: the column {} is missing; sacct -o {} prints what is needed",
                                  where, name, [] {
                                    std::string names(kUsualColumns);
                                    std::ranges::replace(names, '|', ',');
                                    return names;
                                  }()));
  }

  std::array<std::size_t, kNames.size()> place_{};
  std::size_t width_ = 0;
};

SlurmFields fields_of(const Columns& columns, const Words& words) {
  SlurmFields fields;
  fields.state = columns.value(words, "State");
  fields.submit = columns.value(words, "Submit");
  fields.eligible = columns.value(words, "Eligible");
  fields.start = columns.value(words, "Start");
  fields.end = columns.value(words, "End");
  fields.elapsed = columns.value(words, "ElapsedRaw", "Elapsed");
  fields.limit_minutes = columns.has("TimelimitRaw");
  fields.limit = columns.value(words, "TimelimitRaw", "Timelimit");
  fields.allocated_nodes = columns.value(words, "AllocNodes");
  fields.nodes = columns.value(words, "NNodes");
  fields.requested_nodes = columns.value(words, "ReqNodes");
  fields.partition = columns.value(words, "Partition");
  fields.feature = columns.value(words, "Constraints");
  return fields;
}

/// The columns of the first line when that is no header.
Words usual_columns(std::size_t count) {
  Words words;
  split(kUsualColumns, words);
  words.resize(std::clamp(count, kFewestColumns, words.size()));
  return words;
}

}  // namespace

bool is_sacct(std::string_view line) { return line.find('|') != line.npos; }

void read_sacct(Bytes& bytes, HistoryBuilder& history) {
  Words words;
  Columns columns;
  for_each_line(bytes, history, [&](std::string_view line, std::size_t number) {
    split(line, words);
    if (columns.is_header(words))
      return columns.set(words, fmt::format("{}:{}", history.name(), number));
    if (columns.width() == 0) columns.set(usual_columns(words.size()), history.name());
    if (words.size() != columns.width())
      return history.leave_out(LeftOut::damaged, number,
                               fmt::format("{} fields, want {}", words.size(), columns.width()));
    if (columns.value(words, "JobIDRaw", "JobID").find('.') != line.npos)
      return history.leave_out(LeftOut::step, number, "sacct -X prints jobs alone");
    add_slurm_job(fields_of(columns, words), number, history);
  });
}

}  // namespace spare_plan::standby
