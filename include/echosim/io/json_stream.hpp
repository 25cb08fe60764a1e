// SPDX-License-Identifier: MIT
// RFC 8259 as a stream of tokens pulled from a chunked source: memory is one buffer, as large as the longest token
// asks. Strings are decoded in place (decoding never grows them), numbers stay text.
#pragma once
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "byte_source.hpp"
#include "json_mistakes.hpp"
#include "shown.hpp"
#include "utf8.hpp"

namespace echosim::inline v0 {

enum class json_token : u8 { object, object_end, array, array_end, key, string, number, yes, no, null, end, error };

struct json_limits {
  u32 depth = 512;                           ///< nested objects and arrays
  std::size_t token = std::size_t{1} << 28;  ///< bytes of one string or number
};

/// Strict: no comments, trailing commas, NaN, lone surrogates (they have no UTF-8), invalid UTF-8, nor bytes after the
/// value. A UTF-8 byte order mark at the start is skipped. Names may repeat within an object: the caller decides.
template <byte_source Source>
class json_stream {
 public:
  explicit json_stream(Source source, json_limits limits = {}, std::size_t buffer = std::size_t{1} << 18)
      : source_{std::move(source)}, limits_{limits}, buffer_(buffer < 64 ? 64 : buffer) {
    buffer_[0] = '\0';
  }

  /// The next token; a key has its colon behind it already. After `end` and `error` the answer stays the same.
  [[nodiscard]] json_token next() {
    if (last_ == json_token::error || last_ == json_token::end) return last_;
    return last_ = step();
  }
  /// Text of a key, string or number until the next call of next() or skip().
  [[nodiscard]] std::string_view text() const { return {buffer_.data() + begin_, length_}; }
  /// Passes over the rest of the value that `opened` began, checking it. Null text tokens are passed already.
  [[nodiscard]] json_token skip(json_token opened) {
    if (opened != json_token::object && opened != json_token::array) return opened;
    const std::size_t outer = open_.size() - 1;
    json_token t = opened;
    while (t != json_token::error && open_.size() != outer) t = next();
    return t;
  }
  /// Passes over the next value, whatever it is.
  json_token skip_value() { return skip(next()); }

  [[nodiscard]] const error& why() const { return why_; }
  /// Where the last token began.
  [[nodiscard]] place at() const { return token_; }
  /// Bytes consumed so far.
  [[nodiscard]] u64 consumed() const { return base_ + at_; }
  /// Ends the stream with an error of the caller's at the last token: what is found and what is expected instead.
  json_token fail(const std::string& found_expected) {
    why_ = {shown(token_) + ": " + found_expected};
    return last_ = json_token::error;
  }

 private:
  enum class state : u8 { start, value, first_item, first_member, after };

  json_token step() {
    if (state_ == state::start) {
      (void)ahead(3);
      if (std::memcmp(buffer_.data() + at_, "\xEF\xBB\xBF", 3) == 0 && end_ - at_ >= 3) at_ += 3;
      state_ = state::value;
    }
    begin_ = at_;
    length_ = 0;
    if (!skip_space()) return json_token::error;
    begin_ = at_;
    mark();
    const char c = buffer_[at_];
    switch (state_) {
      case state::after:
        if (open_.empty())
          return at_ == end_ ? json_token::end
                             : refused("an end after the value", "remove what follows, or give one value a file");
        if (c == ',') {
          ++at_;
          if (!skip_space()) return json_token::error;
          begin_ = at_;
          mark();
          if (buffer_[at_] == ']' || buffer_[at_] == '}')
            return refused("another element after ','", "remove the trailing comma");
          return open_.back() == '{' ? member() : value();
        }
        if ((c == '}' || c == ']') && c == open_.back() + 2) return close();
        return refused(open_.back() == '{' ? "',' or '}'" : "',' or ']'",
                       "separate the elements, or close what is open");
      case state::first_item:
        if (c == ']') return close();
        return value();
      case state::first_member:
        if (c == '}') return close();
        return member();
      default: return value();
    }
  }

  json_token close() {
    const json_token t = open_.back() == '{' ? json_token::object_end : json_token::array_end;
    open_.pop_back();
    ++at_;
    state_ = state::after;
    return t;
  }

  json_token member() {
    if (buffer_[at_] != '"') return refused("a name in double quotes", "quote the name");
    if (!string()) return json_token::error;
    if (!skip_space()) return json_token::error;
    if (buffer_[at_] != ':') return refused("':' after a name", "write \"name\": value");
    ++at_;
    state_ = state::value;
    return json_token::key;
  }

  json_token value() {
    const char c = buffer_[at_];
    switch (c) {
      case '{':
      case '[':
        if (open_.size() >= limits_.depth)
          return refused("at most " + std::to_string(limits_.depth) + " levels of nesting",
                         "give a flatter file or raise json_limits::depth");
        open_.push_back(c);
        ++at_;
        state_ = c == '{' ? state::first_member : state::first_item;
        return c == '{' ? json_token::object : json_token::array;
      case '"': state_ = state::after; return string() ? json_token::string : json_token::error;
      case 't': return word("true", json_token::yes);
      case 'f': return word("false", json_token::no);
      case 'n': return word("null", json_token::null);
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': state_ = state::after; return number();
      default: (void)ahead(9); return refused("a value", json_mistake({buffer_.data() + at_, end_ - at_}));
    }
  }

  json_token word(std::string_view w, json_token t) {
    if (ahead(w.size()) && std::memcmp(buffer_.data() + at_, w.data(), w.size()) == 0) {
      at_ += w.size();
      state_ = state::after;
      return t;
    }
    const bool nan = buffer_[at_] == 'n' && at_ + 2 < end_ && buffer_[at_ + 1] == 'a';
    return refused("a value", nan ? "JSON has no NaN: write null or a number" : "write true, false or null in full");
  }

  char peek() {  // '\0' at the end; a NUL byte of the text is no part of any token either
    if (at_ == end_) (void)refill();
    return buffer_[at_];
  }
  bool digits() {
    const u64 before = base_ + at_;
    for (char c = peek(); c >= '0' && c <= '9'; c = peek()) ++at_;
    return base_ + at_ != before;
  }
  json_token number() {
    if (buffer_[at_] == '-') {
      ++at_;
      if (peek() == 'I') return refused("a digit after '-'", "JSON has no Infinity: write null or a number");
    }
    if (peek() == '0') {
      ++at_;
      const char after_zero = peek();
      if (after_zero >= '0' && after_zero <= '9')
        return refused("no digit after a leading 0", "remove the leading zero");
    } else if (!digits()) {
      return refused("a digit after '-'", "complete the number");
    }
    if (peek() == '.') {
      ++at_;
      if (!digits()) return refused("a digit after '.'", "complete the number");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits()) return refused("a digit in the exponent", "complete the number");
    }
    if (failed_) return json_token::error;
    length_ = at_ - begin_;
    return json_token::number;
  }

  /// Bytes that end the fast path of a string: quote, backslash, control, not ASCII.
  static bool plain(u64 w) {
    const u64 ones = 0x0101010101010101, high = 0x8080808080808080;
    const u64 quote = w ^ (ones * '"'), slash = w ^ (ones * '\\');
    return (((w - ones * 0x20) | w | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & high) == 0;
  }

  bool string() {
    ++at_;
    begin_ = at_;
    std::size_t to = 0;  // decoded bytes, relative to begin_ (refill moves begin_)
    for (;;) {
      const std::size_t run = at_;
      u64 w = 0;
      while (end_ - at_ >= 8 && (std::memcpy(&w, buffer_.data() + at_, 8), plain(w))) at_ += 8;
      while (is_plain(buffer_[at_])) ++at_;
      if (run != begin_ + to) std::memmove(buffer_.data() + begin_ + to, buffer_.data() + run, at_ - run);
      to += at_ - run;
      const auto c = static_cast<unsigned char>(buffer_[at_]);
      if (c == '"') {
        length_ = to;
        ++at_;
        return true;
      }
      if (c == '\\') {
        if (!escape(to)) return false;
      } else if (c >= 0x80) {
        if (!sequence(to)) return false;
      } else if (at_ != end_) {
        return (void)refused("a string without control bytes", "write \\n, \\t or \\u00XX"), false;
      } else if (!refill()) {
        return (void)refused("'\"' that closes the string of byte " + std::to_string(token_.byte),
                             "the file is cut off; complete it"),
               false;
      }
    }
  }
  static bool is_plain(char c) {
    const auto b = static_cast<unsigned char>(c);
    return b >= 0x20 && b < 0x80 && b != '"' && b != '\\';
  }

  bool escape(std::size_t& to) {
    if (!ahead(2)) return (void)refused("a character after '\\'", "the file is cut off; complete it"), false;
    char c = buffer_[at_ + 1];
    switch (c) {
      case '"':
      case '\\':
      case '/': break;
      case 'b': c = '\b'; break;
      case 'f': c = '\f'; break;
      case 'n': c = '\n'; break;
      case 'r': c = '\r'; break;
      case 't': c = '\t'; break;
      case 'u': return unicode(to);
      default:
        return ++at_, (void)refused("one of \" \\ / b f n r t u after '\\'", "write \\\\ for a backslash"), false;
    }
    buffer_[begin_ + to++] = c;
    at_ += 2;
    return true;
  }
  /// Four hexadecimal digits behind at_ + 2, or a value above 0xFFFF.
  u32 hex4() {
    if (!ahead(6)) return ~u32{0};
    u32 code = 0;
    for (std::size_t i = 2; i < 6; ++i) {
      const char c = buffer_[at_ + i];
      const int d = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
      if (d < 0) return ~u32{0};
      code = code * 16 + static_cast<u32>(d);
    }
    return code;
  }
  bool unicode(std::size_t& to) {
    u32 code = hex4();
    if (code > 0xFFFF) return (void)refused("four hexadecimal digits after \\u", "write \\uXXXX"), false;
    if (code >= 0xDC00 && code < 0xE000) return (void)lone(), false;
    if (code >= 0xD800 && code < 0xDC00) {
      const bool follows = ahead(8) && buffer_[at_ + 6] == '\\' && buffer_[at_ + 7] == 'u';
      if (!follows) return (void)lone(), false;
      at_ += 6;
      const u32 low = hex4();
      if (low < 0xDC00 || low > 0xDFFF) return (void)lone(), false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    at_ += 6;
    to += put_utf8(buffer_.data() + begin_ + to, code);
    return true;
  }
  json_token lone() { return refused("a pair of surrogates \\uD8XX\\uDCXX", "half a pair is no character: remove it"); }

  bool sequence(std::size_t& to) {
    const std::size_t n = utf8_size(static_cast<unsigned char>(buffer_[at_]));
    if (n == 0 || !ahead(n) || utf8_length({buffer_.data() + at_, n}) != n)
      return (void)refused("UTF-8", "convert the file to UTF-8"), false;
    std::memmove(buffer_.data() + begin_ + to, buffer_.data() + at_, n);
    to += n;
    at_ += n;
    return true;
  }

  bool skip_space() {
    for (;;) {
      const char c = buffer_[at_];
      if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '\n') {
        ++line_;
        line_start_ = base_ + ++at_;
      } else if (at_ != end_) {
        return true;
      } else {
        if (length_ == 0) begin_ = at_;  // no token to keep while the gap is passed
        if (!refill()) return !failed_;
      }
    }
  }

  [[nodiscard]] place here() const { return {line_, base_ + at_ - line_start_ + 1, base_ + at_}; }
  void mark() { token_ = here(); }

  json_token refused(const std::string& expected, const char* remedy_text) {
    if (failed_) return last_ = json_token::error;
    const std::string found = at_ < end_ ? shown(buffer_[at_]) : "the end of the text";
    why_ = {shown(here()) + ": found " + found + "; expected " + expected + "; " + remedy_text};
    failed_ = true;
    return last_ = json_token::error;
  }

  /// At least n bytes from at_ on, if the text has them.
  bool ahead(std::size_t n) {
    while (end_ - at_ < n)
      if (!refill()) return false;
    return true;
  }
  /// Keeps [begin_, end_), moved to the front, and reads more behind it. False at the end of the text.
  bool refill() {
    if (over_ || failed_) return false;
    if (begin_ != 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      base_ += begin_;
      at_ -= begin_;
      end_ -= begin_;
      begin_ = 0;
      buffer_[end_] = '\0';
    }
    if (end_ + 1 >= buffer_.size()) {
      if (buffer_.size() > limits_.token) {
        (void)refused("a token of at most " + std::to_string(limits_.token) + " bytes",
                      "give a smaller one or raise json_limits::token");
        return false;
      }
      buffer_.resize(2 * buffer_.size());
    }
    const std::ptrdiff_t n = source_.read(buffer_.data() + end_, buffer_.size() - 1 - end_);
    if (n <= 0) {
      over_ = true;
      if (n < 0) {
        failed_ = true;
        why_ = {shown(here()) + ": reading failed (" + std::strerror(errno) +
                "); expected more bytes; give a readable file"};
        last_ = json_token::error;
      }
      return false;
    }
    end_ += static_cast<std::size_t>(n);
    buffer_[end_] = '\0';
    return true;
  }

  Source source_;
  json_limits limits_;
  std::vector<char> buffer_;
  std::vector<char> open_;
  std::size_t begin_ = 0, at_ = 0, end_ = 0, length_ = 0;
  u64 base_ = 0, line_ = 1, line_start_ = 0;
  place token_;
  error why_;
  json_token last_ = json_token::null;
  state state_ = state::start;
  bool over_ = false, failed_ = false;
};

}  // namespace echosim::inline v0
