// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cosched_exec {

namespace {

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<std::vector<std::string>> split() {
    while (at_ < text_.size()) take(text_[at_++]);
    end_command();
    return std::move(commands_);
  }

 private:
  void take(char c) {
    switch (c) {
      case '\'':
      case '"':
        return quoted(c);
      case '\\':
        return literal();
      case ' ':
      case '\t':
        return end_word();
      case '<':
      case '>':
        return redirection();
      case '\n':
      case ';':
      case '&':
      case '|':
      case '(':
      case ')':
        return end_command();
      case '#':
        if (!in_word_) return comment();
        break;
      default:
        break;
    }
    add(c);
  }
  void add(char c) {
    word_ += c;
    in_word_ = true;
  }
  void literal() {
    if (at_ < text_.size()) add(text_[at_++]);
  }
  void quoted(char end) {
    in_word_ = true;
    while (at_ < text_.size() && text_[at_] != end) {
      if (end == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      word_ += text_[at_++];
    }
    ++at_;
  }
  void comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  /// The descriptor before it and the file after it are no words of the command.
  void redirection() {
    if (word_.find_first_not_of("0123456789") == std::string::npos) drop_word();
    end_word();
    at_ = std::min(text_.find_first_not_of("<>&|", at_), text_.size());
    skip_next_ = true;
  }
  void drop_word() {
    word_.clear();
    in_word_ = false;
  }
  void end_word() {
    if (!in_word_) return;
    if (!skip_next_) words_.push_back(word_);
    skip_next_ = false;
    drop_word();
  }
  void end_command() {
    end_word();
    skip_next_ = false;
    if (!words_.empty()) commands_.push_back(std::exchange(words_, {}));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false, skip_next_ = false;
  std::vector<std::string> words_;
  std::vector<std::vector<std::string>> commands_;
};

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
}

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// Or a terminal.
bool breaks_a_line(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

}  // namespace

std::vector<std::vector<std::string>> simple_commands(std::string_view text) {
  return Splitter(text).split();
}

std::string shell_text(const std::vector<std::string>& argv) {
  std::string text;
  for (const std::string& word : argv) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::string one_line(const std::string& text) {
  if (std::ranges::none_of(text, breaks_a_line)) return text;
  std::string quoted = "$'";
  for (const char c : text) {
    if (breaks_a_line(c))
      quoted += c == '\n' ? "\\n" : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace cosched_exec
