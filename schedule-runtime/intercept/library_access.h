// The accesses that functions of the C library make for the program.
#pragma once

#include <stdarg.h>
#include <wchar.h>

#include <cstddef>
#include <cstdint>

#include "base/own_code.h"
#include "base/program_code.h"
#include "intercept/memory_lifetime.h"
#include "intercept/plain_access.h"
#include "intercept/real.h"

namespace heddle::rt {

// True for a call from the program's own code, on a controlled thread that has begun. Calls from libraries are left out: their
// synchronisation is not visible to heddle.
[[gnu::always_inline]] inline bool asked_by_program(Place place) {
  const Thread* const t = current_thread();
  return t != nullptr && t->gate != nullptr && of_program(place.pc) && !of_heddle(place.pc);
}

// The same for accesses that matter only if another thread exists: no data bytes and no objects are accessed.
[[gnu::always_inline]] inline bool asked_in_company(Place place) {
  const Thread* const t = current_thread();
  return t != nullptr && t->plain_path != PlainPath::alone && asked_by_program(place);
}

// Called before the access. Another thread may run in here, and what it changes may change the number of accessed bytes. So the size is
// computed again. True: the access was visible.
template <typename Size>
[[gnu::always_inline]] inline bool library_accesses(const void* at, Size size, bool write, Place place) {
  const auto address = reinterpret_cast<uintptr_t>(at);
  if (range_passes_alone(*current_thread(), address, write) && count(write)) return false;  // of whatever size
  bool visible = false;
  for (size_t n = 0, now = size(); now != n; now = size()) {
    n = now;
    if (n != 0) visible |= plain_access(*current_thread(), address, n, write, place);
  }
  return visible;
}

// libc's own functions, to compute what a call will do.
inline constinit Next<size_t(const char*)> libc_strlen{"strlen"};
inline constinit Next<size_t(const wchar_t*)> libc_wcslen{"wcslen"};
inline constinit Next<size_t(const char*, size_t)> libc_strnlen{"strnlen"};
inline constinit Next<size_t(const wchar_t*, size_t)> libc_wcsnlen{"wcsnlen"};
inline size_t length(const char* s) { return libc_strlen(s); }
inline size_t length(const wchar_t* s) { return libc_wcslen(s); }
inline size_t length(const char* s, size_t most) { return libc_strnlen(s, most); }
inline size_t length(const wchar_t* s, size_t most) { return libc_wcsnlen(s, most); }

// The bytes of a string, including its terminator if that is within the first `most` characters.
template <typename C>
size_t text_size(const C* s) {
  return (length(s) + 1) * sizeof *s;
}
template <typename C>
size_t text_size(const C* s, size_t most) {
  if (most == SIZE_MAX) return text_size(s);
  const size_t n = length(s, most);
  return (n < most ? n + 1 : n) * sizeof *s;
}

// A shim uses this to report what its call is about to read or to write for the program.
class LibraryAccesses {
 public:
  LibraryAccesses(bool write, Place place) : write_(write), place_(place) {}

  template <typename Size>
  [[gnu::always_inline]] void operator()(const void* at, Size size) const {
    library_accesses(at, size, write_, place_);
  }
  // One value. Nothing if the pointer is null.
  template <typename T>
  [[gnu::always_inline]] void operator()(const T* value) const {
    if (value != nullptr) library_accesses(value, [] { return sizeof *value; }, write_, place_);
  }
  // A string with its terminator. Nothing if the pointer is null.
  template <typename C>
  [[gnu::always_inline]] void text(const C* s, size_t most = SIZE_MAX) const {
    if (s != nullptr) library_accesses(s, [&] { return text_size(s, most); }, write_, place_);
  }

 private:
  bool write_;
  Place place_;
};

// For shims of other shapes: a value that the program provides for the call, such as the two ends of a pipe. Nothing at null.
template <typename T>
void value_accessed(const T* value, bool write, Place place, size_t count = 1) {
  if (value != nullptr && count != 0 && asked_by_program(place)) LibraryAccesses(write, place)(value, [=] { return count * sizeof *value; });
}

// Format strings: what printf is about to read and write, and what a scan with the result `count` has written.
void print_accesses(const char* format, va_list arguments, Place place);
void print_accesses(const wchar_t* format, va_list arguments, Place place);
void scan_accesses(const char* format, va_list arguments, int count, Place place);
void scan_accesses(const wchar_t* format, va_list arguments, int count, Place place);

}  // namespace heddle::rt

#define HEDDLE_BYTES(...) [&] { return static_cast<size_t>(__VA_ARGS__); }

// Defines a shim of the function `name`. The last argument reports its accesses. It is evaluated first, if the program calls. There,
// `peek_<name>` is libc's own function, to compute what the call will do: ASan's interceptor would report a bad address in the shim, but
// library_accesses reports it at the program's position. The C++ name is heddle's own, because the library's headers have bodies and
// overloads for some functions.
#define HEDDLE_LIBRARY_FUNCTION(result, name, parameters, arguments, ...) \
  HEDDLE_LIBRARY_FUNCTION_IF(asked_by_program, result, name, parameters, arguments, __VA_ARGS__)
// The same with further accesses that are known only after the call, from its `answer`.
#define HEDDLE_LIBRARY_FUNCTION_THEN(result, name, parameters, arguments, before, after) \
  HEDDLE_LIBRARY_NEXT(result, name, parameters)                                          \
  HEDDLE_SHIM result heddle_##name parameters asm(#name);                                \
  result heddle_##name parameters {                                                      \
    const ::heddle::rt::Place here = HEDDLE_HERE;                                        \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, before)                                    \
    const auto answer = next_##name arguments;                                           \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, after)                                     \
    return answer;                                                                       \
  }
#define HEDDLE_LIBRARY_FUNCTION_IF(asked, result, name, parameters, arguments, ...) \
  HEDDLE_LIBRARY_FUNCTION_AFTER(result, name, parameters, arguments, HEDDLE_LIBRARY_ACCESSES(asked, __VA_ARGS__))
// The same with any statements before the call.
#define HEDDLE_LIBRARY_FUNCTION_AFTER(result, name, parameters, arguments, ...) \
  HEDDLE_LIBRARY_NEXT(result, name, parameters)                                 \
  HEDDLE_SHIM result heddle_##name parameters asm(#name);                       \
  result heddle_##name parameters {                                             \
    const ::heddle::rt::Place here = HEDDLE_HERE;                               \
    __VA_ARGS__                                                                 \
    return next_##name arguments;                                               \
  }

// Defines a shim of a function that fills the value at `to` and returns 0 on success. The function fills a local value first. So the write
// to the program's value is reported before the value changes, with no other thread in between. `before` reports the reads.
// `failed` is done with an `answer` that is not 0.
#define HEDDLE_LIBRARY_FILLS(name, parameters, arguments, to, before, failed)                      \
  HEDDLE_LIBRARY_NEXT(int, name, parameters)                                                       \
  HEDDLE_SHIM int heddle_##name parameters asm(#name);                                             \
  int heddle_##name parameters {                                                                   \
    const ::heddle::rt::Place here = HEDDLE_HERE;                                                  \
    if (to == nullptr || !::heddle::rt::asked_by_program(here)) return next_##name arguments;      \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, before)                                              \
    auto* const filled = to;                                                                       \
    auto own = *filled;                                                                            \
    to = &own;                                                                                     \
    const int answer = next_##name arguments;                                                      \
    if (answer != 0) {                                                                             \
      failed;                                                                                      \
      return answer;                                                                               \
    }                                                                                              \
    ::heddle::rt::LibraryAccesses(true, here)(filled);                                             \
    *filled = own;                                                                                 \
    return 0;                                                                                      \
  }

// The building blocks of these macros.
#define HEDDLE_LIBRARY_NEXT(result, name, parameters)                                         \
  extern "C" __attribute__((weak)) result ___interceptor_##name parameters;                   \
  [[maybe_unused]] static constinit ::heddle::rt::Next<result parameters> peek_##name{#name}; \
  static constinit ::heddle::rt::Next<result parameters> next_##name{#name, &___interceptor_##name};
#define HEDDLE_LIBRARY_ACCESSES(asked, ...)                                                      \
  if (::heddle::rt::asked(here)) {                                                               \
    [[maybe_unused]] const ::heddle::rt::LibraryAccesses reads(false, here), writes(true, here); \
    __VA_ARGS__;                                                                                 \
  }
