#include "analyses/free_finding.h"

#include "analyses/end_findings.h"
#include "analyses/report/address_source.h"
#include "analyses/report/last_word.h"
#include "analyses/report/memory_words.h"
#include "analyses/report/positions.h"
#include "heap/execution_heap.h"
#include "trace/live_state.h"

namespace heddle::rt {

void add_stack_of(Story& story, const RunSummary& run, const Freed& by, bool signs, const char* does) {
  static constinit Text title;
  title.clear();
  put_thread(title, run, by.thread);
  title.add(" %s", does);
  title.repeat('\0', 1);
  story.add_stack(by.site, by.context, signs, "%s", title.view().data());
}

namespace {

constexpr size_t kLeastBlock = 24;  // glibc's

void name_freed(Story& story, const RunSummary& run, uintptr_t begin, const Freed& by) {
  const auto* const address = reinterpret_cast<const void*>(begin);
  const HeapBlock found = execution_heap().contains(address) ? execution_heap().find(address) : HeapBlock{};
  // What glibc has of a freed block says nothing about its size.
  name_block_of(story, begin, found ? found.size : kLeastBlock);
  story.block.is.put("heap block, freed by ");
  put_thread(story.block.is, run, by.thread);
}

void tell_source(Story& story, const RunSummary& run, const Freed& by) {
  const uint32_t events = by.events == Freed::kManyEvents ? kNoEvent : by.events;
  tell_source_of_address(story, run, {story.block.begin, story.block.begin + story.block.size, events, "the free"});
}

void report_use_after_free(const BadFreeReport& bad) {
  const bool write = bad.what == BadFree::written_after;
  const RunSummary& run = recorder().publish();
  Story& story = scratch_story();
  story.begin(FindingType::heap_use_after_free, 0);
  story.address = bad.address;
  story.thread = bad.now.thread;
  Text& what = story.what;
  put_thread(what, run, bad.now.thread);
  name_freed(story, run, bad.block, bad.first);
  if (bad.used != nullptr) what.add(" uses %s at", bad.used);
  else what.put(write ? " writes" : " reads");
  what.add(" byte %zu of a heap block that ", static_cast<size_t>(bad.address - bad.block));
  put_thread(what, run, bad.first.thread);
  // Nothing is known about earlier owners of the memory. The pointer may be from their time.
  what.put(!bad.first.again ? " freed earlier, not reallocated since.\n"
                            : " freed last, not reallocated since.\nThe memory had other owners before. The pointer may come from one of them.\n");
  tell_source(story, run, bad.first);
  what.put("\n");
  Freed now = bad.now;
  now.context = live_state().current_context();
  add_stack_of(story, run, now, true, bad.used != nullptr ? "uses it here" : write ? "writes it here" : "reads it here");
  static constinit Text words;
  words.clear();
  if (bad.used != nullptr) words.add("use %s at ", bad.used);
  else words.put(write ? "write " : "read ");
  put_memory_name(words, run, bad.address);
  story.set_now(words.view());
  add_row_of_free(story, run, bad.first, bad.first.site);
  if (bad.first.events != Freed::kManyEvents) add_last_word(story, run, bad.first.thread, bad.now.thread, bad.first.events);
  add_stack_of(story, run, bad.first, !bad.first.again, bad.first.again ? "freed this memory last, here" : "freed it earlier, here");
  report(story, false);
}

}  // namespace

void report_bad_free(const BadFreeReport& bad) {
  live_state().make_again();
  OutsideExecution outside;
  forget_names();
  if (bad.what == BadFree::read_after || bad.what == BadFree::written_after) return report_use_after_free(bad);
  const RunSummary& run = recorder().publish();
  const bool twice = bad.what == BadFree::twice;
  Story& story = scratch_story();
  story.begin(twice ? FindingType::double_free : FindingType::invalid_free, 0);
  story.address = bad.address;
  story.thread = bad.now.thread;
  Text& what = story.what;
  put_thread(what, run, bad.now.thread);
  if (twice) {
    what.put(" frees a heap block that ");
    put_thread(what, run, bad.first.thread);
    what.put(" freed earlier, not reallocated since.\n");
    name_freed(story, run, bad.address, bad.first);
    tell_source(story, run, bad.first);
    what.put("\n");
  } else {
    uintptr_t offset = 0, low, high;
    what.put(" frees ");
    if (const char* datum = datum_name(bad.address, offset)) {
      what.put(datum);
      if (offset != 0) what.add("+%zu", static_cast<size_t>(offset));
      what.put(", which is a global variable");
    } else if (live_state().stack(bad.now.thread, low, high) && bad.address >= low && bad.address < high) {
      what.put("memory on its own stack");
    } else {
      what.put("an address at which no heap block begins");
    }
    what.put(".\n");
    tell_source_of_address(story, run, {bad.address, bad.address + 1, kNoEvent, "the free"});
    what.put("\n");
  }
  add_stack_of(story, run, bad.now, true, "frees it here");
  if (twice) {
    story.set_now("free block");
    add_row_of_free(story, run, bad.first, bad.first.site);
    if (bad.first.events != Freed::kManyEvents) add_last_word(story, run, bad.first.thread, bad.now.thread, bad.first.events);
    add_stack_of(story, run, bad.first, true, "freed it earlier, here");
  }
  report(story, false);
}

}  // namespace heddle::rt
