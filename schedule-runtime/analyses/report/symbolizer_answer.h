// Parses the symbolizer's answer for a position: for each frame, innermost first, a line with the function, and indented ones such as
// "  Filename: queue.cc" and "  Line: 41".
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::rt {

// The frames of the code at an address. Valid until the next question.
std::string_view answer_for_code(uintptr_t address);

std::string_view take_line(std::string_view& text);

struct AnsweredFrame {
  std::string_view function, file;
  uint32_t first_line = 0;  // of the function
  uint32_t line = 0, column = 0;
};
AnsweredFrame take_frame(std::string_view& answer);
bool unknown(std::string_view name);

}  // namespace heddle::rt
