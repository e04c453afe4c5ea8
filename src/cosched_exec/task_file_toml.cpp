// SPDX-License-Identifier: BSD-3-Clause
// The TOML form of the task file.
#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <set>

#include "core/error.hpp"
#include "core/number.hpp"
#include "cosched_exec/shell_words.hpp"
#include "cosched_exec/task_file.hpp"

namespace cosched_exec {

namespace {

constexpr std::int64_t kMostThreads = 1 << 16;
constexpr std::size_t kLongestName = 100;

[[noreturn]] void refuse(const std::string& source, const toml::source_region& place,
                         const std::string& why) {
  throw core::Error(fmt::format("{}:{}: {}", source, place.begin.line, why),
                    core::ExitStatus::usage);
}

bool is_control(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x20 || byte == 0x7f) return true;
  // U+0080 to U+009F.
  return byte == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0;
}

std::string joined(const auto& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

/// One [[task]] table, read key by key.
class TaskTable {
 public:
  TaskTable(const toml::table& table, const std::string& source, std::size_t number)
      : table_(table), source_(source) {
    task_.name = std::to_string(number);
    task_.place = fmt::format("{}:{}", source, table.source().begin.line);
  }

  Task read() {
    for (const auto& [key, node] : table_) read_key(key, node);
    if (task_.argv.empty()) refuse(source_, table_.source(), "a task without a command");
    return std::move(task_);
  }

 private:
  void read_key(const toml::key& key, const toml::node& node) {
    const std::string_view name = key.str();
    if (name == "name") return read_name(node);
    if (name == "command") return read_command(node);
    if (name == "threads") return read_threads(node);
    if (name == "env") return read_environment(node);
    if (name == "dir") return read_text(name, node, task_.directory);
    if (name == "stdout") return read_text(name, node, task_.out_file);
    if (name == "stderr") return read_text(name, node, task_.err_file);
    if (name == "progress") return read_progress(node);
    if (name == "pausable") return read_pausable(node);
    refuse_key(key);
  }

  [[noreturn]] void refuse_key(const toml::key& key) const {
    static constexpr std::array<std::string_view, 9> kKnown{
        "name", "command", "threads", "env", "dir", "stdout", "stderr", "progress", "pausable"};
    const std::string_view name = key.str();
    if (name == "after" || name == "memory")
      refuse(source_, key.source(),
             fmt::format("'{}' is not in this version of cosched_exec yet", name));
    refuse(source_, key.source(),
           fmt::format("unknown key {}; known are {}", core::quoted(name), joined(kKnown)));
  }

  /// A string that can be handed to the operating system.
  std::string text_of(std::string_view what, const toml::node& node) const {
    const auto* text = node.as_string();
    if (text == nullptr) refuse(source_, node.source(), fmt::format("{} must be a string", what));
    if (text->get().find('\0') != std::string::npos)
      refuse(source_, node.source(), fmt::format("{} holds a null character", what));
    return text->get();
  }
  std::string filled_text(std::string_view what, const toml::node& node) const {
    std::string text = text_of(what, node);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
      refuse(source_, node.source(), fmt::format("{} is empty", what));
    return text;
  }
  void read_text(std::string_view what, const toml::node& node, std::string& text) const {
    text = filled_text(what, node);
  }

  void read_name(const toml::node& node) {
    task_.name = filled_text("name", node);
    for (std::size_t i = 0; i < task_.name.size(); ++i)
      if (is_control(task_.name, i))
        refuse(source_, node.source(), "a name must not hold control characters");
    if (task_.name.size() > kLongestName)
      refuse(source_, node.source(),
             fmt::format("a name must not be longer than {} bytes", kLongestName));
  }

  void read_command(const toml::node& node) {
    if (const auto* words = node.as_array()) {
      for (const toml::node& word : *words)
        task_.argv.push_back(text_of("each word of command", word));
      if (task_.argv.empty() || task_.argv[0].empty())
        refuse(source_, node.source(), "a command without a program");
      task_.text = shell_text(task_.argv);
    } else if (node.is_string()) {
      task_.text = filled_text("command", node);
      task_.argv = shell_task(task_.text, 0).argv;
    } else {
      refuse(source_, node.source(), "command must be a string or an array of strings");
    }
  }

  void read_threads(const toml::node& node) {
    const auto* number = node.as_integer();
    if (number == nullptr || number->get() < 1 || number->get() > kMostThreads)
      refuse(source_, node.source(),
             fmt::format("threads must be a number from 1 to {}", kMostThreads));
    task_.threads = static_cast<unsigned>(number->get());
  }

  void read_environment(const toml::node& node) {
    const auto* variables = node.as_table();
    if (variables == nullptr)
      refuse(source_, node.source(),
             "env must be a table, as in env = { OMP_NUM_THREADS = \"4\" }");
    for (const auto& [key, value] : *variables) {
      const std::string_view name = key.str();
      if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != name.npos)
        refuse(source_, key.source(),
               fmt::format("env: {} is no name of a variable", core::quoted(name)));
      task_.environment.emplace_back(name, variable_of(name, value));
    }
  }
  std::string variable_of(std::string_view name, const toml::node& value) const {
    if (const auto* number = value.as_integer()) return std::to_string(number->get());
    if (!value.is_string())  // 1.50 is another text than 1.5
      refuse(source_, value.source(),
             fmt::format("env: {} must be a string or a whole number; put other values in quotes",
                         core::quoted(name)));
    return text_of(fmt::format("env: {}", name), value);
  }

  void read_pausable(const toml::node& node) {
    const auto* pausable = node.as_boolean();
    if (pausable == nullptr) refuse(source_, node.source(), "pausable must be true or false");
    task_.pausable = pausable->get();
  }

  void read_progress(const toml::node& node) {
    static constexpr const char* kForms =
        "progress must be \"lines\", { match = \"PATTERN\" } or { file = \"FILE\" }";
    ProgressSpec spec;
    if (const auto* table = node.as_table())
      spec = progress_table(*table, kForms);
    else if (node.value<std::string_view>() != "lines")
      refuse(source_, node.source(), kForms);
    try {
      check_progress(spec);
    } catch (const core::Error& e) {
      refuse(source_, node.source(), e.what());
    }
    task_.progress = spec;
  }
  ProgressSpec progress_table(const toml::table& table, const char* forms) const {
    ProgressSpec spec;
    for (const auto& [key, node] : table) {
      if (key.str() == "match")
        spec.pattern = filled_text("match", node);
      else if (key.str() == "file")
        spec.file = filled_text("file", node);
      else
        refuse(source_, key.source(),
               fmt::format("unknown key {} in progress; {}", core::quoted(key.str()), forms));
    }
    if (spec.file.empty() && spec.pattern.empty()) refuse(source_, table.source(), forms);
    spec.kind = spec.file.empty() ? ProgressSpec::Kind::match : ProgressSpec::Kind::file;
    return spec;
  }

  const toml::table& table_;
  const std::string& source_;
  Task task_;
};

toml::table parsed(std::string_view text, const std::string& source) {
  try {
    return toml::parse(text, std::string_view(source));
  } catch (const toml::parse_error& e) {
    std::string why(e.description());
    while (why.ends_with('.')) why.pop_back();
    std::ranges::replace(why, '\n', ' ');
    refuse(source, e.source(), why);
  }
}

/// The tables of [[task]]; nothing else may stand in the file.
std::vector<const toml::table*> task_tables(const toml::table& root, const std::string& source) {
  std::vector<const toml::table*> tables;
  for (const auto& [key, node] : root) {
    if (key.str() != "task")
      refuse(source, key.source(),
             fmt::format("unknown key {}; a task file holds [[task]] tables",
                         core::quoted(key.str())));
    const auto* tasks = node.as_array();
    if (tasks == nullptr) refuse(source, node.source(), "tasks are written as [[task]]");
    for (const toml::node& task : *tasks) {
      tables.push_back(task.as_table());
      if (tables.back() == nullptr) refuse(source, task.source(), "a task must be a table");
    }
  }
  return tables;
}

/// Names are of one task each, those that tasks without a name have by their place included.
class Names {
 public:
  explicit Names(std::size_t before) {
    for (std::size_t number = 1; number <= before; ++number) names_.insert(std::to_string(number));
  }
  bool add(const std::string& name) { return names_.insert(name).second; }

 private:
  std::set<std::string> names_;
};

[[noreturn]] void refuse_name(const std::string& source, const toml::source_region& place,
                              const std::string& name) {
  refuse(source, place,
         fmt::format("the name {} is that of another task too{}", core::quoted(name),
                     core::parse_count(name)
                         ? ": a task without a name is called by its place in the list"
                         : ""));
}

}  // namespace

std::vector<Task> parse_toml(std::string_view text, const std::string& source, std::size_t before) {
  const toml::table root = parsed(text, source);
  Names names(before);
  std::vector<Task> tasks;
  for (const toml::table* table : task_tables(root, source)) {
    if (before + tasks.size() >= kMostTasks)
      refuse(source, table->source(), fmt::format("more than {} tasks", kMostTasks));
    tasks.push_back(TaskTable(*table, source, before + tasks.size() + 1).read());
    if (!names.add(tasks.back().name)) refuse_name(source, table->source(), tasks.back().name);
  }
  return tasks;
}

}  // namespace cosched_exec
