#include "intercept/process/fork_handlers.h"

#include <dlfcn.h>

#include <cerrno>

#include "base/own_code.h"
#include "engine/engine.h"
#include "intercept/real.h"

using namespace heddle::rt;

extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* library) noexcept;  // pthread_atfork calls it

HEDDLE_REAL(__register_atfork);

namespace {

using Function = void (*)();

// Those that an execution has registered end with it. The C library's own list would keep them for all later ones.
struct Handlers {
  uint64_t execution;  // 0: registered before the first one
  Function prepare, parent, child;
};
constexpr uint32_t kMost = 256;
constinit Handlers g_handlers[kMost] = {};
constinit uint32_t g_count = 0;

uint64_t now() { return current_thread() != nullptr ? engine().begun() : 0; }

bool add(const Handlers& handlers) {
  while (g_count != 0 && g_handlers[g_count - 1].execution != 0 && g_handlers[g_count - 1].execution != now()) --g_count;
  if (g_count == kMost) return false;
  g_handlers[g_count++] = handlers;
  return true;
}

// The library of a handler may have been closed since.
bool is_there(Function handler) {
  const Uncontrolled outside;
  Dl_info info;
  return dladdr(reinterpret_cast<const void*>(handler), &info) != 0;
}

void run(const Handlers& handlers, ForkHandlers which) {
  if (handlers.execution != 0 && handlers.execution != now()) return;
  const Function handler = which == ForkHandlers::prepare ? handlers.prepare : which == ForkHandlers::in_parent ? handlers.parent : handlers.child;
  if (handler != nullptr && is_there(handler)) handler();
}

}  // namespace

void heddle::rt::run_fork_handlers(ForkHandlers which) {
  const uint32_t count = g_count;
  for (uint32_t i = 0; i < count; ++i) run(g_handlers[which == ForkHandlers::prepare ? count - 1 - i : i], which);
}

HEDDLE_SHIM int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* library) noexcept {
  const bool own = of_heddle(reinterpret_cast<uintptr_t>(child));
  const bool room = own || add({now(), prepare, parent, child});
  if (current_thread() != nullptr && !own) return room ? 0 : ENOMEM;
  return real___register_atfork(prepare, parent, child, library);
}
