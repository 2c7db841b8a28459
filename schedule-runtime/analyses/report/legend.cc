#include "analyses/report/legend.h"

#include <cstring>

#include "analyses/library_primitive.h"
#include "analyses/report/memory_words.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/rows.h"
#include "analyses/report/thread_list.h"
#include "analyses/report/wrappers.h"
#include "trace/file_notes.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

// A semaphore or the like of the C++ library is two objects of one name, and so is an atomic variable on which threads wait.
bool known_by_name(const RunSummary& run, uint32_t object) {
  const std::string_view noun = object_noun(run, object);
  const bool of_library = is_library_primitive(noun);
  if (!of_library && noun != "futex") return false;
  for (const Row& r : rows()) {
    const uint32_t other = r.event.object;
    if (other == object && of_library) return false;
    if (r.shown && other != object && other != 0 && strcmp(object_name(run, other), object_name(run, object)) == 0) return true;
  }
  return false;
}

// The rows name the files. (All of them are one object.)
bool named_in_rows(uint32_t object) {
  for (const Row& r : rows()) {
    if (r.shown && r.event.object == object && file_notes().of(r.index) == nullptr) return false;
  }
  return true;
}

Frame creation_of(const RunSummary& run, uint32_t thread) {
  const uint32_t create = run.threads[thread].create_event;
  return frame_outside_wrappers(recorder().position_of(run.events, create), recorder().context_of(create));
}

// By thread: who has created it, and at which place, as a hash; 0: it is not listed (any more). The code may have several positions for one place.
constinit ReservedArray<uint64_t> g_creation;

void find_creations(const RunSummary& run) {
  static constinit Text place;
  g_creation.reserve(Recorder::kMaxThreads);
  for (uint32_t t = 0; t < run.thread_count; ++t) g_creation[t] = 0;
  for (const Row& r : rows()) {
    const uint32_t t = r.event.thread;
    if (!r.shown || t >= run.thread_count || g_creation[t] != 0 || run.threads[t].create_event >= run.event_count) continue;
    place.clear();
    put_place(place, creation_of(run, t));
    g_creation[t] = mix(hash_of_text(place.view()), run.threads[t].parent) | 1;
  }
}

void put_threads(Text& out, const RunSummary& run) {
  find_creations(run);
  bool heading = false;
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    const uint64_t creation = g_creation[t];
    if (creation == 0) continue;
    if (!heading) out.put("Threads:\n");
    heading = true;
    ThreadList alike;
    for (uint32_t other = t; other < run.thread_count; ++other) {
      if (g_creation[other] != creation) continue;
      alike.add(other);
      g_creation[other] = 0;
    }
    out.put("  ");
    alike.put(out, run);
    out.put(": created by ");
    put_thread(out, run, run.threads[t].parent);
    out.put(" at ");
    put_place(out, creation_of(run, t));
    out.put("\n");
  }
}

void put_objects(Text& out, const RunSummary& run, const Story& story) {
  static constinit ReservedArray<uint8_t> known;
  known.reserve(1 << 20);
  for (uint32_t i = 0; i < run.object_count; ++i) known[i] = 0;
  bool heading = false;
  const auto put_object = [&](uint32_t object, Kind kind) {
    if (object == 0 || object >= run.object_count || known[object] != 0) return;
    known[object] = 1;
    char block[kBlockNameSize];
    if (put_block_name(live_state().object_address(object), block) || known_by_name(run, object)) return;
    if ((kind == Kind::file_read || kind == Kind::file_write) && named_in_rows(object)) return;
    if (thread_behind(run, object) != kNoEvent || kind_info(kind).has(kThread)) return;
    if (!heading) out.put("Objects:\n");
    heading = true;
    out.add("  %s: ", object_name(run, object));
    put_object_origin(out, run, object);
    out.put("\n");
  };
  for (const Row& r : rows()) {
    if (!r.shown) continue;
    put_object(r.event.object, r.event.kind);
    for (uint32_t c = 0; r.event.kind == Kind::select && c < run.select_case_count; ++c) {
      if (run.select_cases[c].event == r.index) put_object(run.select_cases[c].object, Kind::select);
    }
  }
  for (uint32_t i = 0; i < story.memory_count; ++i) {
    if (!heading) out.put("Objects:\n");
    heading = true;
    out.add("  %s: variable on ", story.memory[i].name);
    put_memory_owner(out, run, story.memory[i].address);
    out.put("\n");
  }
  if (story.block.size == 0) return;
  if (!heading) out.put("Objects:\n");
  out.put("  block: ");
  out.put(story.block.is.view());
  out.put("\n");
}

}  // namespace

void put_legend(Text& out, const RunSummary& run, const Story& story) {
  put_threads(out, run);
  put_objects(out, run, story);
}

}  // namespace heddle::rt
