#include "analyses/asan_block.h"

#include "analyses/report/address_source.h"
#include "analyses/report/last_word.h"
#include "analyses/report/memory_words.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "base/asan.h"
#include "heap/free_notes.h"
#include "trace/sites.h"

// ASan's public interface. None of these takes a lock that its report holds.
extern "C" {
__attribute__((weak)) int __asan_report_present();
__attribute__((weak)) void* __asan_get_report_pc();
__attribute__((weak)) void* __asan_get_report_address();
__attribute__((weak)) int __asan_get_report_access_type();
__attribute__((weak)) size_t __asan_get_free_stack(void* address, void** trace, size_t size, int* thread);
}

namespace heddle::rt {
namespace {

// ASan's allocator does not know who calls it, and heddle's hook in it does not either. But ASan keeps the stack.
uint32_t site_of_free(void* address, uint32_t fallback) {
  constexpr size_t kDepth = 32;
  void* trace[kDepth];
  const size_t n = &__asan_get_free_stack != nullptr ? by_address(&__asan_get_free_stack)(address, trace, kDepth, nullptr) : 0;
  for (size_t i = 0; i < n && i < kDepth; ++i) {
    const uint32_t site = sites().index_of(reinterpret_cast<uintptr_t>(trace[i]) + 1);  // a call's own position, not where it returns to
    if (has_users_code(site)) return site;
  }
  return fallback;
}

}  // namespace

bool tell_asan_block(const RunSummary& run, Story& story) {
  if (&__asan_report_present == nullptr || &__asan_get_report_address == nullptr || by_address(&__asan_report_present)() == 0) return false;
  void* const address = by_address(&__asan_get_report_address)();
  const FreeNote* const note = free_notes().find(reinterpret_cast<uintptr_t>(address));
  if (note == nullptr || by_address(&__asan_get_free_stack)(address, nullptr, 0, nullptr) == SIZE_MAX) return false;
  name_block_of(story, note->begin, note->size);
  story.block.is.add("heap block of %zu bytes, freed by ", note->size);
  put_thread(story.block.is, run, note->by.thread);
  const size_t before = story.what.view().size();
  tell_source_of_address(story, run, {note->begin, note->begin + note->size, note->by.events == Freed::kManyEvents ? kNoEvent : note->by.events, "the free"});
  if (story.what.view().size() != before) story.what.put("\n");
  add_row_of_free(story, run, note->by, site_of_free(address, note->by.site));
  if (story.thread < run.thread_count && note->by.events != Freed::kManyEvents) add_last_word(story, run, note->by.thread, story.thread, note->by.events);
  static constinit Text words;
  words.clear();
  const bool accesses = by_address(&__asan_get_report_pc)() != nullptr;  // else it frees the block again
  words.put(!accesses ? "free " : by_address(&__asan_get_report_access_type)() != 0 ? "write " : "read ");
  put_memory_name(words, run, reinterpret_cast<uintptr_t>(address));
  story.set_now(words.view());
  return true;
}

}  // namespace heddle::rt
