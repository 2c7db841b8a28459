#include "races/shadow.h"

#include <sys/mman.h>

#include <cstring>

#include "races/full_table.h"

namespace heddle::rt {
namespace {

constexpr size_t kRegions = 1ull << (Shadow::kAddressBits - Shadow::kRegionBits);
constexpr size_t kChunksPerRegion = 1ull << (Shadow::kRegionBits - Shadow::kChunkBits);
constexpr size_t kSlabChunks = 64;
// For a target that uses ever new addresses: beyond this limit (64 MiB of its memory, 256 MiB of shadow) the pages go back to the system.
constexpr size_t kKeptChunks = 1024;
constexpr size_t kMaxChunks = 1 << 20;
constexpr uint32_t kLastTag = 0xF0000000u;

}  // namespace

constinit Shadow g_shadow;

constinit const std::array<uint8_t, Shadow::kHints> Shadow::kAllHints = [] {
  std::array<uint8_t, kHints> all{};
  all.fill(1);
  return all;
}();

void Shadow::initialise() {
  if (regions_ != nullptr) return;
  regions_ = static_cast<Chunk***>(reserve_memory(kRegions * sizeof(Chunk**)));
  slabs_.reserve(kMaxChunks / kSlabChunks);
  touched_.reserve(kMaxChunks);
}

void Shadow::begin() {
  if (resident_ > kKeptChunks || tag_ > kLastTag) drop_everything();
  touched_.clear();
  for (Recent& r : recent_) r = {};
  if (any_objects_) clear_hints();
  execution_ = ++tag_;
}

void Shadow::clear_hints() {
  if (noted_ <= kFewObjects) {
    for (size_t i = 0; i < noted_; ++i) set_hints(few_objects_[i], 0);
  } else {
    memset(object_hint_, 0, sizeof object_hint_);
  }
  noted_ = 0;
  any_objects_ = false;
}

// The tables stay. The chunks become zero, which is valid because no execution and no tag has the number 0.
void Shadow::drop_everything() {
  for (Chunk* slab : slabs_) madvise(slab, kSlabChunks * sizeof(Chunk), MADV_DONTNEED);
  resident_ = 0;
  tag_ = 0;
}

Shadow::Chunk* Shadow::find(uintptr_t address) const {
  if (address >> kAddressBits != 0) return nullptr;
  Chunk** region = regions_[address >> kRegionBits];
  return region != nullptr ? region[(address >> kChunkBits) & (kChunksPerRegion - 1)] : nullptr;
}

Shadow::Chunk* Shadow::chunk(uintptr_t address) {
  if (address >> kAddressBits != 0) return nullptr;
  Chunk**& region = regions_[address >> kRegionBits];
  if (region == nullptr) region = static_cast<Chunk**>(reserve_memory(kChunksPerRegion * sizeof(Chunk*)));
  Chunk*& c = region[(address >> kChunkBits) & (kChunksPerRegion - 1)];
  if (c == nullptr) {
    if (slab_left_ == 0) {
      if (slabs_.full()) {
        say_full("64-KiB regions of memory");
        return nullptr;
      }
      slab_ = static_cast<Chunk*>(reserve_memory(kSlabChunks * sizeof(Chunk)));
      slab_left_ = kSlabChunks;
      slabs_.push() = slab_;
    }
    c = slab_++;
    --slab_left_;
  }
  if (c->execution != execution_) {
    if (c->execution == 0) ++resident_;
    c->execution = execution_;
    c->object_pages = c->freed_pages = 0;
    c->address = address >> kChunkBits;
    for (uint32_t& tag : c->page_tag) tag = execution_;
    memset(c->lines, 0, sizeof c->lines);
    touched_.push() = c;
  }
  return c;
}

void Shadow::note_object(uintptr_t address) {
  Granule* g = at(address);
  if (g == nullptr) return;
  g->objects |= static_cast<uint8_t>(1u << (address & 7));
  set_hints(address, 1);
  if (noted_ < kFewObjects) few_objects_[noted_] = address;
  ++noted_;
  any_objects_ = true;
  find(address)->object_pages |= 1u << page_of(address);
}

void Shadow::objects_have_aliases() {
  memset(object_hint_, 1, sizeof object_hint_);
  noted_ = kFewObjects + 1;
  any_objects_ = true;
}

void Shadow::move(uintptr_t from, uintptr_t to, size_t size) {
  visit_known(from, size, [&](uintptr_t address, Granule& g) {
    Granule* const there = at(to + (address - from));
    if (there == nullptr) return;
    const uint32_t tag = there->tag;
    *there = g;
    there->tag = tag;
    g.tag = 0;
    if (g.objects != 0) find(to + (address - from))->object_pages |= 1u << page_of(to + (address - from));
  });
}

void Shadow::take_from_page(const Chunk& c, uintptr_t address, Granule& g) {
  if (!is_freed(c, page_of(address))) return;
  const FreedPage& freed = c.freed[page_of(address)];
  g.cell = {freed.access, freed.block, 0};
  g.freed = true;
}

void Shadow::spell_out(Chunk& c, uintptr_t address) {
  if (!is_freed(c, page_of(address))) return;
  const uintptr_t page = address & ~(kPage - 1);
  for (uintptr_t a = page; a < page + kPage; a += 8) at(a);
  c.freed_pages &= ~(1u << page_of(address));
}

bool Shadow::free_page(uintptr_t address, const FreedPage& freed) {
  Chunk* const c = chunk(address);
  const size_t page = page_of(address);
  if (c == nullptr || (c->object_pages >> page & 1) != 0) return false;
  begin_page(*c, page);
  c->freed_pages |= 1u << page;
  c->freed[page] = freed;
  return true;
}

// [low, high) lies within a page. A whole page without objects gets a new tag. Others are forgotten granule by granule, including bytes of a
// neighbour (heap blocks begin and end at granule boundaries).
void Shadow::forget_in_page(Chunk& c, uintptr_t low, uintptr_t high, ObjectSink sink) {
  const size_t page = page_of(low);
  const bool whole = high - low == kPage;
  if (__builtin_expect(c.freed_pages != 0, 0)) {
    if (whole) c.freed_pages &= ~(1u << page);
    else spell_out(c, low);
  }
  if (whole && (c.object_pages >> page & 1) == 0) return begin_page(c, page);
  const uint32_t tag = c.page_tag[page];
  Granule* g = &c.granules[(low >> 3) & ((1 << (kChunkBits - 3)) - 1)];
  for (uintptr_t a = low & ~uintptr_t{7}; a < high; a += 8, ++g) {
    if (g->tag != tag) continue;
    g->tag = 0;
    if (__builtin_expect(g->objects == 0, 1) || sink == nullptr) continue;
    const uint8_t objects = g->objects;
    for (int i = 0; i < 8; ++i) {
      if (objects >> i & 1) sink(a + i);
    }
  }
}

// [low, high) lies within the chunk.
void Shadow::forget_within(Chunk& c, uintptr_t low, uintptr_t high, ObjectSink sink) {
  for (uintptr_t at = low; at < high;) {
    const uintptr_t page_end = (at | (kPage - 1)) + 1;
    const uintptr_t end = high < page_end ? high : page_end;
    forget_in_page(c, at, end, sink);
    at = end;
  }
}

void Shadow::forget_any(uintptr_t address, size_t size, ObjectSink sink) {
  for_each_part(address, size, [&](Chunk& c, uintptr_t low, uintptr_t high) { forget_within(c, low, high, sink); });
}

}  // namespace heddle::rt
