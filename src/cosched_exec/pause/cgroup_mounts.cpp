// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/pause/cgroup_mounts.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

namespace cosched_exec {

namespace {

bool lists(std::string_view names, std::string_view name) {
  for (std::size_t comma = 0; comma != std::string_view::npos; names.remove_prefix(comma + 1)) {
    comma = names.find(',');
    if (names.substr(0, comma) == name) return true;
    if (comma == std::string_view::npos) return false;
  }
  return false;
}

/// "\040" and the like, as mountinfo writes blanks.
std::string unescape(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped =
        text[i] == '\\' && i + 3 < text.size() &&
        std::all_of(&text[i + 1], &text[i + 4], [](char c) { return c >= '0' && c <= '7'; });
    plain += escaped ? static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8)) : text[i];
    if (escaped) i += 3;
  }
  return plain;
}

struct Mount {
  std::string root, folder, type, options;
};

/// "31 23 0:28 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw,nsdelegate".
Mount parse_mount(const std::string& line) {
  std::istringstream words(line);
  Mount mount;
  std::string word;
  words >> word >> word >> word >> mount.root >> mount.folder;
  while (words >> word && word != "-") {
  }
  words >> mount.type >> word >> mount.options;
  mount.root = unescape(mount.root);
  mount.folder = unescape(mount.folder);
  return mount;
}

/// The rest of `path` below `root`; none when it is not there.
std::optional<std::string> below(const std::string& path, const std::string& root) {
  if (root == "/") return path == "/" ? "" : path;
  if (path == root) return "";
  if (path.starts_with(root + "/")) return path.substr(root.size());
  return std::nullopt;
}

}  // namespace

/// Lines "8:pids,cpu:/path"; "0::/path" is that of v2.
std::string own_path(std::string_view controller, std::string_view cgroup) {
  std::istringstream lines{std::string(cgroup)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t names = line.find(':'), path = line.find(':', names + 1);
    if (names == std::string::npos || path == std::string::npos) continue;
    const std::string_view listed = std::string_view(line).substr(names + 1, path - names - 1);
    if (controller.empty() ? listed.empty() : lists(listed, controller))
      return line.substr(path + 1);
  }
  return {};
}

std::string own_group(std::string_view controller, std::string_view cgroup,
                      std::string_view mountinfo) {
  const std::string path = own_path(controller, cgroup);
  if (path.empty()) return {};
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    const Mount mount = parse_mount(line);
    const bool right = controller.empty()
                           ? mount.type == "cgroup2"
                           : mount.type == "cgroup" && lists(mount.options, controller);
    if (!right) continue;
    if (const auto rest = below(path, mount.root)) return mount.folder + *rest;
  }
  return {};
}

}  // namespace cosched_exec
