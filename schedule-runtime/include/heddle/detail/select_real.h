// Select on real threads, in Go's three passes: lock all channels and take a ready case; if there
// is none, wait in the queues of all channels; when served, leave the other queues. Channels are
// locked in the order of their addresses.
#ifndef HEDDLE_DETAIL_SELECT_REAL_H_
#define HEDDLE_DETAIL_SELECT_REAL_H_

#include <heddle/detail/channel_real.h>

#include <algorithm>
#include <functional>
#include <memory>

namespace heddle::detail::real {

// A random number in [0, limit), from this thread's xorshift64*, multiplied into the range.
inline uint32_t random_below(uint32_t limit) {
  thread_local uint64_t state = 0;
  if (state == 0) state = (now() ^ reinterpret_cast<uintptr_t>(&state) * 0x9E3779B97F4A7C15) | 1;
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return static_cast<uint32_t>((((state * 0x2545F4914F6CDD1D) >> 32) * limit) >> 32);
}

inline ChannelState& channel_of(const heddle_channel_case& c) {
  return *static_cast<ChannelState*>(c.channel);
}

class Select {
 public:
  Select(heddle_channel_case* cases, uint32_t count) : cases_(cases) {
    if (count > kFew) many_ = std::make_unique<uint16_t[]>(2 * static_cast<size_t>(count));
    order_ = many_ != nullptr ? many_.get() : few_;
    for (uint32_t i = 0; i < count; ++i) {
      cases_[i].owner = nullptr;
      if (cases_[i].channel != nullptr)
        order_[count_++] = static_cast<uint16_t>(i);  // a nil channel is never ready
    }
    ready_ = order_ + count_;
    std::sort(order_, ready_, [this](uint16_t a, uint16_t b) {
      return std::less<>()(cases_[a].channel, cases_[b].channel);
    });
  }

  int32_t run(bool otherwise) {
    if (count_ == 0) {
      if (otherwise) return -1;
      block_for_ever();
    }
    for (;;) {
      Waiting waiting;
      uint64_t deadline = HEDDLE_NEVER;
      {
        AllLocked locked(*this);
        const int32_t taken = take_one(locked.served);
        if (taken >= 0 || otherwise) return taken;
        for (uint32_t i = 0; i < count_; ++i) {
          heddle_channel_case& c = cases_[order_[i]];
          append(queue_of(channel_of(c), c), &c, &waiting);
          deadline = std::min(deadline, c.channel->due);
        }
      }
      waiting.park(deadline);
      {
        AllLocked locked(*this);
        for (uint32_t i = 0; i < count_; ++i) {
          heddle_channel_case& c = cases_[order_[i]];
          unlink(queue_of(channel_of(c), c), &c);
        }
      }
      if (waiting.taken != nullptr) return static_cast<int32_t>(waiting.taken - cases_);
    }
  }

 private:
  static constexpr uint32_t kFew = 16;

  class AllLocked {
   public:
    explicit AllLocked(Select& select) : select_(select) {
      select_.each_channel([](ChannelState& channel) { channel.lock.lock(); });
      select_.each_channel([this](ChannelState& channel) { look(channel, served); });
    }
    ~AllLocked() {
      select_.each_channel([](ChannelState& channel) { channel.lock.unlock(); });
      served.wake();
    }
    AllLocked(const AllLocked&) = delete;
    AllLocked& operator=(const AllLocked&) = delete;

    Served served;

   private:
    Select& select_;
  };

  template <class F>
  void each_channel(F&& f) {
    for (uint32_t i = 0; i < count_; ++i) {
      if (i == 0 || cases_[order_[i]].channel != cases_[order_[i - 1]].channel)
        f(channel_of(cases_[order_[i]]));
    }
  }

  // Takes one of the ready cases, each with equal chance. It can still fail: the waiting thread on
  // the other side may have been served on a channel that is not locked here.
  int32_t take_one(Served& served) {
    uint32_t ready = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      if (could_go(channel_of(cases_[order_[i]]), cases_[order_[i]])) ready_[ready++] = order_[i];
    }
    while (ready != 0) {
      const uint32_t i = ready == 1 ? 0 : random_below(ready);
      heddle_channel_case& c = cases_[ready_[i]];
      if (try_case(channel_of(c), c, served)) return ready_[i];
      ready_[i] = ready_[--ready];
    }
    return -1;
  }

  heddle_channel_case* cases_;
  uint32_t count_ = 0;  // the number of cases with a channel
  uint16_t* order_;     // their indices, by the channel's address
  uint16_t* ready_;     // room for as many
  uint16_t few_[2 * kFew];
  std::unique_ptr<uint16_t[]> many_;
};

// Returns the index of the case that was taken; -1: with `otherwise`, if none is ready.
[[gnu::noinline]] inline int32_t select(heddle_channel_case* cases, uint32_t count,
                                        bool otherwise) {
  return Select(cases, count).run(otherwise);
}

}  // namespace heddle::detail::real

#endif  // HEDDLE_DETAIL_SELECT_REAL_H_
