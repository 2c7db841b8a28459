#include "intercept/format.h"

#include <wchar.h>

#include <climits>

namespace heddle::rt {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_flag(char c) { return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0' || c == '\'' || c == 'I'; }

}  // namespace

bool FormatWalk::end() {
  at_ = "";
  return false;
}

bool FormatWalk::next_conversion() {
  while (*at_ != 0 && *at_ != '%') ++at_;
  if (*at_ == 0) return end();
  ++at_;
  return true;
}

// False: it was a position. The largest numbers are as good as any that is too large.
bool FormatWalk::take_digits(int& number) {
  number = 0;
  for (; is_digit(*at_); ++at_) number = number < INT_MAX / 10 - 1 ? number * 10 + (*at_ - '0') : INT_MAX;
  return *at_ != '$';
}

FormatWalk::Length FormatWalk::take_length() {
  const char first = *at_;
  switch (first) {
    case 'h':
    case 'l':
      if (*++at_ != first) return first == 'h' ? Length::h : Length::l;
      ++at_;
      return first == 'h' ? Length::hh : Length::ll;
    case 'q':
    case 'L': ++at_; return Length::ll;
    case 'j':
    case 'z':
    case 'Z':
    case 't': ++at_; return Length::other;
    default: return Length::none;
  }
}

size_t FormatWalk::integer(Length length) {
  switch (length) {
    case Length::none: return sizeof(int);
    case Length::hh: return sizeof(char);
    case Length::h: return sizeof(short);
    default: return sizeof(long);
  }
}

// A width or a precision.
bool PrintFormat::take_number(int& number) {
  if (*at_ != '*') return take_digits(number);
  if (is_digit(*++at_)) return false;
  number = va_arg(list_, int);
  return true;
}

bool PrintFormat::next(FormatArgument& argument) {
  while (next_conversion()) {
    while (is_flag(*at_)) ++at_;
    int width = 0, precision = -1;
    if (!take_number(width)) return end();
    if (*at_ == '.') {
      ++at_;
      if (!take_number(precision)) return end();
    }
    const Length length = take_length();
    switch (const char conversion = *at_++) {
      case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': case 'B':
        if (integer(length) == sizeof(long)) va_arg(list_, long);
        else va_arg(list_, int);
        break;
      case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        if (length == Length::ll) va_arg(list_, long double);
        else va_arg(list_, double);
        break;
      case 'c': case 'C': va_arg(list_, wint_t); break;
      case 'p': va_arg(list_, void*); break;
      case 'm': case '%': break;
      case 'n': argument = {va_arg(list_, void*), integer(length), FormatArgument::Sort::value, false}; return true;
      case 's': case 'S': {
        void* const text = va_arg(list_, void*);
        const bool wide = conversion == 'S' || length == Length::l;
        // A precision is of bytes that are printed: how many wide characters make them depends on the locale.
        if (text == nullptr || (wide && precision >= 0)) break;
        const auto sort = wide ? FormatArgument::Sort::wide_text : FormatArgument::Sort::text;
        argument = {text, precision < 0 ? SIZE_MAX : static_cast<size_t>(precision), sort, false};
        return true;
      }
      default: return end();
    }
  }
  return false;
}

bool ScanFormat::next(FormatArgument& argument) {
  while (next_conversion()) {
    if (*at_ == '%') {
      ++at_;
      continue;
    }
    bool kept = true, allocated = false;
    for (;; ++at_) {
      if (*at_ == '*') kept = false;
      else if (*at_ != '\'' && *at_ != 'I') break;
    }
    int width = 0;
    if (!take_digits(width)) return end();
    if (*at_ == 'm') {
      allocated = true;
      ++at_;
    }
    const Length length = take_length();
    argument = {nullptr, integer(length), FormatArgument::Sort::value, true};
    const bool wide = length == Length::l;
    switch (const char conversion = *at_++) {
      case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': break;
      case 'n': argument.counted = false; break;
      case 'p': argument.size = sizeof(void*); break;
      case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        argument.size = length == Length::ll ? sizeof(long double) : wide ? sizeof(double) : sizeof(float);
        break;
      case 'c': case 'C':
        argument.size = (width != 0 ? static_cast<size_t>(width) : 1) * (wide || conversion == 'C' ? sizeof(wchar_t) : 1);
        break;
      case '[':
        if (*at_ == '^') ++at_;
        if (*at_ == ']') ++at_;
        while (*at_ != 0 && *at_ != ']') ++at_;
        if (*at_ == 0) return end();
        ++at_;
        [[fallthrough]];
      case 's': case 'S':
        argument.size = SIZE_MAX;
        argument.sort = wide || conversion == 'S' ? FormatArgument::Sort::wide_text : FormatArgument::Sort::text;
        break;
      default: return end();
    }
    if (allocated) {
      argument.size = sizeof(void*);
      argument.sort = FormatArgument::Sort::value;
    }
    if (!kept) continue;
    argument.at = va_arg(list_, void*);
    return true;
  }
  return false;
}

}  // namespace heddle::rt
