// Splits lines of the text form into words. Private to schema/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::text {

// The words of one line, without the comment. A word is a sequence of characters without white space. Inside double quotes, white space and
// "//" have no special meaning, and a backslash escapes the next character. False: a quote is not closed.
bool split_words(std::string_view line, std::vector<std::string_view>& words);

// A decimal number, or a hexadecimal one after "0x". False: not a number, or above `max`.
bool parse_number(std::string_view word, uint64_t max, uint64_t& out);

// A quoted word with \n \t \r \\ \" \xNN, appended to `out`. False: not quoted, or an invalid escape.
bool unquote(std::string_view word, std::vector<uint8_t>& out);

// Pairs of hexadecimal digits, appended to `out`. False: anything else.
bool parse_hex_bytes(std::string_view word, std::vector<uint8_t>& out);

}  // namespace heddle::text
