#include "mutator/modes/order_mode.h"

#include <algorithm>

#include "mutator/knowledge/energy.h"
#include "mutator/modes/order_cut.h"
#include "mutator/modes/order_mutation.h"
#include "mutator/modes/order_start.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {
namespace {

constexpr size_t kOthers = 64;
constexpr int kTries = 256;  // after so many children, the result is a fresh seed
constexpr size_t kRepaired = 4096;

uint64_t fingerprint(const KnownRun& run) {
  uint64_t h = run.events.size();
  for (const Event& e : run.events) h = mix(mix(h, e.site), static_cast<uint64_t>(e.thread) << 32 | e.occurrence);
  return h;
}

}  // namespace

struct OrderMode::Work {
  Work(const OrderRules& rules, const KnownRun& run, const Schedule& schedule) : source(rules, run.summary(), schedule) {}

  OrderSource source;
  double score = 0;
  bool begun = false;
  size_t bytes = 0;
  EventChain again;                    // gopie: instead of fresh start chains
  std::vector<OrderChild> specials;    // before all others
  size_t next_special = 0;
  std::vector<EventChain> starts;
  struct Set {
    std::unique_ptr<Mutants> mutants;   // null: not begun, or spent
    std::vector<OrderChild> variants;   // of the last chain
    bool spent = false;
  };
  std::vector<Set> sets;  // of each start chain
  size_t turn = 0;        // which set is next
  size_t left = 0;        // sets that are not spent
  uint32_t given = 0;     // children
};

OrderMode::OrderMode(const OrderRules& rules, const Options& options)
    : rules_(rules), memory_limit_(options.memory_limit / 2) {}
OrderMode::~OrderMode() = default;

EventChain OrderMode::covered(const OrderSource& source) const {
  EventChain chain;
  const auto& results = source.run().chains;
  if (results.empty()) return chain;
  const Chain elements = get_chain(source.schedule(), source.schedule().elements.front().chain);
  for (uint32_t i = 0; i < std::min<size_t>(results[0].realised, elements.size()); ++i) {
    const uint32_t e = source.relations().find(elements[i]);
    if (e != kNone && source.eligible(e)) chain.push_back(e);
  }
  return chain;
}

void OrderMode::learn(const KnownRun& run, const Schedule& schedule, bool own) {
  const bool news = (run.flags & kRunNovel) != 0;
  if (rules_.happens_before) branches_.learn(run);
  const bool chained = own && !schedule.elements.empty();
  if (!own && !strangers_.insert(fingerprint(run)).second) return;
  if (chained && news) {
    const uint64_t key = chain_key(schedule);
    const auto before = repaired_.find(key);
    productive_.add(before == repaired_.end() ? key : before->second);
  }
  const double score = run_score(run);
  if (score <= 0) return;  // it did not come to its end
  // Without coverage, the run says nothing about its chain.
  const bool uncovered = chained && (run.chains.empty() || run.chains.back().realised == 0);
  if (uncovered && !(rules_.fresh_chains && news)) return;
  auto work = std::make_unique<Work>(rules_, run, schedule);
  if (chained && !rules_.fresh_chains) {
    work->again = covered(work->source);
    if (work->again.empty()) return;
  }
  work->score = score;
  if (!rules_.happens_before) best_score_ = std::max(best_score_, score);
  enqueue(std::move(work), news || !own);
}

void OrderMode::enqueue(std::unique_ptr<Work> work, bool news) {
  work->bytes = work->source.bytes();
  bytes_ += work->bytes;
  if (news) {
    news_.push_front(std::move(work));
  } else {
    others_.push_back(std::move(work));
    if (others_.size() > kOthers) remove(others_, 0);
  }
  while (bytes_ > memory_limit_ && news_.size() + others_.size() > 1) {
    others_.empty() ? remove(news_, news_.size() - 1) : remove(others_, 0);
  }
}

void OrderMode::remove(Queue& queue, size_t index) {
  bytes_ -= queue[index]->bytes;
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(index));
}

OrderMode::Queue& OrderMode::choose(size_t& index) {
  index = 0;
  const uint32_t turn = given_ % 4;
  if (news_.empty() || (turn == 3 && !others_.empty())) return others_;
  for (size_t i = 1; turn == 1 && i < news_.size(); ++i) {
    if (news_[i]->given < news_[index]->given) index = i;
  }
  return news_;
}

void OrderMode::begin(Work& work, Rng& rng) {
  work.begun = true;
  if (!work.again.empty()) {
    work.starts = {work.again};
  } else {
    work.starts = start_chains(work.source, rng);
    if (rules_.happens_before) {
      for (const EventChain& chain : special_chains(work.source)) work.specials.push_back({chain});
    }
  }
  work.sets.resize(work.starts.size());
  work.left = work.sets.size();
}

bool OrderMode::next_chain(Work& work, size_t index, EventChain& chain, Rng& rng) {
  Work::Set& set = work.sets[index];
  if (!set.mutants) {
    double score = work.score;
    if (rules_.happens_before) {
      score = concurrency_score(work.source, work.starts[index]);
      best_score_ = std::max(best_score_, score);
    }
    const uint32_t count = children_for(score, best_score_, kMutateBound);
    set.mutants = std::make_unique<Mutants>(work.source, work.starts[index], count);
  }
  while (set.mutants->next(chain, rng)) {
    if (chain.size() < rules_.least) continue;
    if (rules_.happens_before && !respects_must_order(work.source, chain)) continue;
    return true;
  }
  // All chains that the rules can reach. So if another start chain is among them, it leads to nothing new.
  for (size_t i = 0; set.mutants->closed() && i < work.sets.size(); ++i) {
    if (i == index || work.sets[i].spent || !set.mutants->made(work.starts[i])) continue;
    work.sets[i].spent = true;
    work.sets[i].mutants.reset();
    --work.left;
  }
  set.mutants.reset();
  return false;
}

bool OrderMode::take(Work& work, OrderChild& child, Rng& rng) {
  if (!work.begun) begin(work, rng);
  if (work.next_special < work.specials.size()) {
    child = work.specials[work.next_special++];
    return true;
  }
  while (work.left != 0) {
    const size_t index = work.turn++ % work.sets.size();
    Work::Set& set = work.sets[index];
    if (set.spent) continue;
    if (!set.variants.empty()) {
      child = set.variants.back();
      set.variants.pop_back();
      return true;
    }
    child = OrderChild();
    if (next_chain(work, index, child.chain, rng)) {
      if (rules_.select_variants) add_select_variants(work.source, child.chain, set.variants);
      return true;
    }
    set.spent = true;
    --work.left;
  }
  return false;
}

bool OrderMode::exhausted(uint64_t key) const {
  return tried_.count(key) >= (productive_.count(key) ? rules_.repeats_productive : rules_.repeats);
}

bool OrderMode::realise(const Work& work, OrderChild& child, Schedule& out, Rng& rng) {
  const uint64_t key = chain_key(work.source, child);
  if (exhausted(key)) return false;
  bool replay = rules_.replay;
  if (replay && rules_.happens_before) {
    if (!respects_must_order(work.source, child.chain)) return false;
    const EventChain whole = child.chain;
    if (!make_realisable(work.source, branches_, child, replay, rng)) {
      tried_.add(key);
      return false;
    }
    if (child.chain != whole) {
      if (repaired_.size() >= kRepaired) repaired_.clear();
      const uint64_t changed = chain_key(work.source, child);
      if (exhausted(changed)) return false;
      tried_.add(changed);
      repaired_[changed] = key;
    }
  }
  // In the order of the run, with nothing else changed, the child would be that run again.
  if (replay && child.select == kNone && cut_time(work.source, child.chain) == kNone) replay = false;
  // A repetition needs another seed.
  if (replay && exact_.count(mix(key, work.source.schedule().seed)) != 0) replay = false;
  out = child_schedule(work.source, child, replay, rng);
  tried_.add(key);
  exact_.add(mix(key, out.seed));
  return true;
}

Schedule OrderMode::next(const Schedule& parent, Rng& rng) {
  Schedule schedule;
  OrderChild child;
  for (int tries = 0; tries < kTries && news_.size() + others_.size() != 0; ++tries) {
    size_t index;
    Queue& queue = choose(index);
    Work& work = *queue[index];
    if (!take(work, child, rng)) {
      remove(queue, index);
      continue;
    }
    if (!realise(work, child, schedule, rng)) continue;
    ++given_;
    if (++work.given % kStartChains == 0 && &queue == &others_) std::rotate(queue.begin(), queue.begin() + 1, queue.end());
    return schedule;
  }
  // Nothing is left: start from another recorded run.
  schedule = without_order(parent);
  schedule.visible_plain = parent.visible_plain;
  schedule.seed = rng.next();
  return schedule;
}

std::unique_ptr<PublishedSystem> make_gopie(const Options& o) { return std::make_unique<OrderMode>(kGoPie, o); }
std::unique_ptr<PublishedSystem> make_gopie_plus(const Options& o) { return std::make_unique<OrderMode>(kGoPiePlus, o); }
std::unique_ptr<PublishedSystem> make_gopie_hb(const Options& o) { return std::make_unique<OrderMode>(kGoPieHb, o); }

}  // namespace heddle::mutator
