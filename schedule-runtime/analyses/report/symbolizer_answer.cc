#include "analyses/report/symbolizer_answer.h"

#include <cstdio>

#include "analyses/report/symbolizer.h"
#include "base/elf.h"

namespace heddle::rt {

std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return line;
}

uint32_t take_number(std::string_view& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return 0;
  uint32_t n = 0;
  for (const char c : text.substr(colon + 1)) {
    if (c < '0' || c > '9') return 0;
    n = n * 10 + static_cast<uint32_t>(c - '0');
  }
  text = text.substr(0, colon);
  return n;
}

bool unknown(std::string_view name) { return name.empty() || name == "??" || name == "?"; }

namespace {

constexpr uint32_t kNoLine = UINT32_MAX;  // no debug information

std::string_view symbolize(uintptr_t address) { return symbolize_code(module_name_of(address), address - module_base_of(address)); }

struct Outline {
  std::string_view function;  // the outermost frame, into which the others are inlined
  uint32_t line = 0;          // of the innermost
};

Outline outline(std::string_view answer) {
  Outline o;
  for (bool innermost = true; !answer.empty(); innermost = false) {
    o.function = take_line(answer);
    std::string_view place = take_line(answer);
    take_number(place);  // the column
    const uint32_t line = take_number(place);
    if (innermost) o.line = unknown(place) ? kNoLine : line;
  }
  return o;
}

}  // namespace

// Code that the compiler generates, as in a coroutine, has line 0. Use the nearest line before it in the same function.
std::string_view answer_for_code(uintptr_t call) {
  constexpr uintptr_t kFar = 64;
  const std::string_view first = symbolize(call);
  Outline o = outline(first);
  if (o.line != 0) return first;
  char function[512];
  snprintf(function, sizeof function, "%.*s", static_cast<int>(o.function.size()), o.function.data());
  for (uintptr_t back = 1; back <= kFar; ++back) {
    const std::string_view before = symbolize(call - back);
    o = outline(before);
    if (o.function != function || o.line == kNoLine) break;
    if (o.line != 0) return before;
  }
  return symbolize(call);
}

}  // namespace heddle::rt
