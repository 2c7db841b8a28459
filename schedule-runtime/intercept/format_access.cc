#include <string.h>
#include <wchar.h>

#include "intercept/format.h"
#include "intercept/library_access.h"

namespace heddle::rt {
namespace {

constinit Next<size_t(const wchar_t*)> wide_length{"wcslen"};

// Of a text with the end that it has, if that is among the first bytes.
size_t bytes(const FormatArgument& argument) {
  if (argument.sort == FormatArgument::Sort::value) return argument.size;
  if (argument.sort == FormatArgument::Sort::wide_text) return (wide_length(static_cast<const wchar_t*>(argument.at)) + 1) * sizeof(wchar_t);
  const auto* const text = static_cast<const char*>(argument.at);
  if (argument.size == SIZE_MAX) return length(text) + 1;
  const size_t n = bounded_length(text, argument.size);
  return n < argument.size ? n + 1 : n;
}

}  // namespace

void print_accesses(const char* format, va_list arguments, const Place& place) {
  library_accesses(format, HEDDLE_BYTES(length(format) + 1), false, place);
  PrintFormat walk(format, arguments);
  for (FormatArgument a; walk.next(a);) library_accesses(a.at, HEDDLE_BYTES(bytes(a)), a.sort == FormatArgument::Sort::value, place);
}

void scan_accesses(const char* format, va_list arguments, int count, const Place& place) {
  ScanFormat walk(format, arguments);
  for (FormatArgument a; count > 0 && walk.next(a);) {
    library_accesses(a.at, HEDDLE_BYTES(bytes(a)), true, place);
    if (a.counted) --count;
  }
}

}  // namespace heddle::rt
