// Lines of the text form into words. Private to schema/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::text {

// The words of one line, without the comment. A word is a run of characters without white space; inside double
// quotes white space and "//" are ordinary and a backslash takes the next character along. False:
// a quote is not closed.
bool split_words(std::string_view line, std::vector<std::string_view>& words);

// Decimal, or hexadecimal after "0x". False: no such number, or above `max`.
bool parse_number(std::string_view word, uint64_t max, uint64_t& out);

// A quoted word with \n \t \r \\ \" \xNN, appended to `out`. False: not quoted, or a wrong escape.
bool unquote(std::string_view word, std::vector<uint8_t>& out);

// Pairs of hexadecimal digits, appended to `out`. False: something else.
bool parse_hex_bytes(std::string_view word, std::vector<uint8_t>& out);

}  // namespace heddle::text
