#include "harness/driver/arguments.h"

namespace heddle::driver {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

}  // namespace

bool split_arguments(std::string_view text, std::vector<std::string>& out) {
  std::string word;
  bool begun = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && blank(c)) {
      if (begun) out.push_back(word);
      word.clear();
      begun = false;
      continue;
    }
    begun = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && i + 1 < text.size() && (quote == 0 || (quote == '"' && (text[i + 1] == '"' || text[i + 1] == '\\')))) {
      word += text[++i];
    } else {
      word += c;
    }
  }
  if (begun) out.push_back(word);
  return quote == 0;
}

}  // namespace heddle::driver
