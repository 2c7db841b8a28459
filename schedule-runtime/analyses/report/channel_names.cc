#include "analyses/report/channel_names.h"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "analyses/report/positions.h"

// Of the executable, by the linker. Weak: libc++ has a name _end, which must not count as what the runtime needs.
// heddle_user_*: harness/link/user_data_begin.c.
extern "C" __attribute__((weak, visibility("hidden"))) char __data_start[], _end[], __bss_start[], heddle_user_data_begin[],
    heddle_user_bss_begin[], __start_heddle_data[], __stop_heddle_data[], __start_heddle_bss[], __stop_heddle_bss[];

namespace heddle::rt {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

struct Search {
  const uintptr_t pointer;
  char* const out;
  const size_t size;
  uintptr_t left = 64 << 20;  // bytes
  uint32_t found = 0;

  void look_in(uintptr_t begin, uintptr_t end) {
    begin = (begin + kWord - 1) & ~(kWord - 1);
    for (uintptr_t at = begin; at + kWord <= end && left != 0 && found < 2; at += kWord, left -= kWord) {
      uintptr_t value;
      memcpy(&value, reinterpret_cast<const void*>(at), kWord);
      if (value == pointer) look_at(at);
    }
  }
  void look_at(uintptr_t at) {
    uintptr_t offset = 0;
    const char* const name = datum_name(at, offset);
    // The runtime has pointers to the program's objects, too.
    if (name == nullptr || std::string_view(name).find("heddle::rt::") != std::string_view::npos || ++found > 1) return;
    if (offset == 0) snprintf(out, size, "%s", name);
    else snprintf(out, size, "%s+%llu", name, static_cast<unsigned long long>(offset));
  }
};

}  // namespace

bool name_of_holder(uintptr_t pointer, char* out, size_t size) {
  Search search = {pointer, out, size};
  uintptr_t begin = word(__data_start);
  // The data of the engine and of the runtime is large, and most of its pages were never used.
  const uintptr_t foreign[][2] = {{word(__data_start), word(heddle_user_data_begin)},
                                  {word(__start_heddle_data), word(__stop_heddle_data)},
                                  {word(__bss_start), word(heddle_user_bss_begin)},
                                  {word(__start_heddle_bss), word(__stop_heddle_bss)}};
  for (const auto& [from, to] : foreign) {
    if (from < begin || to <= from) continue;  // not there, or in another order
    search.look_in(begin, from);
    begin = to;
  }
  search.look_in(begin, word(_end));
  return search.found == 1;
}

}  // namespace heddle::rt
