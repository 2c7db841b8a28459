#include "graph/strong_locations.h"

#include <cstring>

#include "base/elf.h"
#include "base/line.h"

namespace heddle::rt::graph {
namespace {

const char* name_of(uintptr_t address) {
  const Symbol* const s = is_main_executable(address) ? find_symbol(address) : nullptr;
  return s != nullptr && s->name != nullptr ? s->name : nullptr;
}

void say(bool& said, uintptr_t address, const char* what) {
  if (said) return;
  said = true;
  const char* const name = name_of(address);
  if (name != nullptr) print_line(2, "heddle: note: memory=rc11: %s %s\n", name, what);
  else print_line(2, "heddle: note: memory=rc11: an atomic variable %s\n", what);
}

}  // namespace

// libstdc++'s pool of std::atomic::wait: std::__detail::__waiter_pool_base::_S_for(void const*)::__w.
bool StrongLocations::of_the_library(uintptr_t address) {
  const char* const name = name_of(address);
  return name != nullptr && std::strstr(name, "__waiter_pool_base") != nullptr;
}

void StrongLocations::say_mixed(uintptr_t address) {
  static constinit bool said = false;
  say(said, address, "is accessed with different sizes. Such variables are sequentially consistent");
}

void say_foreign(uintptr_t address) {
  static constinit bool said = false;
  say(said, address, "was written by code that heddle does not see. From then on, all threads read that value");
}

}  // namespace heddle::rt::graph
