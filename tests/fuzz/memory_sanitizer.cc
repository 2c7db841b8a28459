// The pure parts under MemorySanitizer: decoder, encoder, clocks. No engine and no string of the C++ library, which are not instrumented
// for it and would be reported.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "order/owned_memory.h"
#include "order/run_order.h"
#include "schema/codec.h"
#include "schema/event.h"
#include "schema/identity.h"
#include "schema/kinds.h"

namespace {

using namespace heddle;

uint64_t state = 1;
uint64_t draw(uint64_t below) { return (state = mix(state, 1)) % below; }

// What is read must have been written: a branch on it tells MSan.
void use(bool value) {
  if (value) std::fputc(' ', stderr);
}

std::vector<uint8_t> some_schedule() {
  Schedule s;
  s.seed = draw(1 << 20);
  s.elements.resize(draw(5));
  s.reads_from.resize(draw(3));
  s.visible_plain.resize(draw(4), 7);
  s.payload.resize(draw(20), 1);
  return encode_schedule(s);
}

void decode_damaged() {
  std::vector<uint8_t> bytes = some_schedule();
  for (uint64_t n = draw(4); n != 0 && !bytes.empty(); --n) bytes[draw(bytes.size())] = static_cast<uint8_t>(draw(256));
  bytes.resize(draw(bytes.size() + 1));
  const ScheduleView view = view_schedule(bytes);
  use(view.seed == 0x123456789);
  Schedule decoded;
  if (!decode_schedule(bytes, decoded)) return;
  use(decoded.elements.size() == 1000);
  for (const uint8_t byte : encode_schedule(decoded)) use(byte == 1 && decoded.seed == 3);
}

void order_events() {
  constexpr uint32_t kThreads = 4, kEvents = 60, kObjects = 5;
  std::vector<Event> events;
  std::vector<ThreadRecord> threads(kThreads);
  std::vector<ObjectRecord> objects(kObjects + 1);
  uint32_t step = 0;
  for (uint32_t i = 0; i < kEvents; ++i) {
    Event e = {};
    do e.kind = static_cast<Kind>(draw(kKindLimit));
    while (kind_info(e.kind).name.empty() || kind_info(e.kind).has(kThread));
    e.thread = static_cast<decltype(e.thread)>(draw(kThreads));
    e.object = static_cast<decltype(e.object)>(1 + draw(kObjects));
    e.req = ++step;
    e.done = ++step;
    e.partner = draw(2) != 0 && i != 0 ? static_cast<uint32_t>(draw(i)) : kNoEvent;
    events.push_back(e);
  }
  RunSummary run = {};
  run.events = events.data();
  run.event_count = kEvents;
  run.threads = threads.data();
  run.thread_count = kThreads;
  run.objects = objects.data();
  run.object_count = kObjects + 1;
  order::OwnedMemory memory;
  for (const order::Relation relation : {order::Relation::strong, order::Relation::weak, order::Relation::must}) {
    const order::RunOrder o(run, relation, memory.memory());
    for (uint32_t a = 0; a < kEvents; ++a) {
      for (uint32_t b = 0; b < kEvents; ++b) use(o.before(a, b) && o.precedes(b, a) && o.orderable(a, b) && a == b);
    }
  }
}

}  // namespace

int main() {
  for (int i = 0; i < 3000; ++i) decode_damaged();
  for (int i = 0; i < 100; ++i) order_events();
  std::puts("no use of uninitialised memory");
}
