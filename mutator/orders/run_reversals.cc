#include "mutator/orders/run_reversals.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mutator/knowledge/relations.h"

namespace heddle::mutator {
namespace {

bool is_condition(Kind k) {
  return k == Kind::cond_wait || k == Kind::cond_wake || k == Kind::cond_signal || k == Kind::cond_broadcast;
}

bool takes_for_reading(Kind k) { return k == Kind::rwlock_rdlock || k == Kind::rwlock_tryrdlock; }

}  // namespace

RunReversals::RunReversals(const KnownRun& run) : run_(run), deliveries_(deliveries_of(run)) {
  if (!deliveries_.empty()) receiver_.assign(run.events.size(), kNoEvent);
  for (const Delivery& d : deliveries_) receiver_[d.send] = run.events[d.handle].thread;
  find_accesses();
  find_reversals();
  find_late_signals();
  std::vector<uint32_t> all(run.events.size());
  std::iota(all.begin(), all.end(), 0u);
  order_key_ = key_of(all, false);
}

void RunReversals::find_accesses() {
  const auto n = static_cast<uint32_t>(run_.events.size());
  accesses_.resize(n);
  // Who took the lock last, by thread and object; and the mutex of each thread's last wait.
  std::vector<std::vector<uint32_t>> taken(run_.threads.size());
  std::vector<uint32_t> mutex_of_wait(run_.threads.size(), 0);
  const auto taken_by = [&](uint32_t thread, uint32_t object) {
    auto& list = taken[thread];
    const auto it = std::find_if(list.rbegin(), list.rend(), [&](uint32_t e) {
      return run_.events[e].object == object || (run_.events[e].kind == Kind::cond_wake && accesses_[e].count == 2 && accesses_[e].at[1].object == object);
    });
    if (it == list.rend()) return kNoEvent;
    const uint32_t e = *it;
    list.erase(std::next(it).base());
    return e;
  };
  for (uint32_t i = 0; i < n; ++i) {
    const Event& e = run_.events[i];
    const KindInfo& kind = kind_info(e.kind);
    if (!is_operation(e) || e.object == 0 || (e.flags & kEventRecursive) != 0) continue;
    const bool interrupts = !receiver_.empty() && (receiver_[i] != kNoEvent || e.kind == Kind::signal_handle);
    if (interrupts) continue;
    Accesses& a = accesses_[i];
    bool changes = is_condition(e.kind) || (kind.has(kWrites) && has_effect(e));
    uint32_t since = kNoEvent;
    if (kind.has(kDropsLock) || e.kind == Kind::once_end) {
      since = taken_by(e.thread, e.object);
      if (since != kNoEvent && takes_for_reading(run_.events[since].kind)) changes = false;
    }
    a.at[a.count++] = {e.object, changes, since};
    if (e.kind == Kind::cond_wait && e.choice != 0) {
      mutex_of_wait[e.thread] = e.choice;
      a.at[a.count++] = {e.choice, true, taken_by(e.thread, e.choice)};
    }
    if (e.kind == Kind::cond_wake && e.finished() && mutex_of_wait[e.thread] != 0) a.at[a.count++] = {mutex_of_wait[e.thread], true, kNoEvent};
    const bool takes = (kind.has(kHoldsLock) || e.kind == Kind::once_begin) && has_effect(e);
    if (e.finished() && (takes || a.count == 2)) taken[e.thread].push_back(i);
  }
}

bool RunReversals::after(uint32_t later, uint32_t earlier) const {
  const size_t threads = run_.threads.size();
  return clocks_[later * threads + run_.events[earlier].thread] >= number_[earlier];
}

void RunReversals::find_reversals() {
  const auto n = static_cast<uint32_t>(run_.events.size());
  const size_t threads = run_.threads.size();
  number_.assign(n, 0);
  of_thread_.resize(threads);
  clocks_.assign(n * threads, 0);
  std::vector<uint32_t> last(threads, kNoEvent), count(threads, 0);
  std::vector<std::vector<uint32_t>> on(run_.objects.size());
  std::vector<uint32_t> before(threads);
  std::vector<Reversal> candidates;
  for (uint32_t j = 0; j < n; ++j) {
    const Event& e = run_.events[j];
    number_[j] = ++count[e.thread];
    of_thread_[e.thread].push_back(j);
    const uint32_t previous = std::exchange(last[e.thread], j);
    // What comes before it without its own accesses.
    std::fill(before.begin(), before.end(), 0);
    const auto join = [&](uint32_t other) {
      for (size_t t = 0; t < threads; ++t) before[t] = std::max(before[t], clocks_[other * threads + t]);
    };
    if (previous != kNoEvent) join(previous);
    else if (const uint32_t created = run_.threads[e.thread].create_event; created < j) join(created);
    const std::vector<uint32_t> known = before;
    candidates.clear();
    if (!receiver_.empty()) {
      // The receiver's last operation could come after the signal was sent: then it comes after the handler.
      const uint32_t its = receiver_[j] != kNoEvent ? last[receiver_[j]] : kNoEvent;
      if (its != kNoEvent && known[receiver_[j]] < number_[its]) {
        join(its);
        if (!kind_info(run_.events[its].kind).has(kThread)) candidates.push_back({its, its, Reversal::Handler::before_first});
      }
      if (e.kind == Kind::signal_handle && e.partner < j) join(e.partner);
    }
    const bool may_go_first = !kind_info(e.kind).has(kThread);
    const bool blocks = kind_info(e.kind).has(kBlocks);
    for (const Access& mine : accesses_[j].all()) {
      for (const uint32_t i : on[mine.object]) {
        const Event& other = run_.events[i];
        if (other.thread == e.thread) continue;
        for (const Access& its : accesses_[i].all()) {
          if (its.object != mine.object || !(its.changes || mine.changes)) continue;
          const bool new_to_me = known[other.thread] < number_[i];
          if (e.finished()) join(i);
          if (!new_to_me || !may_go_first || kind_info(other.kind).has(kThread)) continue;
          candidates.push_back({i, blocks && its.holds_since != kNoEvent ? its.holds_since : i});
        }
      }
      if (e.finished()) on[mine.object].push_back(j);
    }
    // Only those that nothing stands between. `second` is who could go after j here.
    for (const Reversal& c : candidates) {
      const bool immediate = std::none_of(candidates.begin(), candidates.end(), [&](const Reversal& k) { return k.first != c.first && after(k.first, c.first); });
      if (immediate && known[run_.events[c.second].thread] < number_[c.second]) reversals_.push_back({c.second, j, c.handler});
    }
    before[e.thread] = number_[j];
    std::copy(before.begin(), before.end(), clocks_.begin() + static_cast<std::ptrdiff_t>(j * threads));
  }
}

// The operation that a handler came before could have gone before the signal was sent, or just after that.
void RunReversals::find_late_signals() {
  for (const Delivery& d : deliveries_) {
    if (d.interrupted == kNoEvent) continue;
    const std::vector<uint32_t>& mine = of_thread_[run_.events[d.handle].thread];
    const uint32_t number = number_[d.handle];
    if (number >= 2 && after(mine[number - 2], d.send)) continue;
    reversals_.push_back({d.send, d.interrupted});
    if (kind_info(run_.events[d.interrupted].kind).has(kThread)) continue;  // who has ended gets no signal
    reversals_.push_back({d.handle, d.interrupted, Reversal::Handler::after_second});
  }
}

std::vector<uint32_t> RunReversals::prefix(const Reversal& r) const {
  std::vector<uint32_t> out;
  // Of the whole run: then the prefix depends on the order only, and not on which of its interleavings this run was.
  for (uint32_t i = 0; i < run_.events.size(); ++i) {
    if (run_.events[i].finished() && !after(i, r.first)) out.push_back(i);
  }
  // The receiver has come to that operation when the signal is sent. Otherwise the handler would come as soon as it does.
  if (r.handler == Reversal::Handler::after_second) {
    std::stable_partition(out.begin(), out.end(), [&](uint32_t i) { return !after(i, run_.events[r.first].partner); });
  }
  out.push_back(r.second);
  return out;
}

std::vector<uint32_t> RunReversals::prefix(uint32_t event) const {
  std::vector<uint32_t> out(event + 1);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

std::vector<uint32_t> RunReversals::first_left_out(std::span<const uint32_t> events) const {
  std::vector<bool> in(run_.events.size(), false);
  for (const uint32_t e : events) in[e] = true;
  std::vector<uint32_t> out(run_.threads.size(), kNoEvent);
  for (uint32_t i = 0; i < run_.events.size(); ++i) {
    uint32_t& first = out[run_.events[i].thread];
    if (!in[i] && first == kNoEvent && is_operation(run_.events[i])) first = i;
  }
  return out;
}

RunReversals::Shape RunReversals::shape(std::span<const uint32_t> events) const {
  std::vector<uint32_t> counts(run_.threads.size());
  for (const uint32_t e : events) ++counts[run_.events[e].thread];
  Shape shape{{}, run_.threads[run_.events[events.back()].thread].id};
  for (uint32_t t = 0; t < counts.size(); ++t) {
    if (counts[t] != 0) shape.events.emplace_back(run_.threads[t].id, counts[t]);
  }
  return shape;
}

bool RunReversals::begins_with(const Shape& shape, uint64_t key) const {
  const auto threads = static_cast<uint32_t>(run_.threads.size());
  std::vector<uint32_t> counts(threads);
  uint32_t last_thread = threads;
  for (const auto& [id, count] : shape.events) {
    uint32_t t = 0;
    while (t < threads && run_.threads[t].id != id) ++t;
    if (t == threads || of_thread_[t].size() < count) return false;
    counts[t] = count;
    if (id == shape.last) last_thread = t;
  }
  if (last_thread == threads) return false;
  // Nothing outside of the prefix comes before these events, and the last one before none of them.
  std::vector<uint32_t> events;
  for (uint32_t t = 0; t < threads; ++t) {
    if (counts[t] == 0) continue;
    const uint32_t end = of_thread_[t][counts[t] - 1];
    for (uint32_t u = 0; u < threads; ++u) {
      const uint32_t most = u == last_thread && t != last_thread ? counts[u] - 1 : counts[u];
      if (clocks_[end * threads + u] > most) return false;
    }
    events.insert(events.end(), of_thread_[t].begin(), of_thread_[t].begin() + (t == last_thread ? counts[t] - 1 : counts[t]));
  }
  std::sort(events.begin(), events.end());
  if (std::any_of(events.begin(), events.end(), [&](uint32_t e) { return !run_.events[e].finished(); })) return false;
  events.push_back(of_thread_[last_thread][counts[last_thread] - 1]);
  return prefix_key(events) == key;
}

uint64_t RunReversals::prefix_key(std::span<const uint32_t> events) const { return key_of(events, true); }

uint64_t RunReversals::key_of(std::span<const uint32_t> events, bool last_is_open) const {
  struct Object {
    uint64_t changed = 0, looked = 0;
  };
  std::vector<Object> objects(run_.objects.size());
  std::vector<uint64_t> threads(run_.threads.size());
  for (size_t t = 0; t < threads.size(); ++t) threads[t] = run_.threads[t].id;
  for (const uint32_t i : events) {
    const Event& e = run_.events[i];
    if (!is_operation(e)) continue;
    const bool open = !e.finished() || (last_is_open && i == events.back());
    uint64_t now = mix(threads[e.thread], e.site ^ static_cast<uint64_t>(e.kind));
    // The choice of a wait is its mutex, by a number that differs from run to run. Whether a handler could have come later is no difference.
    if (!open && e.kind != Kind::signal_handle) now = mix(now, static_cast<uint64_t>(e.outcome) << 32 | (e.kind == Kind::cond_wait ? 0 : e.choice));
    for (const Access& a : accesses_[i].all()) {
      const Object& o = objects[a.object];
      now = mix(now, a.changes ? o.changed + o.looked : o.changed);
    }
    for (const Access& a : accesses_[i].all()) {
      Object& o = objects[a.object];
      if (!a.changes) o.looked += now;
      else if (!open) o = {now, 0};
    }
    threads[e.thread] = now;
  }
  uint64_t sum = 0;
  for (size_t t = 0; t < threads.size(); ++t) sum += mix(threads[t], run_.threads[t].id);
  return sum;
}

}  // namespace heddle::mutator
