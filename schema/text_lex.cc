#include "schema/text_lex.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::text {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// 0 to 15. -1: not a digit of that base.
int digit(char c, int base) {
  int value = -1;
  if (c >= '0' && c <= '9') value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

}  // namespace

bool split_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  size_t i = 0;
  while (true) {
    while (i < line.size() && is_space(line[i])) ++i;
    if (i == line.size() || line.substr(i).starts_with("//")) return true;
    const size_t begin = i;
    bool quoted = false;
    for (; i < line.size() && (quoted || !is_space(line[i])); ++i) {
      if (line[i] == '"') quoted = !quoted;
      if (quoted && line[i] == '\\' && i + 1 < line.size()) ++i;
    }
    if (quoted) return false;
    words.push_back(line.substr(begin, i - begin));
  }
}

bool parse_number(std::string_view word, uint64_t max, uint64_t& out) {
  int base = 10;
  if (word.starts_with("0x")) {
    base = 16;
    word.remove_prefix(2);
  }
  if (word.empty()) return false;
  uint64_t value = 0;
  for (char c : word) {
    const int d = digit(c, base);
    if (d < 0) return false;
    const auto next = static_cast<unsigned __int128>(value) * static_cast<unsigned>(base) +
                      static_cast<unsigned>(d);
    if (next > max) return false;
    value = static_cast<uint64_t>(next);
  }
  out = value;
  return true;
}

bool unquote(std::string_view word, std::vector<uint8_t>& out) {
  if (word.size() < 2 || word.front() != '"' || word.back() != '"') return false;
  word = word.substr(1, word.size() - 2);
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '"') return false;
    if (word[i] != '\\') {
      out.push_back(static_cast<uint8_t>(word[i]));
      continue;
    }
    if (++i == word.size()) return false;
    switch (word[i]) {
      case 'n':
        out.push_back('\n');
        break;
      case 't':
        out.push_back('\t');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case '\\':
        out.push_back('\\');
        break;
      case '"':
        out.push_back('"');
        break;
      case 'x':
        if (i + 2 >= word.size() || !parse_hex_bytes(word.substr(i + 1, 2), out)) return false;
        i += 2;
        break;
      default:
        return false;
    }
  }
  return true;
}

bool parse_hex_bytes(std::string_view word, std::vector<uint8_t>& out) {
  if (word.size() % 2 != 0) return false;
  for (size_t i = 0; i < word.size(); i += 2) {
    const int high = digit(word[i], 16), low = digit(word[i + 1], 16);
    if (high < 0 || low < 0) return false;
    out.push_back(static_cast<uint8_t>(high << 4 | low));
  }
  return true;
}

}  // namespace heddle::text
