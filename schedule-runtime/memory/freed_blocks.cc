#include "memory/freed_blocks.h"

#include <atomic>

#include "base/address_map.h"
#include "base/reserved_array.h"
#include "memory/ledger.h"

namespace heddle::rt::freed_blocks {
namespace {

constexpr size_t kMaxRecords = 1 << 20;

struct Record {
  Freed by;
  uint32_t strangers;  // g_strangers at that time
  bool live;           // allocated again
};

constinit AddressMap g_by_block;  // 1 + the record's number: a block that comes and goes has one
constinit ReservedArray<Record> g_records;
// Blocks that threads outside of heddle's control have been given.
constinit std::atomic<uint32_t> g_strangers{0};
constinit Sink g_sink = nullptr;

uint64_t key(const void* block) { return reinterpret_cast<uintptr_t>(block); }

}  // namespace

void begin() {
  g_by_block.initialise(10);
  g_records.reserve(kMaxRecords);
  g_by_block.clear();
  g_records.clear();
}

void remember(const void* block, const Freed& by) {
  if (g_records.full()) begin();
  bool inserted;
  uint32_t& number = g_by_block.find_or_insert(key(block), inserted);
  if (inserted) {
    g_records.push();
    number = static_cast<uint32_t>(g_records.size());
  }
  g_records[number - 1] = {by, g_strangers.load(std::memory_order_relaxed), false};
}

const Freed* find(const void* block) {
  if (g_records.size() == 0) return nullptr;
  const uint32_t* const number = g_by_block.find(key(block));
  if (number == nullptr) return nullptr;
  const Record& r = g_records[*number - 1];
  return !r.live && r.strangers == g_strangers.load(std::memory_order_relaxed) ? &r.by : nullptr;
}

void reborn(const void* block) {
  if (!ledger::admitted()) {
    g_strangers.fetch_add(1, std::memory_order_relaxed);
  } else if (g_records.size() != 0) {
    if (const uint32_t* const number = g_by_block.find(key(block))) g_records[*number - 1].live = true;
  }
}

void set_sink(Sink sink) { g_sink = sink; }
void report(const BadFreeReport& bad) {
  if (g_sink != nullptr) g_sink(bad);
}

}  // namespace heddle::rt::freed_blocks
