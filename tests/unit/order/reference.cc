#include "reference.h"

namespace heddle::order {
namespace {

bool is(const Event& e, std::initializer_list<Kind> kinds) {
  for (Kind k : kinds) {
    if (e.kind == k) return true;
  }
  return false;
}

bool went(const Event& e) { return e.outcome != Outcome::failure && e.outcome != Outcome::timeout; }
bool atomic(const Event& e) { return kind_info(e.kind).has(kAtomic); }
bool reads(const Event& e) { return is(e, {Kind::atomic_load, Kind::atomic_rmw, Kind::atomic_cas}); }
bool modifies(const Event& e) { return is(e, {Kind::atomic_rmw, Kind::atomic_cas}) && went(e); }
bool releases(const Event& e) { return e.order == MemoryOrder::release || e.order == MemoryOrder::acq_rel || e.order == MemoryOrder::seq_cst; }
bool acquires(const Event& e) { return e.order == MemoryOrder::acquire || e.order == MemoryOrder::acq_rel || e.order == MemoryOrder::seq_cst; }

}  // namespace

Reference::Reference(const SimulatedRun& run, Relation relation)
    : run_(run), events_(run.trace.events), count_(static_cast<uint32_t>(events_.size())),
      reach_(2 * count_, std::vector<uint64_t>(2 * count_ / 64 + 1)) {
  program_order();
  threads();
  if (relation == Relation::weak) reads_from();
  if (relation == Relation::strong) {
    atomics();
    for (uint32_t a = 0; a < count_; ++a) {
      for (uint32_t b = 0; b < count_; ++b) {
        if (a == b || !finished(a) || !finished(b) || events_[a].object == 0) continue;
        channels(a, b);
        if (a > b) continue;
        locks(a, b);
        others(a, b);
      }
    }
  }
  close_transitively();
}

void Reference::close_transitively() {
  const uint32_t n = static_cast<uint32_t>(reach_.size());
  for (uint32_t k = 0; k < n; ++k) {
    for (uint32_t i = 0; i < n; ++i) {
      if (!get(i, k)) continue;
      for (size_t w = 0; w < reach_[i].size(); ++w) reach_[i][w] |= reach_[k][w];
    }
  }
}

void Reference::program_order() {
  for (uint32_t a = 0; a < count_; ++a) {
    if (finished(a)) edge(2 * a, 2 * a + 1);
    for (uint32_t b = a + 1; b < count_; ++b) {
      if (events_[a].thread == events_[b].thread) edge(end(a), 2 * b);
    }
  }
}

// fork: before the child's start (or, by the thread's record, before its first operation). join: after its exit.
void Reference::threads() {
  for (uint32_t a = 0; a < count_; ++a) {
    for (uint32_t b = a + 1; b < count_; ++b) {
      const Event& x = events_[a];
      const Event& y = events_[b];
      if (x.kind == Kind::thread_create && run_.trace.threads[y.thread].create_event == a) edge(2 * a + 1, 2 * b);
      if (x.object != y.object || x.object == 0 || !went(x) || !went(y)) continue;
      if (x.kind == Kind::thread_create && is(y, {Kind::thread_start, Kind::thread_join})) synchronises(a, b);
      if (x.kind == Kind::thread_exit && y.kind == Kind::thread_join) synchronises(a, b);
    }
  }
}

// Weak: a read comes after the write that it reads from, with any memory orders.
void Reference::reads_from() {
  for (uint32_t b = 0; b < count_; ++b) {
    if (atomic(events_[b]) && finished(b) && events_[b].partner != kNoEvent) synchronises(events_[b].partner, b);
  }
}

bool Reference::ends_writing(uint32_t unlock) const {
  for (uint32_t i = unlock; i-- > 0;) {
    if (events_[i].object != events_[unlock].object || events_[i].thread != events_[unlock].thread || !went(events_[i])) continue;
    return is(events_[i], {Kind::rwlock_wrlock, Kind::rwlock_trywrlock});
  }
  return false;
}

// lock: T := sync(T, RelW, RelR). unlock: RelW := RelR := T. rlock: T := sync(T, RelW). runlock: RelR := sync(RelR, T). A wait on a condition
// variable begins with an unlock. A try-lock that failed, and a recursive lock at a depth above one, have no edge.
void Reference::locks(uint32_t a, uint32_t b) {
  const Event& x = events_[a];
  const Event& y = events_[b];
  if (!went(y) || ((x.flags | y.flags) & kEventRecursive)) return;
  const uint32_t given_back = x.kind == Kind::cond_wait ? x.choice : x.kind == Kind::mutex_unlock ? x.object : 0;
  if (given_back == y.object && is(y, {Kind::mutex_lock, Kind::mutex_trylock, Kind::mutex_timedlock})) synchronises(a, b);
  if (x.kind != Kind::rwlock_unlock || x.object != y.object) return;
  if (is(y, {Kind::rwlock_wrlock, Kind::rwlock_trywrlock})) synchronises(a, b);
  if (is(y, {Kind::rwlock_rdlock, Kind::rwlock_tryrdlock}) && ends_writing(a)) synchronises(a, b);
}

void Reference::others(uint32_t a, uint32_t b) {
  const Event& x = events_[a];
  const Event& y = events_[b];
  if (x.object != y.object) return;
  // once: O is the clock at the end of the function. A later caller joins it, also to run the function again after it threw.
  if (x.kind == Kind::once_end && y.kind == Kind::once_begin) synchronises(a, b);
  // wait group: add and done: WG := sync(WG, T); wait: T := sync(T, WG). The same for semaphores.
  if (x.kind == Kind::wait_group_add && went(x) && y.kind == Kind::wait_group_wait) synchronises(a, b);
  if (x.kind == Kind::semaphore_post && is(y, {Kind::semaphore_wait, Kind::semaphore_trywait}) && went(y)) synchronises(a, b);
  // signal and broadcast: Tw := sync(Tw, T), for those they woke.
  if (y.kind == Kind::cond_wake && y.partner == a) synchronises(a, b);
  // barrier: who leaves a phase comes after all who arrived in it.
  if (x.kind == Kind::barrier_arrive && y.kind == Kind::barrier_leave && run_.truth[a].number == run_.truth[b].number) synchronises(a, b);
}

// k-th send -> k-th receive; k-th receive -> (k+capacity)-th send; the halves of a rendezvous end as one; close -> each operation that saw it.
void Reference::channels(uint32_t a, uint32_t b) {
  const Event& x = events_[a];
  const Event& y = events_[b];
  const Truth& s = run_.truth[a];
  const Truth& r = run_.truth[b];
  if (s.meets == b) synchronises(a, b);
  if (x.object != y.object) return;
  if (s.direction == Truth::send && r.direction == Truth::receive && s.number == r.number) synchronises(a, b);
  if (s.direction == Truth::receive && r.direction == Truth::send && s.number + run_.capacity[x.object] == r.number) synchronises(a, b);
  if (x.kind == Kind::channel_close && went(x) && y.outcome == Outcome::failure && y.partner == a &&
      is(y, {Kind::channel_receive, Kind::select})) {
    synchronises(a, b);
  }
}

// The clock that a write passes on: its own, if it releases; else that of the release fence before it.
std::vector<uint32_t> Reference::released_by(uint32_t write) const {
  if (releases(events_[write])) return {write};
  for (uint32_t i = write; i-- > 0;) {
    const Event& f = events_[i];
    if (f.thread == events_[write].thread && f.kind == Kind::atomic_fence && releases(f)) return {i};
  }
  return {};
}

std::vector<uint32_t> Reference::acquired_by(uint32_t read) const {
  if (acquires(events_[read])) return {read};
  for (uint32_t i = read + 1; i < count_; ++i) {
    const Event& f = events_[i];
    if (f.thread == events_[read].thread && f.kind == Kind::atomic_fence && acquires(f)) return {i};
  }
  return {};
}

// C++20: what is read takes in the release sequences that the value is in: its own write's, and those that its read-modify-writes go on with.
void Reference::atomics() {
  for (uint32_t b = 0; b < count_; ++b) {
    if (!reads(events_[b]) || !finished(b)) continue;
    for (uint32_t w = events_[b].partner; w != kNoEvent; w = modifies(events_[w]) ? events_[w].partner : kNoEvent) {
      for (uint32_t from : released_by(w)) {
        for (uint32_t to : acquired_by(b)) synchronises(from, to);
      }
    }
  }
}

}  // namespace heddle::order
