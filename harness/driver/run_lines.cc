#include "harness/driver/run_lines.h"

#include "base/line.h"

namespace heddle::driver {

constinit rt::Text RunLines::text_;

void RunLines::put_string(std::string_view string) {
  text_.put("\"");
  for (const char c : string) {
    if (c == '"' || c == '\\') text_.put("\\"), text_.put({&c, 1});
    else if (static_cast<unsigned char>(c) < 0x20) text_.add("\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else text_.put({&c, 1});
  }
  text_.put("\"");
}

void RunLines::put_words(const char* key, std::string_view words) {
  text_.add(",\"%s\":", key);
  put_string(words);
}

void RunLines::end_line() {
  constexpr size_t kBlock = 1 << 16;
  text_.put("}\n");
  if (text_.view().size() >= kBlock) flush();
}

void RunLines::flush() {
  failed_ |= !rt::write_all(file_, text_.view().data(), text_.view().size());
  text_.clear();
}

}  // namespace heddle::driver
