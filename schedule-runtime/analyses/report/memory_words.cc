#include "analyses/report/memory_words.h"

#include <cstdio>

#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/thread_local_name.h"
#include "base/elf.h"
#include "base/path.h"
#include "trace/live_state.h"

namespace heddle::rt {
namespace {

// Bytes of a visible object in which one access may be.
constexpr uintptr_t kReachOfObject = 64;
constexpr std::string_view kNoName = "a variable";
constexpr char kLetterOfVariables = 'P';  // as for visible plain accesses

}  // namespace

void put_memory_name(Text& out, const RunSummary& run, uintptr_t address) {
  uintptr_t offset = 0;
  if (const char* datum = datum_name(address, offset)) {
    out.put(datum);
    if (offset != 0) out.add("+%zu", static_cast<size_t>(offset));
    return;
  }
  char block[kBlockNameSize];
  if (put_block_name(address, block)) return out.put(block);
  for (uint32_t i = 1; i < run.object_count; ++i) {
    if (live_state().object_address(i) == address) return out.put(object_name(run, i));
  }
  char local[kBlockNameSize];
  out.put(name_thread_local(run, address, local, sizeof local) ? local : kNoName.data());
}

namespace {

// The thread on whose stack the address is; kNoEvent: none.
uint32_t stack_of(const RunSummary& run, uintptr_t address) {
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    uintptr_t low, high;
    if (live_state().stack(t, low, high) && address >= low && address < high) return t;
  }
  return kNoEvent;
}

}  // namespace

void put_memory_owner(Text& out, const RunSummary& run, uintptr_t address) {
  const uint32_t thread = stack_of(run, address);
  if (thread == kNoEvent) return out.put("the heap");
  out.put("the stack of ");
  put_thread(out, run, thread);
}

void put_memory_name(Text& out, const RunSummary& run, const Story& story, uintptr_t address) {
  for (uint32_t i = 0; i < story.memory_count; ++i) {
    if (story.memory[i].address == address) return out.put(story.memory[i].name);
  }
  static constinit Text name;
  name.clear();
  put_memory_name(name, run, address);
  out.put(name.view());
  if (name.view() != kNoName) return;
  out.put(" on ");
  put_memory_owner(out, run, address);
}

std::string_view memory_name(Story& story, const RunSummary& run, uintptr_t address) {
  static constinit Text name;
  name.clear();
  put_memory_name(name, run, address);
  if (name.view() != kNoName) return name.view();
  for (uint32_t i = 0; i < story.memory_count; ++i) {
    if (story.memory[i].address == address) return story.memory[i].name;
  }
  if (story.memory_count == Story::kMaxMemory) return {};
  NamedMemory& m = story.memory[story.memory_count];
  m.address = address;
  snprintf(m.name, sizeof m.name, "%c%u", kLetterOfVariables, objects_with(run, kLetterOfVariables) + ++story.memory_count);
  return m.name;
}

void put_memory_location(Text& out, const RunSummary& run, uintptr_t address, const BlockNote* block) {
  uintptr_t offset = 0;
  if (const char* datum = datum_name(address, offset)) {
    out.put(datum);
    if (offset != 0) out.add("+%zu", static_cast<size_t>(offset));
    return out.put(", a global variable");
  }
  if (stack_of(run, address) != kNoEvent) return put_memory_owner(out, run, address);
  if (const char* module = block == nullptr ? module_name_of(address) : nullptr) return out.add("memory of %s", base_name(module));
  if (block == nullptr) return out.put("memory that is neither a global variable nor a known heap block");
  out.add("byte %zu of a heap block that ", static_cast<size_t>(address - block->begin));
  put_thread(out, run, block->thread);
  out.put(" allocated");
}

uint32_t visible_access(const RunSummary& run, uint32_t thread, uint32_t events, uintptr_t address) {
  if (events == 0 || events > run.event_count) return kNoEvent;
  const Event& e = run.events[events - 1];
  if (e.thread != thread || e.object == 0 || !kind_info(e.kind).has(kPlain)) return kNoEvent;
  const uintptr_t begin = live_state().object_address(e.object);
  return address - begin < kReachOfObject ? events - 1 : kNoEvent;
}

namespace {

// The event that is this free, if it was a choice point: it is on some variable in the block (plain_access.cc, named_object). With ASan, its position
// is in the runtime.
uint32_t visible_free(const Story& story, const RunSummary& run, const Freed& by) {
  if (by.events == 0 || by.events > run.event_count) return kNoEvent;
  const Event& e = run.events[by.events - 1];
  if (e.thread != by.thread || e.object == 0 || e.kind != Kind::plain_write || !(e.pc_index == by.site || own_site(e.pc_index))) return kNoEvent;
  return live_state().object_address(e.object) - story.block.begin < story.block.size ? by.events - 1 : kNoEvent;
}

}  // namespace

void add_row_of_free(Story& story, const RunSummary& run, const Freed& by, uint32_t site) {
  if (by.events == Freed::kManyEvents) return;
  story.add_aside({by.thread, by.events, visible_free(story, run, by), site, by.context, {}}, "free block");
}

void name_block_of(Story& story, uintptr_t begin, size_t size) {
  story.block.begin = begin;
  story.block.size = size;
  name_block(begin, size);
}

}  // namespace heddle::rt
