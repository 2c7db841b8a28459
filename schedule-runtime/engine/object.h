// What operations are on: the engine's half of a primitive. The model keeps its state in `state`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/family.h"
#include "scheduler/pending.h"

namespace heddle::rt {

struct Object {
  static constexpr size_t kStateSize = 64;
  static constexpr size_t kVisibleReach = 16;

  uintptr_t address;
  ObjectId id;
  uint32_t index;              // in the trace; never 0
  Family family;
  bool destroyed;
  bool refused;                // a thread failed to take this lock since its last release
  bool modelled;              // the model has set its state up
  bool forgotten;              // its memory was freed, or now holds something else
  uint8_t visible_bytes;       // of plain memory: how many bytes visible plain accesses have touched; 0: none has. At most kVisibleReach
  uint32_t destroy_event;
  uint32_t written_by;         // the operation that last changed it. kNoEvent: none in this execution
  uint32_t last_write_event;   // the same, or the event that created it
  uint32_t last_step;          // engine's step at the last operation on it
  uint32_t last_thread;        // whose operation that was
  uint32_t last_acquire_event; // of the present holder; kNoEvent
  uint32_t holder;             // thread index + 1; 0: none (reports and the wait-for graph)
  const char* label;           // its name in reports, if not kind and number. Owned by the model, valid for the execution
  Pending* pending_head;       // ops with a may_go that are on this object, newest first
  alignas(8) unsigned char state[kStateSize];  // zeroed when the object is made

  template <typename State>
  State& as() {
    static_assert(sizeof(State) <= kStateSize && std::is_trivially_copyable_v<State>);
    return *reinterpret_cast<State*>(state);
  }
};

}  // namespace heddle::rt
