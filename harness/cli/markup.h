// Text for pages and pictures.
#pragma once

#include <string>
#include <string_view>

namespace heddle::cli {

// For HTML and XML. XML has no way to write most control characters: `instead` stands for them, except for those in `kept`.
std::string escaped_markup(std::string_view text, char instead, std::string_view kept);

// Program output and source text need not be UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace heddle::cli
