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

}  // namespace heddle::cli
