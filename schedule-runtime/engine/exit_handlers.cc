#include "engine/exit_handlers.h"

#include "base/reserved_array.h"
#include "engine/initial_state.h"

extern "C" {
extern void* __dso_handle __attribute__((visibility("hidden")));  // the executable's
}

namespace heddle::rt {
namespace {

struct Handler {
  ExitFunction function;
  void* argument;
};

constexpr size_t kMaxHandlers = 1 << 16;
constinit ReservedArray<Handler> handlers;

}  // namespace

bool register_exit_handler(ExitFunction function, void* argument, void* dso) {
  // Objects of libraries that are not put back must be destroyed once, at the very end.
  const bool ours = argument != nullptr ? in_initial_state(argument)
                                        : initial_state_size() != 0 && dso == static_cast<void*>(&__dso_handle);
  if (!ours) return false;
  handlers.reserve(kMaxHandlers);
  if (handlers.full()) return false;
  handlers.push() = {function, argument};
  return true;
}

size_t exit_handler_count() { return handlers.size(); }

void run_exit_handlers() {
  while (handlers.size() != 0) {
    const Handler last = handlers[handlers.size() - 1];
    handlers.resize(handlers.size() - 1);
    last.function(last.argument);
  }
}

void forget_exit_handlers() { handlers.clear(); }

}  // namespace heddle::rt
