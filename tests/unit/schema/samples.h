// Random schedules and traces for the schema's property tests.
#pragma once

#include <random>
#include <vector>

#include "schema/schedule.h"
#include "schema/trace_file.h"

namespace heddle {

class Sampler {
 public:
  explicit Sampler(uint64_t seed) : random_(seed) {}

  uint64_t bits() { return random_(); }
  uint64_t below(uint64_t n) { return random_() % n; }

  // Any bytes where a record may hold any bytes: also what clamping has to put right.
  template <typename T>
  T raw() {
    T out;
    auto* bytes = reinterpret_cast<uint8_t*>(&out);
    const bool small = below(2) == 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes[i] = static_cast<uint8_t>(small ? below(4) : bits());
    return out;
  }
  template <typename T>
  std::vector<T> list(size_t limit) {
    std::vector<T> out(below(2) == 0 ? 0 : below(limit));
    for (T& t : out) t = raw<T>();
    return out;
  }

  Schedule schedule() {
    Schedule s;
    s.version = static_cast<uint16_t>(below(3));
    s.seed = below(2) == 0 ? 0 : bits();
    s.strategy = static_cast<StrategyId>(below(10));
    s.memory_model = static_cast<MemoryModel>(below(4));
    s.pct_depth = static_cast<uint8_t>(below(5));
    s.stickiness = static_cast<uint8_t>(bits());
    s.step_estimate = static_cast<uint32_t>(below(2) == 0 ? 0 : bits());
    s.surw_site = below(2) == 0 ? 0 : bits();
    s.assumes = static_cast<uint8_t>(below(2) == 0 ? 0 : bits());
    s.elements = list<Element>(20);
    for (Element& e : s.elements) e.chain %= 17;
    s.reads_from = list<ReadsFrom>(8);
    s.selects = list<SelectPreference>(8);
    s.delays = list<Delay>(8);
    s.graph = list<GraphNode>(8);
    for (GraphNode& n : s.graph) n.order = static_cast<uint8_t>(below(3) == 0 ? 255 : n.order);
    s.visible_plain = list<SiteId>(40);
    s.weights = list<ThreadWeight>(8);
    s.payload = list<uint8_t>(200);
    if (below(2) == 0) {
      for (uint8_t& b : s.payload) b = static_cast<uint8_t>("ab \"\\/\n\tz#"[b % 10]);
    }
    return s;
  }

  StoredTrace trace() {
    StoredTrace t;
    t.input_hash = bits();
    t.seed = bits();
    t.flags = 3;
    t.steps = 9;
    const auto threads = static_cast<uint32_t>(1 + below(4)), objects = threads + 1;
    for (uint32_t i = 0; i < threads; ++i) {
      t.threads.push_back({i == 0 ? kMainThread : child_thread(kMainThread, i),
                           0,
                           kNoEvent,
                           0,
                           static_cast<uint8_t>(below(5)),
                           {}});
    }
    for (uint32_t i = 0; i < objects; ++i) t.objects.push_back({i == 0 ? 0 : bits(), 0, kNoEvent});
    for (uint32_t i = 0; i < 4; ++i) t.sites.push_back({bits() | 1, bits()});
    for (uint32_t i = 0, n = static_cast<uint32_t>(below(30)); i < n; ++i) {
      Event e{};
      e.thread = static_cast<uint32_t>(below(threads));
      e.object = static_cast<uint32_t>(below(objects));
      e.pc_index = static_cast<uint32_t>(below(4));
      e.site = t.sites[e.pc_index].id;
      e.occurrence = 1 + i;
      e.req = i;
      e.done = static_cast<uint32_t>(below(5) == 0 ? 0 : i + 1);
      e.partner = i == 0 || below(2) == 0 ? kNoEvent : static_cast<uint32_t>(below(i));
      e.value = static_cast<uint32_t>(bits());
      e.kind = below(2) == 0 ? Kind::mutex_lock : Kind::atomic_load;
      e.outcome = static_cast<Outcome>(below(6));
      t.events.push_back(e);
    }
    t.races = {{1, 2, 3, 1, 0, Kind::atomic_store, Kind::none}};
    t.chains = {{3, 2}};
    for (uint64_t i = below(4); i > 0; --i) t.comparisons.push_back({static_cast<uint16_t>(bits()), 1, 0, {2, 2}, 5, {{1, 2}, {3, 4}}});
    return t;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace heddle
