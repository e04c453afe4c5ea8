// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/live/json_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/number.hpp"

namespace spare_plan::standby::live {
namespace {

using nlohmann::json;

const json& of(const void* value) { return *static_cast<const json*>(value); }

const json& member(const json& object, const char* key) {
  static const json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

std::optional<double> number_of(const json& value) {
  if (value.is_number()) {
    const double number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  }
  if (value.is_string()) return core::parse_number(value.get_ref<const std::string&>());
  return std::nullopt;
}

bool is_true(const json& value) { return value.is_boolean() && value.get<bool>(); }

}  // namespace

bool JsonValue::is_array() const { return of(value_).is_array(); }
bool JsonValue::is_object() const { return of(value_).is_object(); }
bool JsonValue::has(const char* key) const { return is_object() && of(value_).contains(key); }
std::size_t JsonValue::size() const { return of(value_).size(); }
JsonValue JsonValue::at(const char* key) const { return JsonValue(&member(of(value_), key)); }

void JsonValue::each(const std::function<void(const std::string&, JsonValue)>& call) const {
  if (!is_array() && !is_object()) return;
  for (const auto& item : of(value_).items()) call(item.key(), JsonValue(&item.value()));
}

std::optional<std::string> JsonValue::text(const char* key) const {
  const auto& value = member(of(value_), key);
  return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

std::optional<double> JsonValue::number(const char* key) const {
  const auto& value = member(of(value_), key);
  if (!value.is_object()) return number_of(value);
  if (!is_true(member(value, "set")) || is_true(member(value, "infinite"))) return std::nullopt;
  return number_of(member(value, "number"));
}

std::optional<double> JsonValue::time(const char* key) const {
  const auto instant = number(key);
  return instant && *instant > 0 ? instant : std::nullopt;
}

std::set<std::string> JsonValue::words(const char* key) const {
  const auto& value = member(of(value_), key);
  std::set<std::string> words;
  if (value.is_string()) words.insert(capitals(value.get<std::string>()));
  if (value.is_array())
    for (const auto& one : value)
      if (one.is_string()) words.insert(capitals(one.get<std::string>()));
  return words;
}

JsonText::JsonText(std::string_view text, const std::string& name) {
  try {
    value_ = std::make_shared<const json>(json::parse(text));
  } catch (const json::exception& error) {
    const auto* const where = dynamic_cast<const json::parse_error*>(&error);
    throw core::Error(where ? fmt::format("{}: damaged JSON near byte {}", name, where->byte)
                            : fmt::format("{}: damaged JSON", name));
  }
}

std::string capitals(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return word;
}

}  // namespace spare_plan::standby::live
