#include "simulator.h"

namespace heddle {

void Simulator::create(uint32_t u) {
  const bool fails = draw(8) == 0;
  add(0, Kind::thread_create, kThread + u, fails ? Outcome::failure : Outcome::none);
  truth().number = u;
  if (fails) return;
  threads_[u].state = Thread::free;
  if (draw(2)) run_.trace.threads[u].create_event = last();
  if (starts_ || draw(2)) add(u, Kind::thread_start, kThread + u);
}

void Simulator::step(uint32_t u) {
  Thread& t = threads_[u];
  switch (t.state) {
    case Thread::unborn:
      if (threads_[0].state == Thread::free) create(u);
      return;
    case Thread::free: return any(u);
    case Thread::second_half: return finish_half(u);
    case Thread::waits:
      if (draw(4)) return;  // else a spurious wake-up
      std::erase(waiting_, u);
      t.signal = kNoEvent;
      [[fallthrough]];
    case Thread::woken:
      add(u, Kind::cond_wake, kCondition, t.signal != kNoEvent ? Outcome::signalled : draw(2) ? Outcome::spurious : Outcome::timeout)
          .partner = t.signal;
      t.state = Thread::relocks;
      return;
    case Thread::relocks:
      if (owner_[t.object - kMutex] >= 0) return;
      owner_[t.object - kMutex] = static_cast<int>(u);
      add(u, Kind::mutex_lock, t.object);
      t.state = Thread::free;
      return;
    case Thread::in_barrier:
      if (arrived_ < (t.phase + 1) * kParties) return;
      add(u, Kind::barrier_leave, kBarrier);
      truth().number = t.phase;
      t.state = Thread::free;
      return;
    case Thread::dead:
      if (threads_[0].state != Thread::free) return;
      if (draw(4) == 0) {
        add(0, Kind::thread_join, kThread + u, Outcome::timeout);
        return;
      }
      add(0, Kind::thread_join, kThread + u);
      t.state = Thread::joined;
      // Another one may begin after its end.
      if (draw(4) != 0) {
        threads_.emplace_back();
        run_.trace.threads.push_back({1, 0, kNoEvent, 0, 0, {}});
      }
      return;
    case Thread::joined: return;
  }
}

void Simulator::any(uint32_t u) {
  Thread& t = threads_[u];
  switch (draw(21)) {
    case 0: case 1: return mutex(u);
    case 2: case 3: return rwlock(u);
    case 4:
      add(u, Kind::semaphore_post, kSemaphore);
      ++tokens_;
      return;
    case 5:
      if (tokens_ == 0) {
        add(u, Kind::semaphore_trywait, kSemaphore, Outcome::failure);
      } else {
        add(u, draw(2) ? Kind::semaphore_wait : Kind::semaphore_trywait, kSemaphore);
        --tokens_;
      }
      return;
    case 6: add(u, Kind::wait_group_add, kGroup, draw(6) ? Outcome::none : Outcome::failure); return;
    case 7: add(u, Kind::wait_group_wait, kGroup); return;
    case 8: case 9: return atomic(u);
    case 10: case 11: return once(u);
    case 12: case 13: return condition(u);
    case 14:
      if (u >= kParties) return;
      t.phase = arrived_++ / kParties;
      add(u, Kind::barrier_arrive, kBarrier);
      truth().number = t.phase;
      t.state = Thread::in_barrier;
      return;
    case 15:
      if (u == 0 || draw(2)) {
        add(u, Kind::yield, 0);
      } else {
        add(u, Kind::thread_exit, kThread + u);
        t.state = Thread::dead;
      }
      return;
    default: return channel(u, channels_[draw(static_cast<uint32_t>(channels_.size()))]);
  }
}

void Simulator::mutex(uint32_t u) {
  const uint32_t m = draw(2);
  const int self = static_cast<int>(u);
  if (owner_[m] == self) {
    const bool recursive = draw(3) == 0;  // taken and given back at a depth above one
    add(u, recursive ? (draw(2) ? Kind::mutex_lock : Kind::mutex_unlock) : Kind::mutex_unlock, kMutex + m).flags = recursive ? kEventRecursive : 0;
    if (!recursive) owner_[m] = -1;
  } else if (owner_[m] >= 0) {
    add(u, draw(2) ? Kind::mutex_trylock : Kind::mutex_timedlock, kMutex + m, draw(2) ? Outcome::failure : Outcome::timeout);
  } else {
    const Kind kinds[] = {Kind::mutex_lock, Kind::mutex_trylock, Kind::mutex_timedlock};
    add(u, kinds[draw(3)], kMutex + m, Outcome::success);
    owner_[m] = self;
  }
}

void Simulator::rwlock(uint32_t u) {
  Thread& t = threads_[u];
  const int self = static_cast<int>(u);
  if (writer_ == self) {
    add(u, Kind::rwlock_unlock, kRwlock);
    writer_ = -1;
  } else if (t.readers) {
    add(u, Kind::rwlock_unlock, kRwlock);
    --t.readers, --readers_;
  } else if (writer_ < 0 && draw(2)) {
    add(u, draw(2) ? Kind::rwlock_rdlock : Kind::rwlock_tryrdlock, kRwlock);
    ++t.readers, ++readers_;
  } else if (writer_ < 0 && readers_ == 0) {
    add(u, draw(2) ? Kind::rwlock_wrlock : Kind::rwlock_trywrlock, kRwlock);
    writer_ = self;
  } else {
    add(u, draw(2) ? Kind::rwlock_trywrlock : Kind::rwlock_tryrdlock, kRwlock, Outcome::failure);
  }
}

void Simulator::atomic(uint32_t u) {
  const MemoryOrder orders[] = {MemoryOrder::relaxed, MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acq_rel, MemoryOrder::seq_cst};
  const Kind kinds[] = {Kind::atomic_load, Kind::atomic_store, Kind::atomic_rmw, Kind::atomic_cas, Kind::atomic_fence};
  const Kind kind = kinds[draw(5)];
  auto& writes = writes_[draw(2)];
  const bool fails = kind == Kind::atomic_cas && draw(2);
  Event& e = add(u, kind, kind == Kind::atomic_fence ? 0 : kAtomic + (&writes == &writes_[1]), fails ? Outcome::failure : Outcome::none);
  e.order = orders[draw(5)];
  if (kind == Kind::atomic_fence) return;
  const bool writing = kind != Kind::atomic_load && !fails;
  if (kind != Kind::atomic_store) {
    e.partner = writes.empty() ? kNoEvent : writes.back();
    // The last value by the order of modification, which need not be that of commitment.
    if (stale_ && draw(3) == 0) {
      const uint32_t n = draw(static_cast<uint32_t>(writes.size()) + 1);
      e.partner = n == writes.size() ? kNoEvent : writes[n];
    }
  }
  if (writing) writes.push_back(last());
}

void Simulator::once(uint32_t u) {
  const uint32_t i = draw(2);
  Once& o = once_[i];
  if (o.state == 1) {
    if (o.owner != u) return;
    const bool threw = draw(4) == 0;
    add(u, Kind::once_end, kOnce + i, threw ? Outcome::failure : Outcome::none);
    o.last_end = last();
    o.state = threw ? 0 : 2;
    return;
  }
  add(u, Kind::once_begin, kOnce + i, o.state == 0 ? Outcome::success : Outcome::failure).partner = o.last_end;
  if (o.state == 0) o.state = 1, o.owner = u;
}

void Simulator::condition(uint32_t u) {
  const uint32_t m = draw(2);
  if (owner_[m] == static_cast<int>(u)) {
    add(u, Kind::cond_wait, kCondition).choice = kMutex + m;
    owner_[m] = -1;
    threads_[u].state = Thread::waits;
    threads_[u].object = kMutex + m;
    waiting_.push_back(u);
    return;
  }
  if (notifications_++ >= kMostNotifications) return;
  const bool all = draw(2);
  add(u, all ? Kind::cond_broadcast : Kind::cond_signal, kCondition);
  while (!waiting_.empty()) {
    Thread& w = threads_[waiting_.front()];
    waiting_.pop_front();
    w.state = Thread::woken;
    w.signal = last();
    if (!all) break;
  }
}

SimulatedRun Simulator::run() {
  const uint32_t at_first = 2 + draw(3);
  threads_.resize(at_first);
  run_.trace.threads.resize(at_first, {1, 0, kNoEvent, 0, 0, {}});
  threads_[0].state = Thread::free;
  // One run in four is about one channel that holds many values.
  const bool big = draw(4) == 0;
  const uint32_t capacities[] = {0, 0, 1, 2, 3, 20};
  for (uint32_t i = 0; i < (big ? 1u : 4u); ++i) {
    const uint32_t capacity = big ? 17 + draw(30) : capacities[draw(6)];
    channels_.push_back({kChannel + i, capacity, capacity != 0 && draw(4) == 0, std::vector<uint32_t>(capacity, kNoEvent)});
    run_.capacity.resize(kChannel + i + 1);
    run_.capacity[kChannel + i] = capacity;
  }
  const uint32_t steps = big ? 100 + draw(150) : 5 + draw(80);
  for (uint32_t i = 0; i < steps; ++i) {
    const uint32_t u = draw(static_cast<uint32_t>(threads_.size()));
    if (big && threads_[u].state == Thread::free && draw(8)) channel(u, channels_[0]);
    else step(u);
  }
  for (uint32_t u = 0; u < threads_.size(); ++u) {
    if (threads_[u].state == Thread::second_half) finish_half(u);
  }
  const Kind kinds[] = {Kind::mutex_lock, Kind::channel_send, Kind::channel_receive, Kind::select, Kind::wait_group_wait, Kind::once_begin};
  const uint32_t objects[] = {kMutex, kChannel, kChannel, kChannel, kGroup, kOnce};
  for (uint32_t u = 0; u < threads_.size(); ++u) {
    if (threads_[u].state != Thread::free || draw(2)) continue;
    const uint32_t i = draw(6);
    run_.truth.emplace_back();
    run_.trace.blocked(u, kinds[i], objects[i]);
  }
  return std::move(run_);
}

SimulatedRun simulate(uint32_t seed, bool stale_reads, bool starts) { return Simulator(seed, stale_reads, starts).run(); }

}  // namespace heddle
