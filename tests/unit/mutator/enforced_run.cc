#include "enforced_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "controlled_run.h"
#include "schema/trace_file.h"

namespace heddle::mutator {
namespace {

const RunSummary& execute(const Schedule& schedule, rt::Body body) {
  test::run(schedule, [body] {
    const std::span<const uint8_t> data = rt::engine().schedule().payload;
    body(data.data(), data.size());
  });
  return rt::recorder().summary;
}

}  // namespace

Execution::Execution(const Schedule& schedule, rt::Body body)
    : Lab(execute(schedule, body)), end(rt::engine().end_reason()), hash(trace_hash(run.summary())) {
  own_run = true;
}

uint32_t Execution::at(uint32_t thread, Kind kind, uint32_t n) const {
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    if (run.events[i].thread == thread && run.events[i].kind == kind && n-- == 0) return i;
  }
  return kNone;
}

Element Execution::exact(uint32_t thread, Kind kind, uint32_t n) const { return run.relations().exact(at(thread, kind, n)); }

Element Execution::open(uint32_t thread, Kind kind, uint32_t n) const { return run.relations().open(at(thread, kind, n)); }

bool Execution::before(uint32_t first, uint32_t second) const {
  if (first >= run.events.size() || second >= run.events.size()) return false;
  const Event &a = run.events[first], &b = run.events[second];
  return a.finished() && b.finished() && a.done < b.done;
}

bool Execution::in_order(const Chain& chain) const {
  for (size_t i = 1; i < chain.size(); ++i) {
    if (!before(run.relations().find(chain[i - 1]), run.relations().find(chain[i]))) return false;
  }
  return true;
}

bool Execution::realised() const {
  return std::all_of(run.chains.begin(), run.chains.end(), [](const ChainResult& c) { return c.length > 0 && c.realised == c.length; });
}

uint32_t Execution::count(Kind kind) const {
  return static_cast<uint32_t>(
      std::count_if(run.events.begin(), run.events.end(), [kind](const Event& e) { return e.kind == kind; }));
}

uint32_t Execution::flagged(EventFlag flag) const {
  return static_cast<uint32_t>(
      std::count_if(run.events.begin(), run.events.end(), [flag](const Event& e) { return (e.flags & flag) != 0; }));
}

SiteId Execution::partner_site(uint32_t event) const {
  const uint32_t partner = run.events[event].partner;
  return partner == kNoEvent ? kNoSite : run.events[partner].site;
}

std::vector<Schedule> children(Execution& parent, const Schedule& schedule, std::string_view move, uint32_t seeds) {
  const Operator* op = operator_by_name(move);
  EXPECT_NE(op, nullptr) << move;
  std::vector<Schedule> different;
  if (op == nullptr) return different;
  for (Schedule& child : parent.results(schedule, op->apply, seeds)) {
    make_constraints_visible(child);
    if (child == schedule || std::find(different.begin(), different.end(), child) != different.end()) continue;
    different.push_back(std::move(child));
  }
  EXPECT_FALSE(different.empty()) << move;
  return different;
}

int runs_that(Schedule schedule, rt::Body body, const std::function<bool(const Execution&)>& holds, int seeds) {
  int count = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    schedule.seed = mix(1, static_cast<uint64_t>(seed));
    count += holds(Execution(schedule, body));
  }
  return count;
}

int both(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t a, b;
  pthread_create(&a, nullptr, first, nullptr);
  pthread_create(&b, nullptr, second, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  return 0;
}

}  // namespace heddle::mutator
