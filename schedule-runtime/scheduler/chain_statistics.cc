#include "scheduler/chain_statistics.h"

#include <algorithm>

#include "trace/recorder.h"

namespace heddle::rt {
namespace {

bool thread_was_there(ThreadId thread) {
  const auto& threads = recorder().threads;
  for (uint32_t i = 0; i < threads.size(); ++i) {
    if (threads[i].id == thread) return true;
  }
  return false;
}

ChainCause why_blocked(const Pending& q) {
  const KindInfo& kind = kind_info(q.kind);
  if (kind.has(kHoldsLock)) return ChainCause::lock;
  return kind.has(kThread) ? ChainCause::must_order : ChainCause::waits;
}

// Why the awaited element of chain k does not come now.
ChainCause why_not(const Chains& chains, uint32_t k, std::span<Pending* const> all) {
  const Element& e = chains.awaited_element(k);
  const Pending* own = nullptr;
  for (const Pending* q : all) {
    // An open element has no thread of its own: the one that is at its place says most.
    if (e.thread == kAnyThread ? q->site == e.site && q->kind == e.kind : q->thread == e.thread)
      own = q;
  }
  if (own == nullptr) {
    if (e.thread == kAnyThread) return ChainCause::other_way;
    return thread_was_there(e.thread) ? ChainCause::other_way : ChainCause::no_thread;
  }
  if (!own->enabled) return why_blocked(*own);
  if (own->idle) return ChainCause::spins;
  return chains.holder(*own) == k ? ChainCause::must_order : ChainCause::conflict;
}

// The same at the end of an execution in which nothing released the chain.
ChainCause why_never(const Element& e, const RunSummary& run) {
  if (e.thread != kAnyThread && !thread_was_there(e.thread)) return ChainCause::no_thread;
  const bool there = std::any_of(run.events, run.events + run.event_count, [&](const Event& x) {
    return x.site == e.site && x.kind == e.kind &&
           (e.thread == kAnyThread || run.threads[x.thread].id == e.thread) &&
           (e.occurrence == 0 || x.occurrence == e.occurrence);
  });
  return there ? ChainCause::other_object : ChainCause::other_way;
}

}  // namespace

constinit ChainStatistics g_chain_statistics;

std::string_view chain_cause_name(ChainCause cause) {
  constexpr std::string_view kNames[kChainCauses] = {"none",
                                                     "must-order",
                                                     "lock held",
                                                     "waits for another thread",
                                                     "spins",
                                                     "another constraint",
                                                     "released after too many steps",
                                                     "no such thread",
                                                     "another object",
                                                     "another way taken",
                                                     "execution cut short"};
  return kNames[static_cast<uint8_t>(cause)];
}

void ChainStatistics::released(const Chains& chains, const Pending& p,
                               std::span<Pending* const> all, bool busy) {
  const uint32_t k = chains.holder(p);
  if (k < chains.count()) causes_[k] = busy ? ChainCause::busy : why_not(chains, k, all);
}

void ChainStatistics::count(const Chains& chains, const RunSummary& run, bool whole) {
  for (uint32_t k = 0; k < chains.count(); ++k) {
    const ChainResult& result = chains.results()[k];
    const uint32_t missing = result.length - result.realised;
    ChainCause cause = causes_[k];
    causes_[k] = ChainCause::none;
    ++figures_.chains;
    figures_.elements += result.length;
    figures_.realised += result.realised;
    figures_.whole += missing == 0;
    if (missing == 0) continue;
    if (cause == ChainCause::none)
      cause = whole ? why_never(chains.awaited_element(k), run) : ChainCause::cut_short;
    ++figures_.chains_by[static_cast<uint8_t>(cause)];
    figures_.elements_by[static_cast<uint8_t>(cause)] += missing;
  }
}

}  // namespace heddle::rt
