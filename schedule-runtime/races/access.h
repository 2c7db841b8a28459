// One access to memory in 64 bits: the thread, by its lane (order/lanes.h), the lane's epoch, whether it writes, the kind of operation (none: a
// plain access), and the site index. 0: no access.
#pragma once

#include <cstdint>

#include "schema/kinds.h"

namespace heddle::rt {

struct Access {
  // The fields have room for the largest possible values: threads and events by the recorder's limits, sites by the table's, kinds by
  // kKindLimit.
  static constexpr int kSiteBits = 20, kKindBits = 7, kClockBits = 22, kLaneBits = 14;
  static constexpr int kWriteShift = kSiteBits + kKindBits, kClockShift = kWriteShift + 1, kLaneShift = kClockShift + kClockBits;
  static_assert(kLaneShift + kLaneBits == 64 && kKindLimit <= 1 << kKindBits);
  static constexpr uint64_t kWrite = 1ull << kWriteShift;
  static constexpr uint64_t kEpochMask = ~((1ull << kClockShift) - 1);  // lane and clock

  // The part that is equal for all accesses of a thread in an epoch. Site, kind and direction are added to it.
  static uint64_t epoch(uint32_t lane, uint32_t clock) {
    return static_cast<uint64_t>(lane) << kLaneShift | static_cast<uint64_t>(clock) << kClockShift;
  }
  static uint64_t what(uint32_t site, Kind kind, bool write) {
    return static_cast<uint64_t>(kind) << kSiteBits | (write ? kWrite : 0) | site;
  }
  static uint32_t lane(uint64_t a) { return static_cast<uint32_t>(a >> kLaneShift); }
  static uint32_t clock(uint64_t a) { return static_cast<uint32_t>(a >> kClockShift) & ((1u << kClockBits) - 1); }
  static uint32_t site(uint64_t a) { return static_cast<uint32_t>(a) & ((1u << kSiteBits) - 1); }
  static Kind kind(uint64_t a) { return static_cast<Kind>(a >> kSiteBits & ((1u << kKindBits) - 1)); }
  static bool writes(uint64_t a) { return (a & kWrite) != 0; }
  static bool same_epoch(uint64_t a, uint64_t b) { return ((a ^ b) & kEpochMask) == 0; }
};

}  // namespace heddle::rt
