// atexit() for heddle itself. The program may define a function of that name.
#pragma once

extern "C" {
int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept;
extern void* __dso_handle __attribute__((visibility("hidden")));
}

namespace heddle::rt {

inline void at_process_exit(void (*function)()) {
  __cxa_atexit([](void* f) { reinterpret_cast<void (*)()>(f)(); }, reinterpret_cast<void*>(function), &__dso_handle);
}

}  // namespace heddle::rt
