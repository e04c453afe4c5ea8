// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/estimates.hpp"

#include <algorithm>
#include <bit>

namespace cosched_exec {

namespace {

constexpr double kSteps = 20;    ///< that make a rate (mixes.md)
constexpr double kMemory = 120;  ///< s of measuring after which the past counts half
constexpr double kNotMeasured = -1;

bool alone_set(const ClassSet& set) { return set.size() == 1 && set.front().second == 1; }

bool has(const ClassSet& set, ClassId id) {
  return std::any_of(set.begin(), set.end(), [&](const auto& part) { return part.first == id; });
}

std::size_t tasks_in(const ClassSet& set) {
  std::size_t sum = 0;
  for (const auto& part : set) sum += part.second;
  return sum;
}

template <typename Bits>
void mark(Bits& bits, std::size_t index) {
  bits[index / 64] |= std::uint64_t{1} << (index % 64);
}

template <typename Bits, typename Each>
void for_each_bit(const Bits& bits, const Each& each) {
  for (std::size_t word = 0; word < bits.size(); ++word)
    for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
      each(word * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

}  // namespace

void Estimates::measure(const ClassSet& set, ClassId id, const Sample& sample) {
  Entry& entry = measured_[set];
  entry.used = ++clock_;
  Sample& sum = entry.samples[id];
  if (sum.seconds > kMemory) {
    sum.amount /= 2;
    sum.seconds /= 2;
    sum.events /= 2;
  }
  sum.add(sample);
  if (measured_.size() > kMostSets) drop_oldest();
}

void Estimates::replace(const ClassSet& set, ClassId id, const Sample& sample) {
  measured_[set].samples.erase(id);
  measure(set, id, sample);
}

void Estimates::drop_oldest() {
  auto oldest = measured_.end();
  for (auto each = measured_.begin(); each != measured_.end(); ++each)
    if (!alone_set(each->first) &&
        (oldest == measured_.end() || each->second.used < oldest->second.used))
      oldest = each;
  if (oldest != measured_.end()) measured_.erase(oldest);
}

void Estimates::forget(ClassId id, const ClassSet* keep) {
  std::erase_if(measured_, [&](const auto& each) {
    return has(each.first, id) && (keep == nullptr || each.first != *keep);
  });
  references_.erase(id);
}

void Estimates::scale(ClassId id, double ratio, const ClassSet& except) {
  for (auto& [set, entry] : measured_)
    if (const auto sample = entry.samples.find(id); sample != entry.samples.end() && set != except)
      sample->second.amount *= ratio;
  if (const auto reference = references_.find(id); reference != references_.end())
    reference->second.rate *= ratio;
}

const Sample* Estimates::find(const ClassSet& set, ClassId id) const {
  const auto entry = measured_.find(set);
  if (entry == measured_.end()) return nullptr;
  const auto sample = entry->second.samples.find(id);
  return sample == entry->second.samples.end() ? nullptr : &sample->second;
}

double Estimates::events_alone(ClassId id) const {
  if (const Sample* sample = find({{id, 1}}, id); sample != nullptr && sample->events >= kSteps)
    return sample->events / sample->seconds;
  const auto reference = references_.find(id);
  return reference == references_.end() ? 0 : reference->second.events;
}

bool Estimates::valid(const ClassSet& set, ClassId id) const {
  const Sample* sample = find(set, id);
  if (sample == nullptr || !(sample->seconds > 0)) return false;
  return sample->events >= kSteps ||
         (!alone_set(set) && events_alone(id) * sample->seconds >= kSteps);
}

std::optional<double> Estimates::alone(ClassId id) const {
  if (measured_alone(id)) {
    const double rate = find({{id, 1}}, id)->rate();
    if (rate > 0) return rate;
  }
  const auto reference = references_.find(id);
  if (reference == references_.end()) return std::nullopt;
  return reference->second.rate;
}

void Estimates::set_reference(ClassId id, double rate, double events_a_second) {
  if (rate > 0) references_[id] = {rate, events_a_second};
}

Estimates::Row Estimates::row(const ClassSet& set, const Entry& entry) const {
  Row row{tasks_in(set), std::vector<double>(selected_.size(), kNotMeasured)};
  for (const auto& [id, sample] : entry.samples) {
    const auto place = std::find(selected_.begin(), selected_.end(), id);
    if (place == selected_.end() || !valid(set, id)) continue;
    if (const auto rate = alone(id))
      row.f[static_cast<std::size_t>(place - selected_.begin())] =
          alone_set(set) ? 1 : std::clamp(sample.rate() / *rate, 0.0, 1.0);
  }
  return row;
}

void Estimates::select(std::span<const ClassId> classes, std::span<const std::size_t> members) {
  selected_.assign(classes.begin(), classes.end());
  known_.clear();
  tasks_ = 0;
  for (const std::size_t each : members) tasks_ += each;
  for (const ClassId id : classes) known_.push_back(alone(id).has_value());
  rows_.clear();
  const Bits none{};
  at_most_.clear();
  at_least_.clear();
  for (const std::size_t each : members) {
    at_most_.emplace_back(each + 1, none);
    at_least_.emplace_back(each + 1, none);
  }
  for (const auto& [set, entry] : measured_) {
    const std::size_t index = rows_.size();
    rows_.push_back(row(set, entry));
    bool inside = true;  // else it is a subset of nothing here
    std::vector<std::size_t> counts(classes.size(), 0);
    for (const auto& [id, count] : set) {
      const auto place = std::find(classes.begin(), classes.end(), id);
      if (place == classes.end())
        inside = false;
      else
        counts[static_cast<std::size_t>(place - classes.begin())] = count;
    }
    for (std::size_t place = 0; place < classes.size(); ++place)
      for (std::size_t k = 0; k <= members[place]; ++k) {
        if (inside && counts[place] <= k) mark(at_most_[place][k], index);
        if (counts[place] >= k) mark(at_least_[place][k], index);
      }
  }
}

std::pair<Estimates::Bits, Estimates::Bits> Estimates::neighbours(
    std::span<const std::uint16_t> counts) const {
  Bits subsets = at_most_[0][counts[0]], supersets = at_least_[0][counts[0]];
  for (std::size_t place = 1; place < counts.size(); ++place) {
    const Bits& most = at_most_[place][counts[place]];
    const Bits& least = at_least_[place][counts[place]];
    for (std::size_t word = 0; word < subsets.size(); ++word) {
      subsets[word] &= most[word];
      supersets[word] &= least[word];
    }
  }
  return {subsets, supersets};
}

Interval Estimates::interval(std::size_t size, std::size_t place, const Bits& subsets,
                             const Bits& supersets) const {
  if (!known_[place]) return {};
  double upper = 1, lower = 0;
  std::size_t upper_size = 1, lower_size = std::max(tasks_, size) + 1;  // alone; none: n + 1
  bool measured = size == 1;
  for_each_bit(subsets, [&](std::size_t index) {
    const double f = rows_[index].f[place];
    if (f < 0) return;
    if (rows_[index].size == size) {
      measured = true;
      upper = lower = f;
    } else if (!measured && (f < upper || (f == upper && rows_[index].size > upper_size))) {
      upper = f;
      upper_size = rows_[index].size;
    }
  });
  if (measured) return {upper, upper, upper, true};
  for_each_bit(supersets, [&](std::size_t index) {
    const double f = rows_[index].f[place];
    if (f > lower || (f == lower && f >= 0 && rows_[index].size < lower_size)) {
      lower = f;
      lower_size = rows_[index].size;
    }
  });
  lower = std::min(lower, upper);
  const double lambda =
      static_cast<double>(size - upper_size) / static_cast<double>(lower_size - upper_size);
  return {lower, upper, upper + lambda * (lower - upper), false};
}

Interval Estimates::interval(std::span<const std::uint16_t> counts, std::size_t place) const {
  const auto [subsets, supersets] = neighbours(counts);
  std::size_t size = 0;
  for (const std::uint16_t count : counts) size += count;
  return interval(size, place, subsets, supersets);
}

double Estimates::value(const Interval& interval) const {
  return interval.estimate + theta_ * (interval.upper - interval.estimate);
}

void Estimates::intervals(std::span<const std::uint16_t> counts,
                          const std::function<void(std::size_t, const Interval&)>& each) const {
  const auto [subsets, supersets] = neighbours(counts);
  std::size_t size = 0;
  for (const std::uint16_t count : counts) size += count;
  for (std::size_t place = 0; place < counts.size(); ++place)
    if (counts[place] > 0) each(place, interval(size, place, subsets, supersets));
}

void Estimates::speeds(std::span<const std::uint16_t> counts, std::span<double> f) const {
  intervals(counts, [&](std::size_t place, const Interval& known) { f[place] = value(known); });
}

}  // namespace cosched_exec
