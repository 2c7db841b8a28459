#include "analyses/report/symbolizer_answer.h"

#include <cstdio>

#include "analyses/report/symbolizer.h"
#include "base/elf.h"

namespace heddle::rt {

namespace {

uint32_t number(std::string_view text) {
  uint32_t n = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return 0;
    n = n * 10 + static_cast<uint32_t>(c - '0');
  }
  return n;
}

}  // namespace

std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return line;
}

AnsweredFrame take_frame(std::string_view& answer) {
  AnsweredFrame out;
  out.function = take_line(answer);
  while (answer.substr(0, 2) == "  ") {
    const std::string_view line = take_line(answer).substr(2);
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view name = line.substr(0, colon), value = line.substr(colon + 2);
    if (name == "Filename") out.file = value;
    else if (name == "Line") out.line = number(value);
    else if (name == "Column") out.column = number(value);
    else if (name == "Function start line") out.first_line = number(value);
  }
  return out;
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
    const AnsweredFrame frame = take_frame(answer);
    o.function = frame.function;
    if (innermost) o.line = unknown(frame.file) ? kNoLine : frame.line;
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
