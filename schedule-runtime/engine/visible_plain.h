// Which plain accesses the input makes visible. They are given by the user's position, in the same way as operations are named
// (docs/design/runtime-laws.md#plain-accesses).
//
// Every access of the execution asks, and almost none is visible. So a direct-mapped table remembers return addresses that were found not
// to be visible. An entry contains the execution's number, so entries of earlier executions are not valid.
#pragma once

#include <span>

#include "base/address_map.h"
#include "schema/identity.h"

namespace heddle::rt {

class VisiblePlain {
 public:
  void initialise() { sites_.initialise(8); }
  void begin(std::span<const SiteId> sites) {
    sites_.clear();
    for (const SiteId site : sites) {
      bool inserted;
      sites_.find_or_insert(key(site), inserted);
    }
    if (!sites.empty() && ++execution_ == 0) start_over();
    if (!touched_any_) return;
    touched_any_ = false;
    by_memory_ = 0;
    for (bool& near : touched_) near = false;
  }
  bool any() const { return sites_.size() != 0; }
  // Memory that a visible access of the execution has touched (Engine::visible_object). False: none of it lies within Object::kVisibleReach of the address.
  bool may_meet_touched(uintptr_t address) const { return touched_any_ && touched_[granule(address) % kHints]; }
  // Accesses that are visible by their memory alone are choice points up to a number. Beyond it a thread computes with such memory rather than that it races on it.
  bool spend() { return ++by_memory_ <= kMostByMemory; }
  void touch(uintptr_t address) {
    touched_any_ = true;
    for (uintptr_t near = 0; near <= 2 * kNearby; ++near) touched_[(granule(address) + near - kNearby) % kHints] = true;
  }
  bool contains(SiteId site) { return sites_.find(key(site)) != nullptr; }

  // REQUIRES of pass_over: all accesses from that return address have the same position for all callers.
  bool passes_over(uintptr_t pc) const { return passed_[index(pc)] == stamped(pc); }
  void pass_over(uintptr_t pc) { passed_[index(pc)] = stamped(pc); }

 private:
  static constexpr size_t kPassed = 1 << 12, kHints = 1 << 10;
  // Granules: an object and an access have up to 16 bytes each.
  static constexpr uintptr_t kNearby = 2;
  static constexpr uint32_t kMostByMemory = 4096;

  static uintptr_t granule(uintptr_t address) { return address >> 3; }
  static uint64_t key(SiteId site) { return site | 1ull << 63; }
  static size_t index(uintptr_t pc) { return (pc ^ pc >> 12) % kPassed; }
  // Code addresses have 47 bits.
  uint64_t stamped(uintptr_t pc) const { return pc | static_cast<uint64_t>(execution_) << 48; }
  void start_over() {
    for (uint64_t& entry : passed_) entry = 0;
    execution_ = 1;
  }

  AddressMap sites_;
  uint16_t execution_ = 0;
  uint32_t by_memory_ = 0;
  bool touched_any_ = false;
  bool touched_[kHints] = {};
  uint64_t passed_[kPassed] = {};
};

}  // namespace heddle::rt
