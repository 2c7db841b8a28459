#include "analyses/taken_message.h"

#include "analyses/report/missing_order.h"
#include "analyses/report/names.h"
#include "analyses/report/stale_condition.h"

namespace heddle::rt {
namespace {

struct Message {
  uint32_t written = kNoEvent, read = kNoEvent;
};

// An epoll or a poll waits for many descriptors: the cases of the wait.
bool awaits(const RunSummary& run, uint32_t wait, uint32_t object) {
  if (run.events[wait].object == object) return true;
  for (uint32_t c = 0; c < run.select_case_count; ++c) {
    const SelectCase& s = run.select_cases[c];
    if (s.event == wait && s.object == object && static_cast<CaseDirection>(s.direction) == CaseDirection::receive) return true;
  }
  return false;
}

bool is_on(const Event& e, uint32_t object, Kind kind) { return e.object == object && e.kind == kind && e.finished() && !in_vain(e.outcome); }

// Of a descriptor whose last successful operation is this read.
Message read_last(const RunSummary& run, uint32_t wait, uint32_t read) {
  const uint32_t object = run.events[read].object;
  for (uint32_t i = read + 1; i < run.event_count; ++i) {
    if (is_on(run.events[i], object, Kind::descriptor_write) || is_on(run.events[i], object, Kind::descriptor_read)) return {};
  }
  for (uint32_t i = read; i-- > 0;) {
    if (!is_on(run.events[i], object, Kind::descriptor_write)) continue;
    // What the waiter has both written and read itself says nothing.
    const uint32_t waiter = run.events[wait].thread;
    return run.events[i].thread != waiter || run.events[read].thread != waiter ? Message{i, read} : Message{};
  }
  return {};
}

Message taken_message(const RunSummary& run, uint32_t wait) {
  const Kind kind = run.events[wait].kind;
  if (kind != Kind::descriptor_read && kind != Kind::descriptor_wait) return {};
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.object == 0 || !is_on(e, e.object, Kind::descriptor_read)) continue;
    // A long run has many reads and many cases: only the last read of each descriptor is looked up among these.
    if (const Message message = read_last(run, wait, i); message.read != kNoEvent && awaits(run, wait, e.object)) return message;
  }
  return {};
}

// The thread's last section of a lock that the writer then held before it wrote: of data that a lock protects, accesses are no steps of their own.
void add_earlier_section(Story& story, const RunSummary& run, const Message& message, const char* indent) {
  const uint32_t reader = run.events[message.read].thread, writer = run.events[message.written].thread;
  const auto last_lock = [&](uint32_t thread, uint32_t object, uint32_t before) {
    for (uint32_t i = before; i-- > 0;) {
      const Event& e = run.events[i];
      const bool takes = e.object != 0 && kind_info(e.kind).has(kHoldsLock) && e.finished() && !in_vain(e.outcome);
      if (takes && e.thread == thread && (object == 0 || e.object == object)) return i;
    }
    return kNoEvent;
  };
  constexpr int kSections = 16;  // of the reader, that are looked at
  uint32_t own = message.read;
  for (int i = 0; i < kSections && (own = last_lock(reader, 0, own)) != kNoEvent; ++i) {
    const uint32_t object = run.events[own].object, others = last_lock(writer, object, message.written);
    if (others == kNoEvent || others < own || last_lock(reader, object, run.event_count) != own) continue;
    Text& what = story.what;
    what.put(indent);
    put_thread(what, run, reader);
    what.add(" held %s last at ", object_name(run, object));
    put_event_place(what, run, own);
    what.put(", before ");
    put_thread(what, run, writer);
    what.put(" held it at ");
    put_event_place(what, run, others);
    what.put(".\n");
    story.add_event(own);
    story.add_event(others);
    return;
  }
}

}  // namespace

void add_taken_message(Story& story, const RunSummary& run, uint32_t wait, const char* indent) {
  const Message message = taken_message(run, wait);
  if (message.read == kNoEvent) return;
  const Event &read = run.events[message.read], &written = run.events[message.written];
  const bool itself = read.thread == run.events[wait].thread;
  Text& what = story.what;
  what.put(indent);
  put_thread(what, run, read.thread);
  what.add("%s read from %s at ", itself ? " itself" : "", object_name(run, read.object));
  put_event_place(what, run, message.read);
  what.put(" what ");
  put_thread(what, run, written.thread);
  what.put(" wrote last, at ");
  put_event_place(what, run, message.written);
  what.put(itself ? ", before it began to wait.\n" : ".\n");
  story.add_event(message.written);
  story.add_event(message.read);
  if (itself && !add_stale_condition(story, run, wait, message.written, indent)) add_earlier_section(story, run, message, indent);
}

}  // namespace heddle::rt
