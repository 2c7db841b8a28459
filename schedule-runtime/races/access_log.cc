#include "races/access_log.h"

#include "heap/execution_mappings.h"
#include "races/known_access.h"

namespace heddle::rt {

constinit AccessLog g_access_log;

namespace {

// The program is about to read the same. But a fault must be its own, so only memory counts that a thread has written and not unmapped.
bool value_of(uintptr_t address, size_t size, uint64_t& value) {
  uintptr_t begin;
  if (granules().plain_write_at(address) == 0 || execution_mappings().ended_by(address, begin) != nullptr) return false;
  switch (size) {
    case 1: return value = *reinterpret_cast<const volatile uint8_t*>(address), true;
    case 2: return value = *reinterpret_cast<const volatile uint16_t*>(address), true;
    case 4: return value = *reinterpret_cast<const volatile uint32_t*>(address), true;
    case 8: return value = *reinterpret_cast<const volatile uint64_t*>(address), true;
    default: return false;
  }
}

}  // namespace

void log_access(uint32_t thread, uintptr_t address, size_t size, bool write, uint32_t site, uint32_t events) {
  constexpr size_t kLargest = (1u << 30) - 1;
  LoggedAccess a = {address, 0, thread, site, events, static_cast<uint32_t>(size < kLargest ? size : kLargest), write, false};
  if (!write && access_log().values()) a.has_value = value_of(address, size, a.value);
  access_log().add(a);
}

}  // namespace heddle::rt
