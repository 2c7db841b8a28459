#include "analyses/report/channel_names.h"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "analyses/report/positions.h"

// Of the executable, by the linker. Weak: libc++ has a name _end, which must not count as what the runtime needs.
extern "C" __attribute__((weak, visibility("hidden"))) char __data_start[], _end[];

namespace heddle::rt {

bool name_of_holder(uintptr_t pointer, char* out, size_t size) {
  constexpr uintptr_t kWord = sizeof(uintptr_t);
  constexpr uintptr_t kMost = 64 << 20;  // bytes
  const auto begin = (reinterpret_cast<uintptr_t>(__data_start) + kWord - 1) & ~(kWord - 1);
  const auto end = reinterpret_cast<uintptr_t>(_end);
  bool found = false;
  for (uintptr_t at = begin; at + kWord <= end && at - begin < kMost; at += kWord) {
    uintptr_t value;
    memcpy(&value, reinterpret_cast<const void*>(at), kWord);
    if (value != pointer) continue;
    uintptr_t offset = 0;
    const char* const name = datum_name(at, offset);
    // The runtime has pointers to the program's objects, too.
    if (name == nullptr || std::string_view(name).find("heddle::rt::") != std::string_view::npos) continue;
    if (found) return false;
    found = true;
    if (offset == 0) snprintf(out, size, "%s", name);
    else snprintf(out, size, "%s+%llu", name, static_cast<unsigned long long>(offset));
  }
  return found;
}

}  // namespace heddle::rt
