// Shadow memory: one granule for every 8 bytes of the target's memory. A two-level table finds it, and it is never cleared.
//
// A granule is valid only if its tag is its page's tag. A page is valid only if its chunk was touched in this execution. So an execution
// forgets everything in O(1), and memory that is not accessed costs nothing. If a page is freed as a whole, the page is marked. The mark
// applies to its granules as long as they are not valid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"

namespace heddle::rt {

// The accesses to the bytes that later accesses do not make redundant: the last plain write; the last plain read, or those of several
// threads; and the atomic operations since that write. If there are several, the field is a reference to an AccessSet.
struct Cell {
  uint64_t write;
  uint64_t read;
  uint64_t atomic;
};

struct Granule {
  Cell cell;         // for the bytes in `mask`. If split: `cell.write` is the index of the parts, `cell.read` is known_bytes
  uint32_t tag;
  uint8_t mask;      // bytes ever accessed; all with the same history unless split
  uint8_t objects;   // bytes at which an object of the engine begins
  bool split;
  bool freed;        // a freed heap block: `cell.write` is the access that freed it, `cell.read` the block's address

  // Tag, mask and flags as one word: the value if exactly the bytes of `mask` have one history and no object begins here.
  static uint64_t simple(uint32_t tag, uint8_t mask) { return tag | static_cast<uint64_t>(mask) << 32; }
  static constexpr uint64_t kMask = 0xFFull << 32, kSplit = 1ull << 48;
  // For a split granule: the bytes that a thread has read in an epoch (Access::epoch), and those that it has written.
  static uint64_t known_bytes(uint64_t epoch, uint8_t read, uint8_t written) { return epoch | read | static_cast<uint64_t>(written) << 8; }
  // Not split, not freed, and no object begins here.
  bool holds_one_history() const { return word() >> 40 == 0; }
  uint64_t word() const {
    uint64_t w;
    __builtin_memcpy(&w, &tag, sizeof w);
    return w;
  }
};
static_assert(sizeof(Granule) == 32);  // it never crosses a cache line
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);  // Granule::simple

class Shadow {
 public:
  static constexpr int kPageBits = 12, kChunkBits = 16, kRegionBits = 30;
  static constexpr int kAddressBits = 47;
  static constexpr uintptr_t kPage = 1 << kPageBits;
  static constexpr size_t kPagesPerChunk = 1 << (kChunkBits - kPageBits);
  static constexpr uintptr_t kLine = kPage / 64;

  struct FreedPage {
    uint64_t access;
    uintptr_t block;
  };
  struct Chunk {
    uint32_t execution;
    uint32_t object_pages;  // bit per page: an object may begin there
    uintptr_t address;
    uint32_t freed_pages;   // bit per page: see free_page
    uint32_t page_tag[kPagesPerChunk];
    uint64_t lines[kPagesPerChunk];  // of each page, bit per kLine bytes: a granule there may be valid
    FreedPage freed[kPagesPerChunk];
    alignas(64) Granule granules[1 << (kChunkBits - 3)];
  };

  // Called for each object whose memory gets another owner.
  using ObjectSink = void (*)(uintptr_t address);

  void initialise();
  void begin();

  // The granule of the address; empty if nothing is known. Null: not a user-space address.
  Granule* at(uintptr_t address) {
    Recent& recent = recent_[(address >> kChunkBits) % kRecent];
    if (__builtin_expect(recent.address != address >> kChunkBits, 0)) {
      Chunk* const found = chunk(address);
      if (found == nullptr) return nullptr;
      recent = {address >> kChunkBits, found};
    }
    Chunk* const c = recent.chunk;
    Granule& g = c->granules[(address >> 3) & ((1 << (kChunkBits - 3)) - 1)];
    const uint32_t tag = c->page_tag[page_of(address)];
    if (__builtin_expect(g.tag != tag, 0)) {
      g = {{0, 0, 0}, tag, 0, 0, false, false};
      c->lines[page_of(address)] |= line_bit(address);
      if (__builtin_expect(c->freed_pages != 0, 0)) take_from_page(*c, address, g);
    }
    return &g;
  }
  // True if the page was freed as a whole. REQUIRES: `at` has just found the granule of the address.
  bool in_freed_page(uintptr_t address) const { return is_freed(*recent_[(address >> kChunkBits) % kRecent].chunk, page_of(address)); }

  // The granule of the address, if something is known there; else null. Changes nothing.
  const Granule* known_at(uintptr_t address) const {
    const Chunk* const c = find(address);
    if (c == nullptr || c->execution != execution_) return nullptr;
    const Granule& g = c->granules[(address >> 3) & ((1 << (kChunkBits - 3)) - 1)];
    return g.tag == c->page_tag[page_of(address)] ? &g : nullptr;
  }

  // The granule of the address, if `at` would find it without a search; else null. It is valid if it has the tag.
  [[gnu::always_inline]] Granule* at_hand(uintptr_t address, uint32_t& tag) const {
    const Recent& recent = recent_[(address >> kChunkBits) % kRecent];
    if (__builtin_expect(recent.address != address >> kChunkBits, 0)) return nullptr;
    tag = recent.chunk->page_tag[page_of(address)];
    return &recent.chunk->granules[(address >> 3) & ((1 << (kChunkBits - 3)) - 1)];
  }
  // Makes a granule that `at_hand` has just found valid. False: only `at` can do that.
  [[gnu::always_inline]] bool make_valid(uintptr_t address, Granule& g, uint32_t tag) {
    Chunk& c = *recent_[(address >> kChunkBits) % kRecent].chunk;
    if (__builtin_expect(c.freed_pages != 0, 0)) return false;
    g = {{0, 0, 0}, tag, 0, 0, false, false};
    c.lines[page_of(address)] |= line_bit(address);
    return true;
  }

  // The caller gives the granules of [low, high), which is within a page, the page's tag. REQUIRES: `at` has just found one of them.
  void validate(uintptr_t low, uintptr_t high) { recent_[(low >> kChunkBits) % kRecent].chunk->lines[page_of(low)] |= line_bits(low, high); }

  // Marks all granules of the page as freed. False: an object may begin in the page, so the caller must mark each granule itself.
  bool free_page(uintptr_t page, const FreedPage& freed);
  // The memory holds something else from now on.
  void forget(uintptr_t address, size_t size, ObjectSink sink) {
    const Recent& recent = recent_[(address >> kChunkBits) % kRecent];
    if (size - 1 < kPage - (address & (kPage - 1)) && recent.address == address >> kChunkBits) return forget_in_page(*recent.chunk, address, address + size, sink);
    forget_any(address, size, sink);
  }
  // Calls `visit(address, granule)` for the known part of the range. The cost depends on how much was touched there, not on the size of the
  // range.
  template <typename Visit>
  void visit_known(uintptr_t address, size_t size, Visit visit) {
    for_each_part(address, size, [&](Chunk& c, uintptr_t low, uintptr_t high) {
      for (uintptr_t at = low; at < high;) {
        const uintptr_t page = at & ~(kPage - 1), page_end = page + kPage, end = high < page_end ? high : page_end;
        spell_out(c, page);
        for (uint64_t left = c.lines[page_of(page)] & line_bits(at, end); left != 0; left &= left - 1) {
          const uintptr_t line = page + static_cast<uintptr_t>(__builtin_ctzll(left)) * kLine;
          const uintptr_t begin = line > at ? line : at & ~uintptr_t{7}, stop = line + kLine < end ? line + kLine : end;
          for (uintptr_t a = begin; a < stop; a += 8) {
            Granule& g = c.granules[(a >> 3) & ((1 << (kChunkBits - 3)) - 1)];
            if (g.tag == c.page_tag[page_of(page)]) visit(a, g);
          }
        }
        at = end;
      }
    });
  }
  // Moves the knowledge to another address, about which nothing is known yet.
  void move(uintptr_t from, uintptr_t to, size_t size);
  // An object of the engine begins here.
  void note_object(uintptr_t address);
  // From now on, any address may be an alias of an object's address. So until the execution ends, each access may meet an object.
  void objects_have_aliases();
  // False: no object of this execution begins in the granule of the address, nor in the two after it, where an access of
  // at most kHintReach bytes may reach.
  static constexpr size_t kHintReach = 16;
  bool may_meet_object(uintptr_t address) const { return object_hint_[hint_of(address)] != 0; }
  bool holds_objects() const { return any_objects_; }
  // False: no object of this execution begins in the memory. For larger memory the hints do not tell.
  static constexpr size_t kHintedSize = 512;
  bool may_hold_object(uintptr_t address, size_t size) const {
    if (!any_objects_ || size > kHintedSize) return any_objects_;
    for (uintptr_t at = address & ~uintptr_t{7}; at < address + size; at += 8 + kHintReach) {
      if (may_meet_object(at)) return true;
    }
    return false;
  }

  // The table behind may_meet_object, for the hottest caller: one byte for each hint_of(address). kAllHints answers "yes" for all
  // addresses.
  static constexpr size_t kHints = 1 << 10;
  static constexpr size_t hint_of(uintptr_t address) { return (address >> 3) % kHints; }
  const uint8_t* object_hints() const { return object_hint_; }
  static const std::array<uint8_t, kHints> kAllHints;

 private:
  // Recent chunks of this execution, by the low bits of their numbers. A program mostly alternates between a thread's stack, a global and
  // the heap.
  static constexpr size_t kRecent = 8;
  struct Recent {
    uintptr_t address = ~uintptr_t{0};  // in chunks
    Chunk* chunk = nullptr;
  };

  // Calls `use` with the part of the range in each chunk of this execution. For large ranges (stacks, mappings), it goes over the touched
  // chunks, which are few.
  template <typename Use>
  void for_each_part(uintptr_t address, size_t size, Use use) {
    if (size == 0 || address >> kAddressBits != 0) return;
    const uintptr_t end = address + size;
    constexpr uintptr_t kChunk = 1 << kChunkBits;
    if (size / kChunk > touched_.size()) {
      for (size_t i = 0; i < touched_.size(); ++i) {
        Chunk& c = *touched_[i];
        const uintptr_t base = c.address << kChunkBits;
        const uintptr_t low = address > base ? address : base;
        const uintptr_t high = end < base + kChunk ? end : base + kChunk;
        if (low < high) use(c, low, high);
      }
      return;
    }
    for (uintptr_t at = address; at < end;) {
      const uintptr_t chunk_end = (at | (kChunk - 1)) + 1;
      const uintptr_t high = end < chunk_end ? end : chunk_end;
      Chunk* c = find(at);
      if (c != nullptr && c->execution == execution_) use(*c, at, high);
      at = high;
    }
  }
  void set_hints(uintptr_t object, uint8_t to) {
    for (uintptr_t reach = 0; reach < 3; ++reach) object_hint_[((object >> 3) - reach) % kHints] = to;
  }
  void clear_hints();
  static size_t page_of(uintptr_t address) { return (address >> kPageBits) & (kPagesPerChunk - 1); }
  static uint64_t line_bit(uintptr_t address) { return uint64_t{1} << (address / kLine) % 64; }
  // Of [low, high), which is not empty and within a page.
  static uint64_t line_bits(uintptr_t low, uintptr_t high) { return 2 * line_bit(high - 1) - line_bit(low); }
  static bool is_freed(const Chunk& c, size_t page) { return (c.freed_pages >> page & 1) != 0; }
  void begin_page(Chunk& c, size_t page) {
    c.page_tag[page] = ++tag_;
    c.lines[page] = 0;
  }
  static void take_from_page(const Chunk& c, uintptr_t address, Granule& g);
  // Moves the mark of a freed page to its granules.
  void spell_out(Chunk& c, uintptr_t address);
  Chunk* find(uintptr_t address) const;
  Chunk* chunk(uintptr_t address);  // made, and begun in this execution
  void forget_any(uintptr_t address, size_t size, ObjectSink sink);
  void forget_within(Chunk& c, uintptr_t low, uintptr_t high, ObjectSink sink);
  void forget_in_page(Chunk& c, uintptr_t low, uintptr_t high, ObjectSink sink);
  void drop_everything();

  Chunk*** regions_ = nullptr;
  Recent recent_[kRecent];
  uint8_t object_hint_[kHints] = {};
  bool any_objects_ = false;
  // The objects behind the hints, for clearing only these. If there are more, all hints are cleared.
  static constexpr size_t kFewObjects = 16;
  uintptr_t few_objects_[kFewObjects] = {};
  size_t noted_ = 0;
  Chunk* slab_ = nullptr;
  size_t slab_left_ = 0;
  size_t resident_ = 0;         // chunks touched since drop_everything()
  uint32_t tag_ = 0;            // the last one given out
  uint32_t execution_ = 0;      // the tag at its begin
  ReservedArray<Chunk*> slabs_;
  ReservedArray<Chunk*> touched_;  // in this execution
};

extern constinit Shadow g_shadow;
inline Shadow& shadow() { return g_shadow; }

}  // namespace heddle::rt
