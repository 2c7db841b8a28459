// The functions that heddle's shims replace. If ASan has an interceptor, that comes first, so that ASan keeps its checks
// (docs/design/runtime-laws.md#interposition). Otherwise the next definition in load order is used, which is libc's.
#pragma once

#include <dlfcn.h>

#include "intercept/passed_calls.h"

namespace heddle::rt {

// Looked up at first use, which may be before any constructor has run.
template <typename Function>
class Next {
 public:
  // `asan`: its interceptor of the function, null where ASan is not linked. `own`: what does the same where there is no other.
  constexpr explicit Next(const char* name, Function* asan = nullptr, Function* own = nullptr) : name_(name), asan_(asan), own_(own) {}
  template <typename... Arguments>
  auto operator()(Arguments... arguments) {
    if (__builtin_expect(function_ == nullptr, 0)) {
      function_ = asan_ != nullptr ? asan_ : reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      if (function_ == nullptr) function_ = own_;
    }
    return function_(arguments...);
  }

 private:
  const char* name_;
  Function* asan_;
  Function* own_;
  Function* function_ = nullptr;
};

// The same, with a count for the account of calls that were passed on uncontrolled.
template <typename Function>
class Real {
 public:
  constexpr explicit Real(const char* name, Function* asan = nullptr) : passed_{name}, next_(name, asan) {}
  template <typename... Arguments>
  auto operator()(Arguments... arguments) {
    if (__builtin_expect(counting_passed_calls, 0)) count_passed_call(passed_);
    return next_(arguments...);
  }

 private:
  PassedCall passed_;
  Next<Function> next_;
};

}  // namespace heddle::rt

// A shim: an exported C function that replaces libc's.
#define HEDDLE_SHIM extern "C" __attribute__((visibility("default"), used))
// The real function behind a shim, as `real_<name>`.
#define HEDDLE_REAL(name) \
  static constinit ::heddle::rt::Real<decltype(name)> real_##name{#name}
// The same for functions that ASan may intercept, to check buffers and to keep its own records.
#define HEDDLE_REAL_OR_ASAN(result, name, parameters)                       \
  extern "C" __attribute__((weak)) result ___interceptor_##name parameters; \
  static constinit ::heddle::rt::Real<result parameters> real_##name { #name, &___interceptor_##name }
