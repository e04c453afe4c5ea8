// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace spare_plan::standby::live {

/// A value of a JSON text that may be absent or of another type than expected, which is then as if
/// it was not there. Lives as long as its JsonText.
class JsonValue {
 public:
  bool is_array() const;
  bool is_object() const;
  bool has(const char* key) const;
  std::size_t size() const;
  /// The member of an object; absent where there is none.
  JsonValue at(const char* key) const;
  /// Calls with each element of an array or object, and its index or key.
  void each(const std::function<void(const std::string& key, JsonValue)>& call) const;

  /// A string, else nothing.
  std::optional<std::string> text(const char* key) const;
  /// A number, a string that is one, or Slurm's {"set": true, "infinite": false, "number": 5}.
  std::optional<double> number(const char* key) const;
  /// The same as an instant: 0 and less is none.
  std::optional<double> time(const char* key) const;
  /// A string, or the strings of an array, in capitals.
  std::set<std::string> words(const char* key) const;

 private:
  friend class JsonText;
  explicit JsonValue(const void* value) : value_(value) {}
  const void* value_;  ///< nlohmann::json
};

/// Throws Error naming `name` when the text is not JSON.
class JsonText {
 public:
  JsonText(std::string_view text, const std::string& name);
  JsonValue value() const { return JsonValue(value_.get()); }

 private:
  std::shared_ptr<const void> value_;
};

/// ASCII letters in capitals.
std::string capitals(std::string word);

}  // namespace spare_plan::standby::live
