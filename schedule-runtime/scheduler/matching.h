// Does an operation match a schedule element? Open fields of the element match anything.
#pragma once

#include "schema/event.h"
#include "schema/schedule.h"
#include "scheduler/pending.h"
#include "trace/recorder.h"

namespace heddle::rt {

// The last write to an object, in the terms of an element.
struct WriteRecord {
  SiteId site = kNoSite;  // kNoSite: the initial value
  ThreadId thread = 0;
  uint32_t occurrence = 0;
  uint32_t context = 0;
  Kind kind = Kind::none;
};

// kNoEvent: the initial value.
inline WriteRecord write_record(uint32_t event) {
  if (event == kNoEvent) return {};
  const Event& e = recorder().events[event];
  return {e.site, recorder().threads[e.thread].id, e.occurrence, e.context, e.kind};
}

// A fast test: most elements name another place than the op does, and comparing two words shows that.
inline uint64_t place_key(SiteId site, Kind kind) { return site + static_cast<uint8_t>(kind); }

inline bool matches(const Element& e, const Pending& p) {
  return e.site == p.site && e.site != kNoSite && e.kind == p.kind &&
         (e.thread == kAnyThread || e.thread == p.thread) &&
         (e.occurrence == 0 || e.occurrence == p.occurrence) &&
         (e.object == kAnyObject || e.object == p.object_id) &&
         (e.context == 0 || e.context == p.context);
}

inline bool matches(const Element& e, const WriteRecord& w) {
  return e.site == w.site && (e.site == kNoSite || (e.kind == w.kind &&
         (e.thread == kAnyThread || e.thread == w.thread) &&
         (e.occurrence == 0 || e.occurrence == w.occurrence) &&
         (e.context == 0 || e.context == w.context)));
}

}  // namespace heddle::rt
