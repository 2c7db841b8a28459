#include "trace/live_state.h"

namespace heddle::rt {
namespace {

constexpr LiveState kNothing = {
    [] { return kNoEvent; },
    [] { return uint32_t{0}; },
    [](uint32_t) { return uintptr_t{0}; },
    [](uint32_t) -> const char* { return nullptr; },
    [](uint32_t) { return false; },
    [](uint32_t) { return uint32_t{0}; },
    [](uint32_t, Event&, uint32_t&) { return false; },
    [](uint32_t, uintptr_t&, uintptr_t&) { return false; },
    [](uint32_t, uintptr_t) { return false; },
    [](uint32_t, uintptr_t, uintptr_t&) -> const char* { return nullptr; },
    []() -> void* { return nullptr; },
    [](void*) {},
    [] {},
    [] {},
    [](uint32_t) { return uintptr_t{0}; },
    [](uint32_t, const char*, uint32_t, const uintptr_t*, uint32_t) {},
    [] { return uint32_t{0}; },
    [] { return std::span<const uint8_t>(); },
};
constinit LiveState g_state = kNothing;

}  // namespace

const LiveState& live_state() { return g_state; }
void set_live_state(const LiveState& state) { g_state = state; }

}  // namespace heddle::rt
