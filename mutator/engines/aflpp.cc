// AFL++'s custom mutator: a shared library that afl-fuzz loads (AFL_CUSTOM_MUTATOR_LIBRARY). Its moves are those for every engine. The
// difference: the target is another process. Its runs come through shared memory (schema/run_channel.h), which is created here before the
// fork server starts.
//
// Written for 4.04c. A function that only newer versions call (post_run) is used if they call it. `afl` is opaque, because its layout
// differs from version to version. Everything runs in afl-fuzz's own thread.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mutator/engines/run_archive.h"
#include "mutator/engines/run_receiver.h"
#include "mutator/modes/mode.h"
#include "mutator/mutator.h"
#include "mutator/rng.h"
#include "mutator/trimmer.h"
#include "schema/codec.h"
#include "schema/options_text.h"

#define HEDDLE_AFL extern "C" __attribute__((visibility("default")))

namespace heddle::mutator {
namespace {

// The most calls of fuzz() in one turn of a queue entry. The turn is a share of all calls so far. Otherwise the first entry would get all
// children while better entries wait for their first turn.
constexpr uint32_t kLeastTurn = 16, kLongestTurn = 128, kShareOfAll = 8;
// One child in this many is crossed with another entry.
constexpr uint32_t kCrossOver = 8;

struct AflMutator {
  explicit AflMutator(uint32_t seed) : rng(seed) {}

  uint32_t turn() const { return std::clamp(children / kShareOfAll, kLeastTurn, kLongestTurn); }

  // The input in the form that the target gets. If HEDDLE_OPTIONS tells the mutator to write assumptions or a memory model, an input that is no
  // schedule is converted to a schedule with these. Valid until the next call.
  std::span<const uint8_t> as_run(std::span<const uint8_t> input) {
    Schedule schedule;
    if (!wanted.any() || decode_schedule(input, schedule)) return input;
    wanted.write(schedule);
    return converted = encode_schedule(schedule);
  }

  // Learns what the target has done since the last call.
  void harvest() {
    RunSummary run;
    if (!receiver.receive(run)) return;
    if (run.input_hash != sent_hash) return;
    mutator.learn(run, sent);
    reads_payload = run.payload_reads != 0;
  }

  Mutator mutator;
  WantedRun wanted;  // what it writes into every schedule
  std::vector<uint8_t> converted;
  Rng rng;
  RunReceiver receiver;
  RunArchive archive;
  Trimmer trimmer;
  std::vector<uint8_t> out;
  std::vector<uint8_t> trimmed;
  std::string entry;           // the file of the current queue entry
  bool entry_changed = false;  // it was trimmed
  std::vector<uint8_t> sent;   // what the target got last
  uint64_t sent_hash = 0;
  std::vector<uint8_t> parent_payload;  // of what was changed for it
  bool reads_payload = false;  // the target does
  std::vector<uint8_t> found;  // the last input with new data bytes that this turn has added to the queue; empty: none
  std::string description;
  uint32_t children = 0;  // so far, up to a limit above which the number does not matter
};

std::vector<uint8_t> payload_of(std::span<const uint8_t> bytes) {
  Schedule schedule;
  decode_schedule(bytes, schedule);
  return std::move(schedule.payload);
}

AflMutator& self(void* data) { return *static_cast<AflMutator*>(data); }

std::string_view heddle_options() {
  const char* const options = std::getenv("HEDDLE_OPTIONS");
  return options != nullptr ? options : "";
}

}  // namespace
}  // namespace heddle::mutator

using namespace heddle;
using namespace heddle::mutator;

HEDDLE_AFL void* afl_custom_init(void*, unsigned seed) {
  auto* m = new AflMutator(seed);
  if (!m->receiver.open()) std::perror("heddle: no shared memory, so the mutator learns nothing from the executions");
  m->wanted = wanted_run(heddle_options());
  m->mutator.set_wanted_run(m->wanted);
  MemoryModel memory;
  if (const std::string_view name = option_value(heddle_options(), "memory"); !memory_model_of(name, memory)) {
    std::fprintf(stderr, "heddle: HEDDLE_OPTIONS: memory is sc or rc11\n");
    std::exit(2);
  }
  if (const std::string mode(option_value(heddle_options(), "mode")); !mode.empty() && !m->mutator.set_mode(mode)) {
    std::fprintf(stderr, "heddle: HEDDLE_OPTIONS: unknown mode '%s'; the modes are %s\n", mode.c_str(), mode_names().c_str());
    std::exit(2);
  }
  return m;
}

HEDDLE_AFL void afl_custom_deinit(void* data) { delete &self(data); }

HEDDLE_AFL size_t afl_custom_fuzz(void* data, uint8_t* buf, size_t size, uint8_t** out, uint8_t* add, size_t add_size, size_t max_size) {
  AflMutator& m = self(data);
  m.harvest();
  m.children = std::min(m.children + 1, kLongestTurn * kShareOfAll);
  m.out.resize(size > max_size ? size : max_size);
  *out = m.out.data();
  const auto seed = static_cast<uint32_t>(m.rng.next());
  if (add != nullptr && add_size != 0 && m.rng.chance(1, kCrossOver)) {
    return m.mutator.cross_over(buf, size, add, add_size, m.out.data(), max_size, seed);
  }
  // If an input made progress through its data bytes, continue with it at once. Its own turn may come only after many other queue entries.
  // Inputs that are new only in their order are left out: at the beginning these are nearly all children, and each one that is kept costs
  // three more runs.
  if (!m.found.empty() && m.found.size() <= max_size) {
    buf = m.found.data();
    size = m.found.size();
  }
  m.parent_payload = payload_of({buf, size});
  if (const std::span<const uint8_t> run = m.as_run({buf, size}); run.size() <= max_size) {
    std::memcpy(m.out.data(), run.data(), run.size());
    size = run.size();
  } else {
    std::memcpy(m.out.data(), buf, size);
  }
  return m.mutator.mutate(m.out.data(), size, max_size, seed);
}

HEDDLE_AFL unsigned afl_custom_fuzz_count(void* data, const uint8_t* buf, size_t size) {
  AflMutator& m = self(data);
  m.harvest();
  if (m.entry_changed) m.archive.save(m.entry, hash_input({buf, size}), m.mutator);
  m.entry_changed = false;
  return m.mutator.children(m.as_run({buf, size}), m.turn());
}

// Called before every run of the target. AFL++ stores what this returns; a schedule is returned unchanged. An input that runs twice in a
// row is being calibrated. So it is a queue entry, perhaps from the first corpus or from another instance. There is no other call that
// tells this.
HEDDLE_AFL size_t afl_custom_post_process(void* data, uint8_t* buf, size_t size, uint8_t** out) {
  AflMutator& m = self(data);
  m.harvest();
  const std::span<const uint8_t> run = m.as_run({buf, size});
  m.sent.assign(run.begin(), run.end());
  const uint64_t before = std::exchange(m.sent_hash, hash_input(m.sent));
  if (before == m.sent_hash) m.mutator.keep(before);
  *out = const_cast<uint8_t*>(run.data());  // the interface wants a non-const pointer; nothing is written there
  return run.size();
}

HEDDLE_AFL void afl_custom_post_run(void* data) { self(data).harvest(); }

HEDDLE_AFL uint8_t afl_custom_queue_get(void* data, const uint8_t* file) {
  AflMutator& m = self(data);
  m.harvest();
  m.entry = reinterpret_cast<const char*>(file);
  m.entry_changed = false;
  m.found.clear();
  m.archive.load(m.entry, m.mutator);
  return 1;
}

// The file of the entry is written, and its run is still the last one.
HEDDLE_AFL uint8_t afl_custom_queue_new_entry(void* data, const uint8_t* file, const uint8_t*) {
  AflMutator& m = self(data);
  m.harvest();
  m.mutator.keep(m.sent_hash);
  if (m.reads_payload && payload_of(m.sent) != m.parent_payload) m.found = m.sent;
  m.archive.save(reinterpret_cast<const char*>(file), m.sent_hash, m.mutator);
  return 0;  // the file is as it was
}

HEDDLE_AFL int32_t afl_custom_init_trim(void* data, uint8_t* buf, size_t size) {
  return static_cast<int32_t>(self(data).trimmer.begin({buf, size}));
}

HEDDLE_AFL size_t afl_custom_trim(void* data, uint8_t** out) {
  AflMutator& m = self(data);
  m.trimmed = m.trimmer.propose();
  *out = m.trimmed.data();
  return m.trimmed.size();
}

HEDDLE_AFL int32_t afl_custom_post_trim(void* data, uint8_t success) {
  AflMutator& m = self(data);
  if (success != 0) {  // what ran last is the entry from now on
    m.harvest();
    m.mutator.keep(m.sent_hash);
    m.entry_changed = true;
  }
  return static_cast<int32_t>(m.trimmer.judge(success != 0));
}

// Becomes part of the file name of a queue entry.
HEDDLE_AFL const char* afl_custom_describe(void* data, size_t max_size) {
  AflMutator& m = self(data);
  m.description = "heddle-" + m.mutator.last_operators();
  if (m.description.size() > max_size) m.description.resize(max_size);
  return m.description.c_str();
}
