// Files of lists that HEDDLE_OPTIONS name.
#pragma once

#include <string_view>

namespace heddle::rt {

// The whole text, which lasts as long as the process. The path is looked for where the process is, then beside the program. If the file cannot be read
// the process ends with one line, which begins with the option's name, and exit code 2.
std::string_view read_option_file(const char* option, const char* path);

// The same end, because of a line of the file, counted from 1.
[[noreturn]] void refuse_option_file(const char* option, const char* path, size_t line, const char* why, std::string_view text);

// The next line of the text, without its end and without white space around it; the text goes on behind it.
std::string_view next_line(std::string_view& text);

}  // namespace heddle::rt
