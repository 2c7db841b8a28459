// The functions of fmt that are no templates, once for the whole command. In its header-only form fmt compiles them in each file again, which
// takes a quarter to two thirds of the file's time. Debian has fmt as a shared library and as headers; the command needs no library to run.
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

namespace {

// In the header-only form they are inline, so something must ask for them.
[[gnu::used]] constexpr std::string (*vformat)(fmt::string_view, fmt::format_args) = fmt::vformat;
[[gnu::used]] constexpr void (*vprint)(fmt::string_view, fmt::format_args) = fmt::vprint;
[[gnu::used]] constexpr void (*vprint_to)(std::FILE*, fmt::string_view, fmt::format_args) = fmt::vprint;

}  // namespace
