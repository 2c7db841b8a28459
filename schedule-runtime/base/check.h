// Failures of heddle itself: prints one line, then exit code 99. Never used for errors of a target.
#pragma once

namespace heddle::rt {

[[noreturn]] void fail(const char* what);

inline void check(bool holds, const char* what) {
  if (__builtin_expect(!holds, 0)) fail(what);
}

}  // namespace heddle::rt
