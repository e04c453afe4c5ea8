// SPDX-License-Identifier: BSD-3-Clause
// Finds the option of a launcher's command line that names hosts, and the program that it starts.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/launchers.hpp"

namespace core {
namespace {

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view without_dashes(std::string_view option) {
  option.remove_prefix(1);
  if (option.starts_with('-')) option.remove_prefix(1);
  return option;
}

struct OptionWord {
  bool names_hosts = false;
  std::size_t words_after = 0;  ///< that are its values
};

/// A word of Open MPI, MPICH or Intel MPI that begins with a dash.
OptionWord look_at(const Launcher& launcher, std::string_view word) {
  const std::string_view name = without_dashes(word.substr(0, word.find('=')));
  const bool glued = word.find('=') != word.npos;
  OptionWord found;
  for (const std::string_view option : launcher.host_options)
    found.names_hosts = found.names_hosts || without_dashes(option) == name;
  if (!glued && contains(launcher.one_word, name)) found.words_after = 1;
  if (!glued && contains(launcher.two_words, name)) found.words_after = 2;
  return found;
}

/// A word of srun that begins with one dash: letters up to the first that takes a value.
OptionWord look_at_letters(const Launcher& launcher, std::string_view word) {
  OptionWord found;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const std::string option = fmt::format("-{}", word[i]);
    found.names_hosts = contains(launcher.host_options, option);
    const bool takes_word = contains(launcher.one_word, word.substr(i, 1));
    // These take a value that is glued on, or none.
    const bool takes_rest = word[i] == 'I' || word[i] == 'K' || word[i] == 'k';
    if (found.names_hosts || takes_rest) return found;
    if (!takes_word) continue;
    found.words_after = i + 1 == word.size() ? 1 : 0;
    return found;
  }
  return found;
}

/// A long option of srun, which may be cut short as long as it is the only one that fits.
OptionWord look_at_long(const Launcher& launcher, std::string_view word) {
  const auto equals = word.find('=');
  const std::string_view written = word.substr(0, equals);
  OptionWord found;
  if (contains(launcher.one_word, written.substr(2))) {
    found.words_after = equals == word.npos ? 1 : 0;
    return found;
  }
  constexpr std::array<std::string_view, 4> kShortest{"--nodel", "--nodef", "--nodes", "--exclude"};
  for (const std::string_view option : launcher.host_options)
    for (const std::string_view shortest : kShortest)
      found.names_hosts =
          found.names_hosts || (option.starts_with(written) && written.starts_with(shortest));
  return found;
}

bool is_option(std::string_view word) { return word.size() >= 2 && word[0] == '-' && word != "--"; }

OptionWord option_word(const Launcher& launcher, std::string_view word) {
  if (launcher.kind != LauncherKind::srun) return look_at(launcher, word);
  return word[1] == '-' ? look_at_long(launcher, word) : look_at_letters(launcher, word);
}

}  // namespace

std::size_t program_place(const Launcher& launcher, std::span<const std::string> args) {
  std::size_t i = 0;
  while (i < args.size() && is_option(args[i])) i += 1 + option_word(launcher, args[i]).words_after;
  return std::min(i, args.size());
}

std::optional<std::string> host_option_in(const Launcher& launcher,
                                          std::span<const std::string> args) {
  const bool is_srun = launcher.kind == LauncherKind::srun;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string_view word = args[i];
    if (!is_option(word)) {
      if (is_srun) return std::nullopt;
      // The program; a further part of the job begins after a colon.
      while (i < args.size() && args[i] != ":") ++i;
      continue;
    }
    const OptionWord found = option_word(launcher, word);
    if (found.names_hosts) return args[i];
    i += found.words_after;
  }
  return std::nullopt;
}

}  // namespace core
