// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cosched_exec/strategy/choose.hpp"

namespace cosched_exec {

using ClassId = std::size_t;
/// Tasks that run together, by class: (class, how many > 0), ascending.
using ClassSet = std::vector<std::pair<ClassId, std::uint16_t>>;

/// What was counted of a class in a set; sums over looks and members.
struct Sample {
  double amount = 0;   ///< progress, in the class's unit
  double seconds = 0;  ///< of members that were measured
  double events = 0;   ///< countable steps behind `amount`
  void add(const Sample& other) {
    amount += other.amount;
    seconds += other.seconds;
    events += other.events;
  }
  double rate() const { return seconds > 0 ? amount / seconds : 0; }
};

/// f of a class in a set. By models.md 3 "Unknown speeds": monotony bounds what was not measured.
struct Interval {
  double lower = 0, upper = 1;  ///< lower <= estimate <= upper
  double estimate = 1;
  bool measured = false;
};

/// Measured speeds of combinations of classes, as running means, and estimates of the others.
/// Classes have lasting numbers; a search is over those last selected, by their place there.
class Estimates : public SpeedModel {
 public:
  /// theta in [0, 1]: weight of the upper end in the value of an unmeasured combination.
  explicit Estimates(double theta) : theta_(theta) {}

  /// Adds to what is known of the class in the set.
  void measure(const ClassSet& set, ClassId id, const Sample& sample);
  /// Begins anew: speeds have changed in the set.
  void replace(const ClassSet& set, ClassId id, const Sample& sample);
  /// Drops all that was measured with the class but `keep`: a new stage of its tasks.
  void forget(ClassId id, const ClassSet* keep = nullptr);
  /// Drops what was measured in the set.
  void forget(const ClassSet& set) { measured_.erase(set); }
  /// The class goes at another rate, in all sets alike.
  void scale(ClassId id, double ratio, const ClassSet& except);
  const Sample* find(const ClassSet& set, ClassId id) const;
  /// Measured for this class with at least 20 steps, or as many expected at its rate alone.
  bool valid(const ClassSet& set, ClassId id) const;

  /// Rate of a member alone: measured, else the reference; none: not known.
  std::optional<double> alone(ClassId id) const;
  bool measured_alone(ClassId id) const { return valid({{id, 1}}, id); }
  /// What is taken for the rate alone while it is not measured.
  void set_reference(ClassId id, double rate, double events_a_second);

  /// Counts are of these classes from now on, at most `members` of each; call it after changes.
  void select(std::span<const ClassId> classes, std::span<const std::size_t> members);
  /// The value used: f as measured, else estimate + theta (upper - estimate).
  void speeds(std::span<const std::uint16_t> counts, std::span<double> f) const override;
  /// Of the class at `place`, which must be in the set; a class whose rate alone is not known has
  /// [0, 1] and 1.
  Interval interval(std::span<const std::uint16_t> counts, std::size_t place) const;
  /// All classes with counts > 0: each(place, interval).
  void intervals(std::span<const std::uint16_t> counts,
                 const std::function<void(std::size_t, const Interval&)>& each) const;
  double value(const Interval& interval) const;
  std::size_t sets() const { return measured_.size(); }

 private:
  struct Entry {
    std::map<ClassId, Sample> samples;
    std::uint64_t used = 0;  ///< for dropping the set that was not measured for longest
  };
  struct Reference {
    double rate = 0, events = 0;
  };
  static constexpr std::size_t kMostSets = 192;                ///< that are remembered
  using Bits = std::array<std::uint64_t, kMostSets / 64 + 1>;  ///< one bit for each measured set
  /// A measured set in the view of the selected classes.
  struct Row {
    std::size_t size = 0;   ///< tasks in it
    std::vector<double> f;  ///< by place; < 0: not measured
  };

  double events_alone(ClassId id) const;
  void drop_oldest();
  Row row(const ClassSet& set, const Entry& entry) const;
  std::pair<Bits, Bits> neighbours(std::span<const std::uint16_t> counts) const;
  Interval interval(std::size_t size, std::size_t place, const Bits& subsets,
                    const Bits& supersets) const;

  double theta_;
  std::map<ClassSet, Entry> measured_;
  std::map<ClassId, Reference> references_;
  std::uint64_t clock_ = 0;

  std::vector<ClassId> selected_;
  std::vector<bool> known_;  ///< by place: there is a rate alone
  std::size_t tasks_ = 0;    ///< of all selected classes together
  std::vector<Row> rows_;
  /// By place and count k: sets with at most (at least) k of the class.
  std::vector<std::vector<Bits>> at_most_, at_least_;
};

}  // namespace cosched_exec
