// Format strings of printf and scanf, also of the wide versions (C is wchar_t): which arguments point to memory that the C library reads or
// writes. Knows all of glibc's conversions. At an unknown conversion, or after kMostPositions, it ends early with the arguments found so
// far.
#pragma once

#include <stdarg.h>

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

enum class FormatLength : uint8_t { none, hh, h, l, ll, other };  // other: all of eight bytes

struct FormatArgument {
  enum class Sort : uint8_t {
    text,            // a string of at most `size` bytes, or up to its terminator
    wide_text,       // a wide string of at most `size` characters
    text_made_wide,  // a string that is converted to at most `size` wide characters
    wide_text_made,  // a wide string that is converted to at most `size` bytes
    value,           // `size` bytes
  };
  void* at;
  size_t size;
  Sort sort;
  bool counted;  // of a scan: its result counts it
};

template <typename C>
class FormatWalk {
 public:
  FormatWalk(const C* format, va_list arguments) : at_(format) { va_copy(list_, arguments); }
  FormatWalk(const FormatWalk&) = delete;
  FormatWalk& operator=(const FormatWalk&) = delete;
  ~FormatWalk() { va_end(list_); }

 protected:
  static constexpr int kMostPositions = 64;

  bool next_conversion();    // afterwards at_ is after its %
  int take_digits();
  int take_position();       // as in %1$s, from 1 on; 0: there is none
  FormatLength take_length();
  bool end();

  const C* at_;
  va_list list_;
};

// For printf: strings are read, values (%n) are written.
template <typename C>
class PrintFormat : FormatWalk<C> {
 public:
  using FormatWalk<C>::FormatWalk;
  bool next(FormatArgument& argument);

 private:
  using FormatWalk<C>::next_conversion, FormatWalk<C>::take_digits, FormatWalk<C>::take_position, FormatWalk<C>::take_length, FormatWalk<C>::end;
  using FormatWalk<C>::at_, FormatWalk<C>::list_, FormatWalk<C>::kMostPositions;

  // How an argument is passed.
  enum class Passed : uint8_t { unknown, as_int, as_word, as_double, as_long_double };
  struct Number {  // a width or a precision
    int value = -1;
    bool asterisk = false;
    int position = 0;
  };
  struct Conversion {
    int position = 0;
    Number width, precision;
    FormatLength length = FormatLength::none;
    C letter = 0;
    Passed passed = Passed::unknown;  // it takes none
  };

  Number take_number();
  bool take(Conversion& conversion);
  uintptr_t take_argument(Passed passed);
  bool take_all_arguments();

  bool positions_ = false;  // all arguments have been taken
  uintptr_t arguments_[kMostPositions];
};
template <typename C>
PrintFormat(const C*, va_list) -> PrintFormat<C>;

// For scanf: all arguments are written.
template <typename C>
class ScanFormat : FormatWalk<C> {
 public:
  using FormatWalk<C>::FormatWalk;
  bool next(FormatArgument& argument);

 private:
  using FormatWalk<C>::next_conversion, FormatWalk<C>::take_digits, FormatWalk<C>::take_position, FormatWalk<C>::take_length, FormatWalk<C>::end;
  using FormatWalk<C>::at_, FormatWalk<C>::list_, FormatWalk<C>::kMostPositions;

  int taken_ = 0;  // of those that have a position
  void* arguments_[kMostPositions];
};
template <typename C>
ScanFormat(const C*, va_list) -> ScanFormat<C>;

}  // namespace heddle::rt
