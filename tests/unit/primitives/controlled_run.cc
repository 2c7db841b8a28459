#include "controlled_run.h"

#include <algorithm>
#include <set>

#include "schema/codec.h"

namespace heddle::rt {
// Replaces the registry of the analyses: there are no observers, and no finding ends the process.
void register_observers() {}
}  // namespace heddle::rt

namespace heddle::test {
namespace {

const std::function<void()>* g_body = nullptr;
std::vector<rt::FindingType> g_findings;

int call_body(const uint8_t*, size_t) {
  (*g_body)();
  return 0;
}

}  // namespace

bool Result::found(rt::FindingType type) const { return std::find(findings.begin(), findings.end(), type) != findings.end(); }

const Event* Result::event(Kind kind, uint32_t thread, int n) const {
  for (const Event& e : events) {
    if (e.kind == kind && e.thread == thread && n-- == 0) return &e;
  }
  return nullptr;
}

int Result::count(Kind kind) const {
  return static_cast<int>(std::count_if(events.begin(), events.end(), [kind](const Event& e) { return e.kind == kind; }));
}

Result run(const Schedule& schedule, const std::function<void()>& body) {
  rt::set_finding_sink([](const rt::Finding& f) { g_findings.push_back(f.type); });
  g_findings.clear();
  g_body = &body;
  const std::vector<uint8_t> bytes = encode_schedule(schedule);
  const RunSummary& s = rt::run_one(bytes, call_body);
  return {rt::engine().end_reason(),
          g_findings,
          {s.events, s.events + s.event_count},
          {s.threads, s.threads + s.thread_count},
          {s.chains, s.chains + s.chain_count},
          {s.select_cases, s.select_cases + s.select_case_count},
          {s.channels, s.channels + s.channel_count}};
}

Result run_seed(uint64_t seed, const std::function<void()>& body) {
  Schedule schedule;
  schedule.seed = seed;
  return run(schedule, body);
}

Ends run_seeds(int n, const std::function<void()>& body) {
  Ends ends;
  for (int seed = 1; seed <= n; ++seed) {
    const Result r = run_seed(seed, body);
    switch (r.end) {
      case rt::EndReason::finished: ++ends.finished; break;
      case rt::EndReason::stuck: ++ends.stuck; break;
      case rt::EndReason::livelock: ++ends.livelock; break;
      case rt::EndReason::step_bound: ++ends.step_bound; break;
      case rt::EndReason::unwatched: break;  // never: the execution has been made again by then
    }
    for (const rt::FindingType f : std::set<rt::FindingType>(r.findings.begin(), r.findings.end())) ++ends.findings[f];
  }
  return ends;
}

}  // namespace heddle::test
