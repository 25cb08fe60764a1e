// SPDX-License-Identifier: MIT
#include "echosim/io/json_stream.hpp"

#include <string>

#include "catch.hpp"

using namespace echosim;

namespace {

/// The same object over and over, and never in memory at once.
struct endless_source {
  std::string_view unit;
  u64 left;
  std::size_t at = 0;
  std::ptrdiff_t read(char* into, std::size_t room) {
    std::size_t n = 0;
    for (; n < room && left != 0; ++n) {
      into[n] = unit[at];
      if (++at == unit.size()) at = 0, --left;
    }
    return static_cast<std::ptrdiff_t>(n);
  }
};
struct broken_source {
  int calls = 0;
  std::ptrdiff_t read(char* into, std::size_t) {
    if (calls++ != 0) return -1;
    into[0] = '[';
    return 1;
  }
};

}  // namespace

TEST_CASE("tokens come in the order of the text and keep their bytes") {
  json_stream in{text_source{"{\"a\": [1, \"b\\n\"], \"c\": null}"}};
  CHECK(in.next() == json_token::object);
  CHECK(in.next() == json_token::key);
  CHECK(in.text() == "a");
  CHECK(in.next() == json_token::array);
  CHECK(in.next() == json_token::number);
  CHECK(in.text() == "1");
  CHECK(in.next() == json_token::string);
  CHECK(in.text() == "b\n");
  CHECK(in.next() == json_token::array_end);
  CHECK(in.next() == json_token::key);
  CHECK(in.next() == json_token::null);
  CHECK(in.next() == json_token::object_end);
  CHECK(in.next() == json_token::end);
  CHECK(in.next() == json_token::end);
}

TEST_CASE("a value that nobody wants is passed over and still checked") {
  json_stream good{text_source{"[{\"a\":[1,{\"b\":[]}]}, 7]"}};
  CHECK(good.next() == json_token::array);
  CHECK(good.skip_value() == json_token::object_end);
  CHECK(good.next() == json_token::number);
  CHECK(good.text() == "7");
  json_stream bad{text_source{"[{\"a\":[1,{\"b\":[}]}, 7]"}};
  CHECK(bad.next() == json_token::array);
  CHECK(bad.skip_value() == json_token::error);
  CHECK(bad.why().what.find("line 1, column 16") == 0);
  CHECK(bad.next() == json_token::error);
}

TEST_CASE("sixteen megabytes pass through a buffer of 64 bytes") {
  json_stream in{endless_source{"1234567,[\"0123456789abcdef\"],", 600'000}, {}, 64};
  u64 tokens = 0;
  json_stream wrapped{endless_source{"[\"0123456789\\u00e9\"]\n", 1}, {}, 64};
  CHECK(wrapped.next() == json_token::array);
  CHECK(wrapped.next() == json_token::string);
  CHECK(wrapped.text() == "0123456789\xC3\xA9");
  CHECK(in.next() == json_token::number);  // a bare number is a whole text; what follows is refused
  CHECK(in.next() == json_token::error);
  struct list_source {
    endless_source inner;
    bool opened = false;
    std::ptrdiff_t read(char* into, std::size_t room) {
      if (!opened) return opened = true, into[0] = '[', 1;
      return inner.read(into, room);
    }
  };
  json_stream list{list_source{{"1234567,[\"0123456789abcdef\"],", 600'000}}, {}, 64};
  json_token t = list.next();
  while (t != json_token::end && t != json_token::error) ++tokens, t = list.next();
  CHECK(t == json_token::error);  // the text ends behind a comma
  CHECK(tokens == 1 + 600'000 * 4);
  CHECK(list.consumed() == 1 + 600'000u * 29);
  CHECK(list.why().what.find("the end of the text") != std::string::npos);
}

TEST_CASE("a source that fails ends in an error, not in the end of the text") {
  json_stream in{broken_source{}};
  CHECK(in.next() == json_token::array);
  CHECK(in.next() == json_token::error);
  CHECK(in.why().what.find("reading failed") != std::string::npos);
}
