// The first check of a thread's plain access. It is in thread-local storage, so code reaches it in one instruction. An access that passes is
// only counted: its thread is alone, or the execution is not watched. Closed until a controlled thread opens it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/gate_layout.h"
#include "races/shadow.h"

namespace heddle::rt {

struct PlainGate {
  // How many accesses may come before the counts are looked at again. Accesses that do not pass count, too. See spent().
  uint32_t reads = 0, writes = 0;
  // What does not pass: reads of these addresses, and writes where there is a hint.
  uintptr_t closed_from = 0;
  size_t closed_size = SIZE_MAX;
  const uint8_t* closed_hints = Shadow::kAllHints.data();

  // True if one of the two counts has run out. Unsigned arithmetic wraps, so compilers test the value that they have just stored.
  static bool spent(uint32_t left) { return static_cast<int32_t>(left) < 0; }
  bool open() const { return closed_size != SIZE_MAX; }
  void open_reads(uintptr_t but_from, size_t but_size) { closed_from = but_from, closed_size = but_size; }
  void open_writes() { closed_hints = shadow().object_hints(); }
  void close_writes() { closed_hints = Shadow::kAllHints.data(); }
};

// The program's code has this check inline (harness/gate), and finds the variable under this name.
static_assert(offsetof(PlainGate, reads) == gate_layout::kReads && offsetof(PlainGate, writes) == gate_layout::kWrites);
static_assert(offsetof(PlainGate, closed_from) == gate_layout::kClosedFrom && offsetof(PlainGate, closed_size) == gate_layout::kClosedSize);
static_assert(offsetof(PlainGate, closed_hints) == gate_layout::kClosedHints && sizeof(PlainGate) == gate_layout::kGateSize);
static_assert(Shadow::kHints == gate_layout::kHints && Shadow::hint_of(1 << gate_layout::kHintShift) == 1);

extern thread_local constinit PlainGate tls_gate __asm__("heddle_gate") __attribute__((visibility("default")));

}  // namespace heddle::rt
