#include "harness/cli/markup.h"

namespace heddle::cli {

std::string escaped_markup(std::string_view text, char instead, std::string_view kept) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 && kept.find(c) == kept.npos ? instead : c;
    }
  }
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  const auto follows = [&](size_t at) { return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto second = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    size_t size = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    for (size_t k = 1; k < size; ++k) {
      if (!follows(i + k)) size = 0;
    }
    // Overlong forms, surrogates, and what is beyond Unicode.
    if ((c == 0xE0 && second < 0xA0) || (c == 0xED && second > 0x9F) || (c == 0xF0 && second < 0x90) || (c == 0xF4 && second > 0x8F)) size = 0;
    if (size == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
      continue;
    }
    out += text.substr(i, size);
    i += size;
  }
  return out;
}

}  // namespace heddle::cli
