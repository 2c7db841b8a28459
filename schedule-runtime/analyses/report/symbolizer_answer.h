// Parses the symbolizer's answer for a position: for each frame, innermost first, a line with the function and one with "file:line:column".
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::rt {

// The frames of the code at an address. Valid until the next question.
std::string_view answer_for_code(uintptr_t address);

std::string_view take_line(std::string_view& text);
uint32_t take_number(std::string_view& text);  // the last ":N"
bool unknown(std::string_view name);

}  // namespace heddle::rt
