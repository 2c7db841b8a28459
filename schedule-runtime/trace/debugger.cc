#include "trace/debugger.h"

extern "C" {
[[gnu::used]] uint32_t heddle_debug_version = 1;
[[gnu::used]] uint32_t heddle_debug_stop_step = heddle::rt::debugger::kNoStop;
[[gnu::used]] heddle_debug_position heddle_debug_now = {};
[[gnu::used]] heddle_debug_thread heddle_debug_threads[heddle::rt::debugger::kMostThreads] = {};
[[gnu::used]] const char* heddle_debug_finding = nullptr;
}

namespace heddle::rt::debugger {
namespace {
constinit void (*g_look)() = nullptr;
}

void set_view(void (*look)()) { g_look = look; }

void finding(const char* name) {
  heddle_debug_finding = name;
  heddle_debug_look();
  heddle_on_finding();
}

}  // namespace heddle::rt::debugger

extern "C" {

[[gnu::used]] void heddle_debug_look() {
  if (heddle::rt::debugger::g_look != nullptr) heddle::rt::debugger::g_look();
}

// Each needs a body of its own: the linker could fold functions that are alike.
[[gnu::noinline, gnu::used]] void heddle_on_execution() { asm volatile("" ::"i"(1) : "memory"); }
[[gnu::noinline, gnu::used]] void heddle_on_operation() { asm volatile("nop" ::: "memory"); }
[[gnu::noinline, gnu::used]] void heddle_on_finding() { asm volatile("nop\n\tnop" ::: "memory"); }
}
