// SPDX-License-Identifier: MIT
// Conformance after RFC 8259: what must be accepted, what must be refused, and what the RFC leaves open, as decided
// here.
#include "echosim/io/json.hpp"

#include <cstdint>
#include <string>

#include "catch.hpp"
#include "echosim/io/json_write.hpp"
#include "mutated.hpp"

using namespace echosim;
using namespace std::string_literals;

namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

void write(json_writer& w, const json& v) {
  if (v.null()) w.null();
  if (const auto b = v.boolean()) w.value(*b);
  if (v.number() != nullptr) {
    if (const auto i = v.integer())
      w.value(*i);
    else if (const auto u = v.whole())
      w.value(*u);
    else
      w.value(*v.real());
  }
  if (v.string() != nullptr) w.value(*v.string());
  if (const json::array* a = v.items()) {
    w.array();
    for (const json& i : *a) write(w, i);
    w.end();
  }
  if (const json::object* o = v.members()) {
    w.object();
    for (const json::member& m : *o) {
      w.key(m.name);
      write(w, m.value);
    }
    w.end();
  }
}
std::string written(const json& v) {
  std::string out;
  json_writer w{out};
  write(w, v);
  CHECK(w.done());
  return out;
}
std::string why(std::string_view text) {
  const result<json> r = parse_json(text);
  REQUIRE_FALSE(r);
  return r.why().what;
}

}  // namespace

TEST_CASE("every text that RFC 8259 allows is read") {
  const std::string text = GENERATE(
      "[]"s, "{}"s, "[[]   ]"s, "[\"\"]"s, "[false]"s, "[null, 1, \"1\", {}]"s, "null"s, "true"s, "42"s, "-0"s,
      "\"x\""s, " \t\r\n[1]\n"s, "[0e+1]"s, "[0e1]"s, "[1E22]"s, "[1E-2]"s, "[1E+2]"s, "[123e45]"s, "[123.456e78]"s,
      "[-0]"s, "[-1]"s, "[0.1]"s, "[1e0]"s, "[-123.456]"s, "[\"\\u0060\\u012a\\u12AB\"]"s, "[\"\\uD801\\udc37\"]"s,
      "[\"\\ud83d\\ude39\"]"s, "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"s, "[\"\\\\u0000\"]"s, "[\"\\u0000\"]"s,
      "[\"a/*b*/c\"]"s, "[\"\x7f\"]"s, "[\"\xE2\x82\xAC\"]"s, "[\"\xF4\x8F\xBF\xBF\"]"s, "[\"\xEF\xBF\xBF\"]"s,
      "[\"\xC2\x80\"]"s, "[\"\xF0\x90\x80\x80\"]"s, "{\"\":0}"s, "{\"a\":[]}"s, "{\"a\\u0000b\": 1}"s,
      "{\"a\":1,\"b\":{\"a\":2}}"s, "[1 \n]"s, "[2] "s, "{\"x\":\n1}"s);
  CAPTURE(text);
  const result<json> r = parse_json(text);
  if (!r) UNSCOPED_INFO(r.why().what);
  CHECK(r);
}

TEST_CASE("every text that RFC 8259 forbids is refused with its place") {
  const std::string text = GENERATE(
      ""s, " "s, "[1 true]"s, "[\"\": 1]"s, "[\"\"],"s, "[,1]"s, "[1,,2]"s, "[\"x\"]]"s, "[1,]"s, "[1"s, "[x"s,
      "[3[4]]"s, "[,]"s, "[-]"s, "[ , \"\"]"s, "[\"a\",\n4\n,1,"s, "[*]"s, "[\"\""s, "[fals]"s, "[nul]"s, "[tru]"s,
      "tru"s, "[truely]"s, "[++1]"s, "[+1]"s, "[+Inf]"s, "[-01]"s, "[-1.0.]"s, "[-2.]"s, "[-NaN]"s, "[.-1]"s,
      "[.2e-3]"s, "[0.1.2]"s, "[0.3e+]"s, "[0.3e]"s, "[0.e1]"s, "[0E+]"s, "[0e]"s, "[1.0e+]"s, "[1.0e-]"s, "[1eE2]"s,
      "[2.e3]"s, "[9.e+]"s, "[Inf]"s, "[NaN]"s, "[nan]"s, "[Infinity]"s, "[-Infinity]"s, "[1+2]"s, "[0x1]"s, "[0x42]"s,
      "[- 1]"s, "[-012]"s, "[012]"s, "[-.123]"s, "[1.]"s, "[1 000.0]"s, "[.123]"s, "[1.8011670033376514H-308]"s,
      "[1.2a-3]"s, "[-a]"s, "[1ea]"s, "[-1x]"s, "{\"a\": true} \"x\""s, "{[: \"x\"}"s, "{\"x\", null}"s,
      "{\"x\"::\"b\"}"s, "{\"a\":\"a\" 123}"s, "{key: 'value'}"s, "{\"a\" b}"s, "{:\"b\"}"s, "{\"a\""s, "{\"a\":"s,
      "{1:1}"s, "{null:null,null:null}"s, "{\"id\":0,,,,,}"s, "{'a':0}"s, "{\"id\":0,}"s, "{\"a\":\"b\"}/**/"s,
      "{\"a\":\"b\"}#"s, "{\"a\":\"b\",,\"c\":\"d\"}"s, "{a: \"b\"}"s, "{\"a\":\"a"s, "[\"\\x00\"]"s, "[\"\\\\\\\"]"s,
      "[\"\\\t\"]"s, "[\"\\a\"]"s, "[\"\\u\"]"s, "[\"\\u00A\"]"s, "[\"\\uqqqq\"]"s, "[\\n]"s, "\""s,
      "['single quote']"s, "abc"s, "[\"\\"s, "[\"a\nb\"]"s, "[\"\t\"]"s, "[\"a\0b\"]"s, "[\0]"s, "\"x\""s + "\0"s,
      "[\xEF\xBB\xBF]"s, "<.>"s, "[<null>]"s, "[1]x"s, "[1]]"s, "[True]"s, "[None]"s, "]"s, "}"s, "[}"s, "{]"s, "[1}"s,
      "{\"a\":1]"s, "{\"a\":/*comment*/\"b\"}"s, "[\f]"s, "[\"\xC0\xAF\"]"s, "[\"\xE0\x80\x80\"]"s,
      "[\"\xED\xA0\x80\"]"s, "[\"\xF4\x90\x80\x80\"]"s, "[\"\xF8\x88\x80\x80\x80\"]"s, "[\"\xE2\x82\"]"s, "[\"\x80\"]"s,
      "[\"\xE2\x28\xA1\"]"s, "[\"\xF0\x8F\xBF\xBF\"]"s, "\xFF\xFE[\0]\0"s, "\x1F\x8B\x08\0"s);
  CAPTURE(text);
  const result<json> r = parse_json(text);
  REQUIRE_FALSE(r);
  CHECK(r.why().what.find("line ") == 0);
  CHECK(r.why().what.find("found ") != std::string::npos);
  CHECK(r.why().what.find("expected ") != std::string::npos);
}

TEST_CASE("what RFC 8259 leaves open is decided and the same every time") {
  SECTION("half a surrogate pair is refused: UTF-8 cannot hold it") {
    for (const char* t : {"[\"\\uD800\"]", "[\"\\uD800abc\"]", "[\"\\uDC00\"]", "[\"\\uD800\\uD800\"]",
                          "[\"\\uD800\\u0041\"]", "[\"\\uDd1e\\uD834\"]"})
      CHECK(why(t).find("half a pair") != std::string::npos);
  }
  SECTION("numbers outside the range of a double are refused, never rounded to infinity or zero") {
    for (const char* t : {"1e400", "-1e400", "1e-400", "0.4e00669999999999999999999", "1e999999999999999999999"})
      CHECK(why(t).find("range of a double") != std::string::npos);
  }
  SECTION("a name given twice is refused") {
    CHECK(why("{\"a\":1,\n\"b\":2,\"a\":1}").find("the name 'a' twice") != std::string::npos);
    CHECK(parse_json("{\"a\":{\"a\":1}}"));
  }
  SECTION("a UTF-8 byte order mark is skipped at the start only") {
    CHECK(parse_json("\xEF\xBB\xBF{}"));
    CHECK(why("\xEF\xBB\xBF").find("the end of the text") != std::string::npos);
  }
  SECTION("nesting is limited, on both sides of the limit") {
    CHECK(parse_json(nested(512)));
    CHECK(why(nested(513)).find("at most 512 levels") != std::string::npos);
    CHECK(why(std::string(100'000, '[')).find("at most 512 levels") != std::string::npos);
  }
  SECTION("tokens are limited in size") {
    json_limits small;
    small.token = 1 << 16;
    CHECK(parse_json("\"" + std::string(60'000, 'x') + "\"", small));
    CHECK_FALSE(parse_json("\"" + std::string(2'000'000, 'x') + "\"", small));
  }
}

TEST_CASE("the mistakes of producers are named") {
  CHECK(why("{\"dur\": NaN}").find("JSON has no NaN") != std::string::npos);
  CHECK(why("[-Infinity]").find("JSON has no Infinity") != std::string::npos);
  CHECK(why("[Infinity]").find("JSON has no Infinity") != std::string::npos);
  CHECK(why("[nan]").find("JSON has no NaN") != std::string::npos);
  CHECK(why("[1, // two\n2]").find("no comments") != std::string::npos);
  CHECK(why("[True]").find("Python") != std::string::npos);
  CHECK(why("[1,]").find("trailing comma") != std::string::npos);
  CHECK(why("\x1f\x8b\x08").find("zcat") != std::string::npos);
}

TEST_CASE("an error names line, column and byte") {
  CHECK(why("{\n  \"a\": 1,\n  \"b\": oops}").find("line 3, column 8 (byte 19)") == 0);
  CHECK(why("[1]\n\n!").find("line 3, column 1 (byte 5)") == 0);
}

TEST_CASE("integers of 64 bits and decimals keep every digit") {
  const auto number = [](const char* text) { return *parse_json(text); };
  CHECK(number("9223372036854775807").integer() == INT64_MAX);
  CHECK(number("-9223372036854775808").integer() == INT64_MIN);
  CHECK_FALSE(number("9223372036854775808").integer());
  CHECK(number("18446744073709551615").whole() == UINT64_MAX);
  CHECK_FALSE(number("18446744073709551616").whole());
  CHECK(number("5e8").integer() == 500'000'000);
  CHECK(number("8.0").integer() == 8);
  CHECK_FALSE(number("8.5").integer());
  CHECK_FALSE(number("\"8\"").integer());
  const auto ns = scale(number("1682725898237042.123").number()->digits, 3);
  CHECK((ns && ns->exact && ns->value == 1'682'725'898'237'042'123));
}

TEST_CASE("any cut into chunks reads the same tree") {
  const std::string text =
      "\xEF\xBB\xBF{\"name\\u00e9\\ud83d\\ude39\": [1.5e-3, -12345678901234567, \"\xE2\x82\xAC uro\", true, false, "
      "null], \n \"\": {\"x\": \"" +
      std::string(300, 'y') + "\\n\"}}  ";
  const result<json> whole = parse_json(text);
  REQUIRE(whole);
  for (std::size_t chunk = 1; chunk < 70; ++chunk) {
    const result<json> r = parse_json(text_source{text, chunk});
    REQUIRE(r);
    CHECK(written(*r) == written(*whole));
  }
}

TEST_CASE("what is written reads back the same") {
  const std::string text =
      "{\"a\":[1,-2,18446744073709551615,0.1,1e+300,true,false,null,[],{}],\"\\\"\\\\\\u0001\\n\\t\":\"\xE2\x82\xAC\","
      "\"c\":{\"d\":\"\"}}";
  const result<json> r = parse_json(text);
  REQUIRE(r);
  CHECK(written(*r) == text);
}

TEST_CASE("changed bytes never crash the parser and never go unnoticed by the writer") {
  const std::string seed =
      "{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1682725898237042.123,\"dur\":3,\"args\":{\"s\":"
      "\"\\ud83d\\ude39\xE2\x82\xAC\"}},{}],\"n\":[true,null,-1e5]}";
  mutations damaged{seed, "{}[],:\"\\0e.-"};
  unsigned accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = damaged.next();
    const result<json> r = parse_json(text_source{text, 1 + damaged.draw(40)});
    if (!r) {
      CHECK(r.why().what.find("line ") == 0);
      continue;
    }
    ++accepted;
    const std::string once = written(*r);
    const result<json> again = parse_json(once);
    REQUIRE(again);
    CHECK(written(*again) == once);
  }
  CHECK(accepted > 100);
}
