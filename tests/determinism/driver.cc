// Runs random schedules of a program, each three times in this process, and writes the hash of each one's trace to a file, so that
// another process can be compared. It stands in for LLVMFuzzerInitialize: nothing else of an engine is used.
//
// Usage: PROGRAM COUNT OUTPUT, with HEDDLE_OPTIONS=trace_path=FILE. All state lives on the stack and the heap: variables of the
// executable are put back between executions.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "schema/codec.h"
#include "schema/options_text.h"
#include "schema/trace_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using heddle::Event;
using heddle::Schedule;
using heddle::StoredTrace;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "determinism: %s\n", why.c_str());
  std::_Exit(1);
}

std::string trace_path() {
  const char* options = std::getenv("HEDDLE_OPTIONS");
  const char* found = options != nullptr ? std::strstr(options, "trace_path=") : nullptr;
  if (found == nullptr) fail("HEDDLE_OPTIONS=trace_path=FILE is needed");
  found += std::strlen("trace_path=");
  return std::string(found, std::strcspn(found, ":"));
}

StoredTrace load(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) fail("no trace was written to " + path);
  std::vector<uint8_t> bytes;
  uint8_t buffer[65536];
  while (const size_t n = std::fread(buffer, 1, sizeof buffer, file)) bytes.insert(bytes.end(), buffer, buffer + n);
  std::fclose(file);
  StoredTrace trace;
  if (!heddle::decode_trace(bytes, trace)) fail(path + " is no trace");
  return trace;
}

StoredTrace run(const Schedule& schedule, const std::string& path) {
  const std::vector<uint8_t> input = heddle::encode_schedule(schedule);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  return load(path);
}

// The memory model of HEDDLE_OPTIONS.
heddle::WantedRun wanted() {
  const char* options = std::getenv("HEDDLE_OPTIONS");
  return heddle::wanted_run(options != nullptr ? options : "");
}

class Generator {
 public:
  // Elements are made of the operations of `base`.
  Generator(uint64_t seed, const StoredTrace& base) : random_(seed), base_(base) {}

  Schedule schedule() {
    Schedule s;
    s.seed = random_();
    s.strategy = static_cast<heddle::StrategyId>(below(heddle::kStrategyCount));
    s.pct_depth = static_cast<uint8_t>(below(6));
    s.stickiness = static_cast<uint8_t>(below(4) == 0 ? below(256) : 0);
    s.step_estimate = below(3) == 0 ? below(200) : 0;
    if (below(2) == 0) {
      const uint32_t chains = 1 + below(2);
      for (uint32_t chain = 0; chain < chains; ++chain) {
        for (uint32_t n = 2 + below(4); n > 0; --n) s.elements.push_back(element(static_cast<uint8_t>(chain)));
      }
    }
    if (below(3) == 0) {
      heddle::ReadsFrom constraint{};
      constraint.read = element(0);
      constraint.write = element(0);
      constraint.negative = static_cast<uint8_t>(below(2));
      constraint.shield = static_cast<uint8_t>(below(2));
      s.reads_from.push_back(constraint);
    }
    if (below(3) == 0) s.delays.push_back({element(0), below(2) == 0 ? element(0) : heddle::Element{}});
    if (below(2) == 0) {
      for (const heddle::RacingPair& pair : base_.races) {
        if (s.visible_plain.size() + 2 > heddle::kMaxVisiblePlain) break;
        if (below(2) == 0) s.visible_plain.push_back(pair.first);
        if (below(2) == 0) s.visible_plain.push_back(pair.second);
      }
    }
    s.memory_model = wanted().memory;
    if (s.memory_model != heddle::MemoryModel::sc && below(2) == 0) {
      for (uint32_t n = 1 + below(8); n > 0; --n) s.graph.push_back(node());
    }
    for (uint32_t n = below(4); n > 0; --n) s.payload.push_back(static_cast<uint8_t>(random_()));
    return s;
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

  heddle::Element element(uint8_t chain) {
    heddle::Element e{};
    if (base_.events.empty()) return e;
    const Event& event = base_.events[below(static_cast<uint32_t>(base_.events.size()))];
    e.site = event.site;
    e.kind = event.kind;
    e.chain = chain;
    if (below(2) == 0) e.thread = base_.threads[event.thread].id;
    if (below(3) == 0) e.occurrence = event.occurrence;
    if (below(4) == 0) e.object = base_.objects[event.object].id;
    if (below(4) == 0) e.context = event.context;
    return e;
  }

  // Of a prefix: mostly an event that is there, with a source that may be there.
  heddle::GraphNode node() {
    heddle::GraphNode n{};
    const uint32_t at = below(static_cast<uint32_t>(base_.events.size()));
    const Event& event = base_.events[at];
    const Event& source = base_.events[below(static_cast<uint32_t>(base_.events.size()))];
    n.thread = base_.threads[event.thread].id;
    n.site = event.site;
    n.kind = event.kind;
    n.order = static_cast<uint8_t>(event.order);
    for (uint32_t i = 0; i <= at; ++i) n.index += base_.events[i].thread == event.thread && heddle::kind_info(base_.events[i].kind).has(heddle::kAtomic);
    if (below(8) == 0) n.index = below(5);
    if (below(4) != 0) {
      n.from_thread = base_.threads[source.thread].id;
      n.from_index = 1 + below(4);
    }
    return n;
  }

  std::mt19937_64 random_;
  const StoredTrace& base_;
};

int check(uint64_t count, const char* output) {
  const std::string path = trace_path();
  std::FILE* hashes = std::fopen(output, "w");
  if (hashes == nullptr) fail(std::string("cannot write ") + output);
  Schedule first;
  first.memory_model = wanted().memory;
  const StoredTrace base = run(first, path);
  if (base.events.size() < 3) fail("the first execution recorded next to nothing: is the program instrumented?");
  uint64_t distinct = 0, previous = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const Schedule schedule = Generator(i, base).schedule();
    const StoredTrace first = run(schedule, path);
    const uint64_t hash = heddle::trace_hash(first.summary());
    for (int again = 1; again < 3; ++again) {
      const StoredTrace other = run(schedule, path);
      if (heddle::trace_hash(other.summary()) == hash) continue;
      const size_t at = heddle::first_difference(first.summary(), other.summary());
      std::fprintf(stderr, "determinism: schedule %" PRIu64 " gave two traces; run %d differs at event %zu of %zu and %zu\n", i,
                   again + 1, at, first.events.size(), other.events.size());
      std::fprintf(stderr, "--- first\n%s--- run %d\n%s", heddle::trace_to_text(first.summary()).c_str(), again + 1,
                   heddle::trace_to_text(other.summary()).c_str());
      return 1;
    }
    std::fprintf(hashes, "%" PRIu64 " %016" PRIx64 " %zu\n", i, hash, first.events.size());
    distinct += hash != previous;
    previous = hash;
  }
  std::fclose(hashes);
  std::printf("determinism: %" PRIu64 " schedules, at least %" PRIu64 " of them different from their predecessor\n", count, distinct);
  // A test that sees one trace only has compared nothing.
  return count >= 100 && distinct < 10 ? (std::fprintf(stderr, "determinism: all traces are the same\n"), 1) : 0;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc != 3) fail("usage: PROGRAM COUNT OUTPUT");
  const int result = check(std::strtoull((*argv)[1], nullptr, 10), (*argv)[2]);
  std::fflush(nullptr);
  std::_Exit(result);
}
