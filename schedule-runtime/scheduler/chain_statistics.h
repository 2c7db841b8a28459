// How many chains of this process's executions came true, and why the others did not. For
// HEDDLE_OPTIONS=stats=1.
#pragma once

#include <span>
#include <string_view>

#include "schema/event.h"
#include "scheduler/enforcement.h"

namespace heddle::rt {

// Why a chain was not realised in whole.
enum class ChainCause : uint8_t {
  none,
  must_order,  // its thread is held at a later element, or cannot start or end a join before a held
               // one goes
  lock,        // its thread waits for a lock
  waits,       // its thread waits for something else: a message, a signal, a count
  spins,       // its thread loops until another one goes on
  conflict,    // another chain, a delay or a reads-from constraint holds its thread
  busy,        // the other threads went on for too long, and the ladder released it
  no_thread,   // there is no such thread in this run
  other_object,  // that operation is on another object in this run
  other_way,     // its thread went another way, and the operation never came
  cut_short,     // the execution ended early: a finding, a deadlock, the step bound
};
inline constexpr uint32_t kChainCauses = 11;
std::string_view chain_cause_name(ChainCause cause);

class ChainStatistics {
 public:
  struct Figures {
    uint64_t chains, whole, elements, realised;
    uint64_t chains_by[kChainCauses], elements_by[kChainCauses];  // what is missing, by cause
  };
  // What holds `p` is about to be released, because nothing else can run, or (busy) because too
  // many steps have passed. `all`: the pending ops of all live threads.
  void released(const Chains& chains, const Pending& p, std::span<Pending* const> all, bool busy);
  // The execution is over. `whole`: all its threads have finished.
  void count(const Chains& chains, const RunSummary& run, bool whole);
  const Figures& figures() const { return figures_; }

 private:
  Figures figures_{};
  ChainCause causes_[kMaxChains] = {};  // of this execution
};

extern ChainStatistics g_chain_statistics;
inline ChainStatistics& chain_statistics() { return g_chain_statistics; }

}  // namespace heddle::rt
