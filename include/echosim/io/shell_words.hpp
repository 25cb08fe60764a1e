// SPDX-License-Identifier: MIT
// The words of a launch script after quotes, comments, line continuations and variables: enough of a shell to find a
// program's arguments, and nothing is ever run.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text_lines.hpp"

namespace echosim::inline v0 {

struct shell_word {
  std::string text;  ///< variables replaced where the script gives them a value
  u64 line = 0;
  bool certain = true;   ///< false inside if, case and loops
  bool complete = true;  ///< false where a variable, a command or arithmetic stayed unknown
};

namespace detail {

class shell_reader {
 public:
  explicit shell_reader(std::string_view text) : text_{text} {}

  std::vector<shell_word> read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++at_, ++line_;
        if (!here_document_.empty()) skip_here_document();
        start_ = true;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '\\' && peek(1) == '\n') {
        at_ += 2, ++line_;
      } else if (c == '#') {
        comment();
      } else if (c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
        ++at_;
        start_ = true;
      } else if (c == '<' || c == '>') {
        redirection();
      } else {
        word();
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  /// Slurm reads some comments: the number of nodes is a variable of every job.
  void comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    if (line.substr(0, 7) == "#SBATCH")
      for (std::string_view w : words_of(line.substr(7)))
        if (w.substr(0, 8) == "--nodes=")
          for (const char* name : {"SLURM_NNODES", "SLURM_JOB_NUM_NODES"})
            variables_[name] = {std::string{w.substr(8)}, line_, true, true};
    at_ = end;
  }
  void redirection() {
    if (text_[at_] == '<' && peek(1) == '<' && peek(2) != '<') {
      at_ += peek(2) == '-' ? 3 : 2;
      while (peek(0) == ' ') ++at_;
      while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != ' ' && text_[at_] != '>') {
        if (text_[at_] != '\'' && text_[at_] != '"') here_document_ += text_[at_];
        ++at_;
      }
      return;
    }
    ++at_;
  }
  void skip_here_document() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const std::vector<std::string_view> words = words_of(text_.substr(at_, end - at_));
      at_ = std::min(end + 1, text_.size());
      ++line_;
      if (words.size() == 1 && words[0] == here_document_) break;
    }
    here_document_.clear();
  }

  static bool name_part(char c, bool first) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (!first && c >= '0' && c <= '9');
  }

  /// One word, or one assignment at the start of a command.
  void word() {
    const std::size_t from = at_;
    std::size_t name_end = at_;
    while (name_end < text_.size() && name_part(text_[name_end], name_end == from)) ++name_end;
    const bool assigns = name_end != from && name_end < text_.size() &&
                         (text_[name_end] == '=' ||
                          (text_[name_end] == '+' && name_end + 1 < text_.size() && text_[name_end + 1] == '='));
    const std::string name{text_.substr(from, name_end - from)};
    if (assigns && start_) {
      const bool appends = text_[name_end] == '+';
      at_ = name_end + (appends ? 2 : 1);
      if (peek(0) == '(') {  // the words of an array stand for themselves
        ++at_;
        return;
      }
      shell_word value = read_word();
      if (appends) value.text = variables_[name].text + value.text;
      value.certain = depth_ == 0;
      if (const auto known = variables_.find(name);
          depth_ != 0 && known != variables_.end() && known->second.text != value.text)
        value.complete = false;
      variables_[name] = value;
      if (value.text.find("--") != std::string::npos) push(std::move(value));
      return;
    }
    shell_word w = read_word();
    if (start_ && w.text == "export") return;
    if (w.text == "if" || w.text == "case" || w.text == "for" || w.text == "while") depth_ += start_ ? 1 : 0;
    if ((w.text == "fi" || w.text == "esac" || w.text == "done") && start_ && depth_ > 0) --depth_;
    start_ = w.text == "then" || w.text == "else" || w.text == "do";
    w.certain = depth_ == 0;
    push(std::move(w));
  }
  /// A quoted text that holds several arguments is as many words.
  void push(shell_word w) {
    if (w.text.find_first_of(" \t\n") == std::string::npos || w.text.find("--") == std::string::npos) {
      out_.push_back(std::move(w));
      return;
    }
    for (std::string_view part : words_of(w.text)) out_.push_back({std::string{part}, w.line, w.certain, w.complete});
  }

  shell_word read_word() {
    shell_word w;
    w.line = line_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';' || c == '&' || c == '|' || c == ')' || c == '(' ||
          c == '<' || c == '>')
        break;
      if (c == '\'') {
        const std::size_t end = std::min(text_.find('\'', at_ + 1), text_.size());
        for (char q : text_.substr(at_ + 1, end - at_ - 1)) w.text += q, line_ += q == '\n' ? 1 : 0;
        at_ = std::min(end + 1, text_.size());
      } else if (c == '"') {
        ++at_;
        while (at_ < text_.size() && text_[at_] != '"') {
          if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
            if (text_[at_ + 1] == '\n')
              ++line_;
            else
              w.text += text_[at_ + 1];
            at_ += 2;
          } else if (text_[at_] == '$') {
            expand(w);
          } else {
            line_ += text_[at_] == '\n' ? 1 : 0;
            w.text += text_[at_++];
          }
        }
        ++at_;
      } else if (c == '\\') {
        if (peek(1) == '\n')
          ++line_;
        else if (peek(1) != '\0')
          w.text += peek(1);
        at_ = std::min(at_ + 2, text_.size());
      } else if (c == '$') {
        expand(w);
      } else if (c == '`') {
        const std::size_t end = std::min(text_.find('`', at_ + 1), text_.size());
        at_ = std::min(end + 1, text_.size());
        w.complete = false;
      } else {
        w.text += c;
        ++at_;
      }
    }
    return w;
  }

  /// $NAME, ${NAME}, ${NAME:-otherwise}, $((a*b)); all else stays unknown.
  void expand(shell_word& w) {
    ++at_;
    if (peek(0) == '(') return parenthesis(w);
    const bool braces = peek(0) == '{';
    if (braces) ++at_;
    const std::size_t from = at_;
    while (at_ < text_.size() && name_part(text_[at_], at_ == from)) ++at_;
    std::string name{text_.substr(from, at_ - from)};
    if (name.empty() && at_ < text_.size() && !braces) ++at_;  // $1, $?, $@
    std::optional<std::string> otherwise;
    if (braces) {
      std::size_t end = at_;
      unsigned open = 1;
      while (end < text_.size() && open != 0) {
        if (text_[end] == '{') ++open;
        if (text_[end] == '}') --open;
        line_ += text_[end] == '\n' ? 1 : 0;
        ++end;
      }
      const std::string_view rest = text_.substr(at_, end - at_ - (open == 0 ? 1 : 0));
      if (rest.substr(0, 2) == ":-") {
        otherwise = std::string{rest.substr(2)};
        while (!otherwise->empty() && (otherwise->front() == '"' || otherwise->front() == '\'')) otherwise->erase(0, 1);
        while (!otherwise->empty() && (otherwise->back() == '"' || otherwise->back() == '\'')) otherwise->pop_back();
      }
      at_ = end;
      if (rest.substr(0, 1) == "[") return;  // the elements of an array stand where the array is defined
    }
    const auto known = variables_.find(name);
    if (known != variables_.end()) {
      if (known->second.text.find("--") != std::string::npos) return;  // its arguments are words already
      w.text += known->second.text;
      w.complete = w.complete && known->second.complete;
    } else if (otherwise && otherwise->find('$') == std::string::npos) {
      w.text += *otherwise;
    } else {
      w.complete = false;
    }
  }
  void parenthesis(shell_word& w) {
    const std::size_t from = at_;
    unsigned open = 0;
    do {
      if (text_[at_] == '(') ++open;
      if (text_[at_] == ')') --open;
      line_ += text_[at_] == '\n' ? 1 : 0;
      ++at_;
    } while (at_ < text_.size() && open != 0);
    const std::string_view inside = text_.substr(from, at_ - from);
    const std::optional<i64> v =
        inside.size() > 4 && inside.substr(0, 2) == "((" ? product(inside.substr(2, inside.size() - 4)) : std::nullopt;
    if (v) w.text += std::to_string(*v);
    w.complete = w.complete && v.has_value();
  }
  /// Numbers and variables joined by '*'.
  std::optional<i64> product(std::string_view text) {
    i64 all = 1;
    while (true) {
      const std::size_t end = std::min(text.find('*'), text.size());
      std::string_view factor = text.substr(0, end);
      while (!factor.empty() && (factor.front() == ' ' || factor.front() == '$' || factor.front() == '{'))
        factor.remove_prefix(1);
      while (!factor.empty() && (factor.back() == ' ' || factor.back() == '}')) factor.remove_suffix(1);
      std::optional<i64> v = whole_number(factor);
      if (const auto known = variables_.find(std::string{factor});
          !v && known != variables_.end() && known->second.complete)
        v = whole_number(known->second.text);
      if (!v || *v <= 0 || all > (i64{1} << 40) / *v) return std::nullopt;
      all *= *v;
      if (end == text.size()) return all;
      text.remove_prefix(end + 1);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  u64 line_ = 1;
  unsigned depth_ = 0;
  bool start_ = true;
  std::string here_document_;
  std::map<std::string, shell_word> variables_;
  std::vector<shell_word> out_;
};

}  // namespace detail

/// The words of a script or an argument list, in order; what stands in arrays and quoted lists is taken where it is
/// written.
[[nodiscard]] inline std::vector<shell_word> shell_words(std::string_view text) {
  return detail::shell_reader{text}.read();
}

}  // namespace echosim::inline v0
