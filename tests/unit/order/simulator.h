// The state of simulate(): what each thread may legally do next.
#pragma once

#include <deque>
#include <random>
#include <vector>

#include "simulation.h"

namespace heddle {

struct Channel {
  uint32_t object, capacity;
  bool timer = false;
  std::vector<uint32_t> notes;  // per slot: the event that used it last
  uint32_t sent = 0, received = 0;
  uint32_t close_event = kNoEvent;
  bool closed() const { return close_event != kNoEvent; }
};

class Simulator {
 public:
  Simulator(uint32_t seed, bool stale_reads, bool starts) : rng_(seed), stale_(stale_reads), starts_(starts) {}
  SimulatedRun run();

 private:
  // What a thread has to do next, if it is not free to do anything.
  struct Thread {
    enum State { unborn, free, second_half, waits, woken, relocks, in_barrier, dead, joined } state = unborn;
    uint32_t first_half = kNoEvent;  // second_half
    bool sends = false;
    uint32_t object = 0;             // of its channel; the mutex to take back
    uint32_t signal = kNoEvent;      // woken by; kNoEvent: spuriously
    uint32_t phase = 0;
    int readers = 0;
  };
  struct Once {
    int state = 0;  // 1: its function runs, 2: done
    uint32_t owner = 0, last_end = kNoEvent;
  };
  static constexpr uint32_t kMutex = 1, kRwlock = 3, kSemaphore = 4, kGroup = 5, kAtomic = 6, kOnce = 8, kCondition = 10,
                            kBarrier = 11, kChannel = 12, kThread = 30;
  static constexpr uint32_t kParties = 2;  // of the barrier, the same in each phase
  static constexpr int kMostNotifications = 16;  // the online tracker tells so many apart

  uint32_t draw(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }
  Event& add(uint32_t u, Kind kind, uint32_t object, Outcome outcome = Outcome::none) {
    run_.truth.emplace_back();
    return run_.trace.add(u, kind, object, outcome);
  }
  uint32_t last() const { return run_.trace.last(); }
  Truth& truth() { return run_.truth.back(); }

  void create(uint32_t u);
  void step(uint32_t u);
  void any(uint32_t u);
  void mutex(uint32_t u);
  void rwlock(uint32_t u);
  void atomic(uint32_t u);
  void once(uint32_t u);
  void condition(uint32_t u);
  void channel(uint32_t u, Channel& c);
  void moved(uint32_t u, Channel& c, bool send);
  void nothing_there(uint32_t u, const Channel& c, bool send);
  Event& channel_event(uint32_t u, uint32_t object, bool send);
  void rendezvous(uint32_t u, uint32_t v, const Channel& c, bool send);
  void finish_half(uint32_t u);

  std::mt19937 rng_;
  bool stale_, starts_;
  SimulatedRun run_;
  std::vector<Thread> threads_;
  std::vector<Channel> channels_;
  int owner_[2] = {-1, -1}, writer_ = -1;
  int readers_ = 0, tokens_ = 0, notifications_ = 0;
  Once once_[2];
  uint32_t arrived_ = 0;
  std::vector<uint32_t> writes_[2];
  std::deque<uint32_t> waiting_;
};

}  // namespace heddle
