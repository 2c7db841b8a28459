#include "harness/driver/run_places.h"

#include "analyses/report/wrappers.h"
#include "base/reserved_array.h"
#include "trace/recorder.h"
#include "trace/sites.h"

namespace heddle::driver {
namespace {

constexpr uint32_t kMostSites = 1 << 20;
constexpr uint32_t kMostFrames = 4096, kFirstFrame = 1u << 30;  // their numbers are no site's
constexpr uint32_t kSlots = 2 * kMostFrames;  // a power of 2, and never full

struct Slot {
  const rt::Frame* frame;
  uint32_t number;
};

constinit rt::ReservedArray<uint8_t> g_sites;  // 1: it has its line
constinit rt::ReservedArray<Slot> g_slots;     // a hash table of the frames that have theirs
constinit uint32_t g_frames = 0;

Slot& slot_of(const rt::Frame& frame) {
  uint32_t i = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&frame) / alignof(rt::Frame) * 0x9E3779B1u);
  while (g_slots[i % kSlots].frame != nullptr && g_slots[i % kSlots].frame != &frame) ++i;
  return g_slots[i % kSlots];
}

}  // namespace

RunPlaces::RunPlaces(const RunSummary& run, uint32_t first, RunLines& lines) : run_(run), first_(first), lines_(lines) {
  g_sites.reserve(kMostSites);
  g_slots.reserve(kSlots);
  for (uint32_t i = 0; i < rt::sites().size(); ++i) g_sites[i] = 0;
  for (uint32_t i = 0; i < kSlots; ++i) g_slots[i] = {};
  g_frames = 0;
  rt::begin_wrappers();
  for (uint32_t i = first; i < run.event_count; ++i) {
    rt::add_operation(rt::recorder().position_of(run.events, i), rt::recorder().context_of(i), rt::accesses_memory(run.events[i].kind));
  }
  rt::find_wrappers();
}

void RunPlaces::put_frame(uint32_t number, const rt::Frame& frame) {
  lines_.text().add("{\"site\":%u", number);
  lines_.put_words("function", frame.function);
  if (frame.file == nullptr) return;
  lines_.put_words("file", frame.file);
  lines_.text().add(",\"line\":%u,\"column\":%u", frame.line, frame.column);
}

// kNoPlace: there are too many.
uint32_t RunPlaces::tell_frame(const rt::Frame& frame) {
  Slot& slot = slot_of(frame);
  if (slot.frame != nullptr) return slot.number;
  if (g_frames == kMostFrames) return kNoPlace;
  slot = {&frame, kFirstFrame + g_frames++};
  put_frame(slot.number, frame);
  lines_.end_line();
  return slot.number;
}

// The frame is the site's own, or one of its callers'.
uint32_t RunPlaces::tell(uint32_t site, const rt::Frame& frame) {
  if (&frame != &rt::user_frame(site) && !rt::own_site(site)) {
    if (const uint32_t number = tell_frame(frame); number != kNoPlace) return number;
  }
  if (site < rt::sites().size() && g_sites[site] == 0) {
    g_sites[site] = 1;
    put_frame(site, rt::user_frame(site));
    if (rt::own_site(site)) lines_.text().put(",\"own\":true");
    lines_.end_line();
  }
  return site;
}

RunPlaces::Numbers RunPlaces::of_event(uint32_t event) {
  const uint32_t site = rt::user_site(rt::recorder().position_of(run_.events, event), rt::recorder().context_of(event));
  const rt::Frame* const caller = rt::caller_of_operation(event - first_);
  const uint32_t at = tell(site, rt::frame_of_operation(event - first_));
  return {at, caller != nullptr ? tell_frame(*caller) : kNoPlace};
}

uint32_t RunPlaces::of(uint32_t position, uint32_t context) {
  return tell(rt::user_site(position, context), rt::frame_outside_wrappers(position, context));
}

}  // namespace heddle::driver
