// Formats of printf and scanf: which of their arguments point to memory that the C library then reads or writes. The walk knows what glibc
// knows, and ends early, with what it has found, where it does not: at a position (%1$s), or a conversion that it has never heard of.
#pragma once

#include <stdarg.h>

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

struct FormatArgument {
  enum class Sort : uint8_t {
    text,       // a string of at most `size` bytes, or up to its end
    wide_text,  // one of wchar_t, up to its end
    value,      // `size` bytes
  };
  void* at;
  size_t size;
  Sort sort;
  bool counted;  // of a scan: its result counts it
};

class FormatWalk {
 public:
  FormatWalk(const char* format, va_list arguments) : at_(format) { va_copy(list_, arguments); }
  FormatWalk(const FormatWalk&) = delete;
  FormatWalk& operator=(const FormatWalk&) = delete;
  ~FormatWalk() { va_end(list_); }

 protected:
  enum class Length : uint8_t { none, hh, h, l, ll, other };  // other: all of eight bytes

  bool next_conversion();  // at_ is behind its %
  bool take_digits(int& number);
  Length take_length();
  static size_t integer(Length length);
  bool end();

  const char* at_;
  va_list list_;
};

// Of printf: texts are read, values (%n) are written.
class PrintFormat : FormatWalk {
 public:
  using FormatWalk::FormatWalk;
  bool next(FormatArgument& argument);

 private:
  bool take_number(int& number);
};

// Of scanf: all are written.
class ScanFormat : FormatWalk {
 public:
  using FormatWalk::FormatWalk;
  bool next(FormatArgument& argument);
};

}  // namespace heddle::rt
