#include "analyses/report/thread_list.h"

#include <algorithm>

#include "analyses/report/names.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kNamed = 6;     // names in a line
constexpr uint32_t kShortest = 3;  // "main.1 to main.3"

constinit ReservedArray<uint32_t> g_threads;

}  // namespace

ThreadList::ThreadList() { g_threads.reserve(Recorder::kMaxThreads); }

void ThreadList::add(uint32_t thread) { g_threads[count_++] = thread; }

void ThreadList::put(Text& out, const RunSummary& run) const {
  std::sort(g_threads.data(), g_threads.data() + count_);
  uint32_t named = 0;
  for (uint32_t i = 0; i < count_;) {
    if (named == kNamed) {
      out.add(" and %u more", count_ - i);
      return;
    }
    // Children of one thread that were created one after the other have numbers one after the other.
    uint32_t end = i + 1;
    while (end < count_ && g_threads[end] == g_threads[end - 1] + 1 && run.threads[g_threads[end]].parent == run.threads[g_threads[i]].parent) ++end;
    const bool folds = end - i >= kShortest;
    if (i != 0) out.put(", ");
    put_thread(out, run, g_threads[i]);
    if (folds) {
      out.put(" to ");
      put_thread(out, run, g_threads[end - 1]);
    }
    named += folds ? 2 : 1;
    i = folds ? end : i + 1;
  }
}

}  // namespace heddle::rt
