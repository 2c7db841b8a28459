#include "intercept/stdio/format.h"

#include <wchar.h>

#include <climits>
#include <initializer_list>

namespace heddle::rt {
namespace {

using Length = FormatLength;
using Sort = FormatArgument::Sort;

bool is_digit(wchar_t c) { return c >= '0' && c <= '9'; }
bool is_flag(wchar_t c) { return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0' || c == '\'' || c == 'I'; }

size_t integer(Length length) {
  switch (length) {
    case Length::none: return sizeof(int);
    case Length::hh: return sizeof(char);
    case Length::h: return sizeof(short);
    default: return sizeof(long);
  }
}

template <typename C>
constinit const C kNothing = 0;

}  // namespace

template <typename C>
bool FormatWalk<C>::end() {
  at_ = &kNothing<C>;
  return false;
}

template <typename C>
bool FormatWalk<C>::next_conversion() {
  while (*at_ != 0 && *at_ != '%') ++at_;
  if (*at_ == 0) return end();
  ++at_;
  return true;
}

// The exact value of a number that is too large does not matter.
template <typename C>
int FormatWalk<C>::take_digits() {
  int number = 0;
  for (; is_digit(*at_); ++at_) number = number < INT_MAX / 10 - 1 ? number * 10 + (*at_ - '0') : INT_MAX;
  return number;
}

template <typename C>
int FormatWalk<C>::take_position() {
  const C* const begin = at_;
  const int position = take_digits();
  if (position != 0 && *at_ == '$') {
    ++at_;
    return position;
  }
  at_ = begin;
  return 0;
}

template <typename C>
FormatLength FormatWalk<C>::take_length() {
  const C first = *at_;
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

template <typename C>
typename PrintFormat<C>::Number PrintFormat<C>::take_number() {
  if (*at_ != '*') return {.value = take_digits()};
  ++at_;
  return {.asterisk = true, .position = take_position()};
}

template <typename C>
bool PrintFormat<C>::take(Conversion& c) {
  c.position = take_position();
  while (is_flag(*at_)) ++at_;
  c.width = take_number();
  if (*at_ == '.') {
    ++at_;
    c.precision = take_number();
  }
  c.length = take_length();
  switch (c.letter = *at_++) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': case 'B':
      c.passed = integer(c.length) == sizeof(long) ? Passed::as_word : Passed::as_int;
      return true;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
      c.passed = c.length == Length::ll ? Passed::as_long_double : Passed::as_double;
      return true;
    case 'c': case 'C': c.passed = Passed::as_int; return true;
    case 'p': case 'n': case 's': case 'S': c.passed = Passed::as_word; return true;
    case 'm': case '%': return true;
    default: return false;
  }
}

// The value of the argument, unless it is a floating-point number.
template <typename C>
uintptr_t PrintFormat<C>::take_argument(Passed passed) {
  switch (passed) {
    case Passed::as_int: return static_cast<uintptr_t>(static_cast<long>(va_arg(list_, int)));
    case Passed::as_word: return va_arg(list_, uintptr_t);
    case Passed::as_double: va_arg(list_, double); break;
    case Passed::as_long_double: va_arg(list_, long double); break;
    case Passed::unknown: break;
  }
  return 0;
}

// How arguments are passed is known only after the whole format was read. REQUIRES: at_ is at the conversion of the format's first
// argument.
template <typename C>
bool PrintFormat<C>::take_all_arguments() {
  Passed passed[kMostPositions] = {};
  int count = 0;
  const auto note = [&](int position, Passed how) {
    if (position > kMostPositions) return false;
    passed[position - 1] = how;
    if (count < position) count = position;
    return true;
  };
  const C* const begin = at_;
  for (bool more = true; more; more = next_conversion()) {
    Conversion c;
    if (!take(c) || (c.position != 0 && !note(c.position, c.passed))) return false;
    for (const Number& n : {c.width, c.precision}) {
      if (n.position != 0 && !note(n.position, Passed::as_int)) return false;
    }
  }
  at_ = begin;
  for (int i = 0; i < count; ++i) {
    if (passed[i] == Passed::unknown) return false;
    arguments_[i] = take_argument(passed[i]);
  }
  return positions_ = true;
}

template <typename C>
bool PrintFormat<C>::next(FormatArgument& argument) {
  while (next_conversion()) {
    const C* const begin = at_;
    Conversion c;
    if (!take(c)) return end();
    if (c.position != 0 && !positions_) {
      at_ = begin;
      if (!take_all_arguments() || !take(c)) return end();
    }
    const auto value_of = [&](const Number& n) {
      return !n.asterisk ? n.value : static_cast<int>(n.position != 0 && positions_ ? arguments_[n.position - 1] : take_argument(Passed::as_int));
    };
    value_of(c.width);
    const int precision = value_of(c.precision);
    const uintptr_t value = c.position != 0 ? arguments_[c.position - 1] : take_argument(c.passed);
    void* const at = reinterpret_cast<void*>(value);
    if (c.letter == 'n') {
      argument = {at, integer(c.length), Sort::value, false};
      return true;
    }
    if ((c.letter != 's' && c.letter != 'S') || at == nullptr) continue;
    // A precision limits what is printed.
    constexpr bool kWideFormat = sizeof(C) != 1;
    const bool wide = c.letter == 'S' || c.length == Length::l;
    const Sort sort = wide ? (kWideFormat || precision < 0 ? Sort::wide_text : Sort::wide_text_made)
                           : (kWideFormat && precision >= 0 ? Sort::text_made_wide : Sort::text);
    argument = {at, precision < 0 ? SIZE_MAX : static_cast<size_t>(precision), sort, false};
    return true;
  }
  return false;
}

template <typename C>
bool ScanFormat<C>::next(FormatArgument& argument) {
  while (next_conversion()) {
    if (*at_ == '%') {
      ++at_;
      continue;
    }
    const int position = take_position();
    if (position > kMostPositions) return end();
    bool kept = true, allocated = false;
    for (;; ++at_) {
      if (*at_ == '*') kept = false;
      else if (*at_ != '\'' && *at_ != 'I') break;
    }
    const int width = take_digits();
    if (*at_ == 'm') {
      allocated = true;
      ++at_;
    }
    const Length length = take_length();
    argument = {nullptr, integer(length), Sort::value, true};
    const bool wide = length == Length::l;
    switch (const C conversion = *at_++) {
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
        argument.sort = wide || conversion == 'S' ? Sort::wide_text : Sort::text;
        break;
      default: return end();
    }
    if (allocated) {
      argument.size = sizeof(void*);
      argument.sort = Sort::value;
    }
    if (!kept) continue;
    while (taken_ < position) arguments_[taken_++] = va_arg(list_, void*);
    argument.at = position != 0 ? arguments_[position - 1] : va_arg(list_, void*);
    return true;
  }
  return false;
}

template class FormatWalk<char>;
template class FormatWalk<wchar_t>;
template class PrintFormat<char>;
template class PrintFormat<wchar_t>;
template class ScanFormat<char>;
template class ScanFormat<wchar_t>;

}  // namespace heddle::rt
