#include "races/access_log.h"

#include "heap/execution_mappings.h"
#include "races/known_access.h"

namespace heddle::rt {

constinit AccessLog g_access_log;

namespace {

// A thread has written it, and not unmapped it since.
bool is_written(uintptr_t address) {
  uintptr_t begin;
  return granules().plain_write_at(address) != 0 && execution_mappings().ended_by(address, begin) == nullptr;
}

bool value_at(uintptr_t address, size_t size, uint64_t& value) {
  switch (size) {
    case 1: return value = *reinterpret_cast<const volatile uint8_t*>(address), true;
    case 2: return value = *reinterpret_cast<const volatile uint16_t*>(address), true;
    case 4: return value = *reinterpret_cast<const volatile uint32_t*>(address), true;
    case 8: return value = *reinterpret_cast<const volatile uint64_t*>(address), true;
    default: return false;
  }
}

}  // namespace

void log_access(uint32_t thread, uintptr_t address, size_t size, bool write, bool there, uint32_t site, uint32_t events) {
  constexpr size_t kLargest = (1u << 30) - 1;
  LoggedAccess a = {address, 0, thread, site, events, static_cast<uint32_t>(size < kLargest ? size : kLargest), write, false};
  // The program is about to read the same. But a fault must be its own.
  if (!write && access_log().values()) a.has_value = (there || is_written(address)) && value_at(address, size, a.value);
  access_log().add(a);
}

uint32_t written_since(uint32_t thread, uint32_t events) {
  constexpr size_t kMostSeen = 32;
  constexpr uint64_t kLargest = 0xFFFFFFFF;
  const AccessLog& log = access_log();
  if (!log.values()) return 0;
  uint64_t hash = 0;
  for (size_t i = log.size(), seen = 0; i-- > 0 && seen < kMostSeen && log[i].events >= events; ++seen) {
    const LoggedAccess& a = log[i];
    uint64_t value;
    if (a.thread == thread && a.write && is_written(a.address) && value_at(a.address, a.size, value) && value <= kLargest) hash = mix(hash, value) | 1;
  }
  return static_cast<uint32_t>(hash);
}

}  // namespace heddle::rt
