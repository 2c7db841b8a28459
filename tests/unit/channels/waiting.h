// Knowing that other threads wait, without waiting for a time: the queues of a channel are looked
// at.
#pragma once

#include <heddle/chan.h>

#include <thread>

namespace channels_test {

inline int length(const heddle::detail::real::CaseQueue& queue) {
  int n = 0;
  for (auto* c = queue.first; c != nullptr; c = c->next) ++n;
  return n;
}

template <class T>
int waiting_receivers(const heddle::detail::ChannelHandle<T>& c) {
  heddle::detail::ChannelState& state = *heddle::detail::Access::state(c);
  state.lock.lock();
  const int n = length(state.receivers);
  state.lock.unlock();
  return n;
}

template <class T>
int waiting_senders(const heddle::detail::ChannelHandle<T>& c) {
  heddle::detail::ChannelState& state = *heddle::detail::Access::state(c);
  state.lock.lock();
  const int n = length(state.senders);
  state.lock.unlock();
  return n;
}

// Returns when `n` receives, or sends, wait on the channel; the test's time-out is for when they
// never do.
template <class T>
void until_receivers(const heddle::detail::ChannelHandle<T>& c, int n) {
  while (waiting_receivers(c) != n) std::this_thread::yield();
}
template <class T>
void until_senders(const heddle::detail::ChannelHandle<T>& c, int n) {
  while (waiting_senders(c) != n) std::this_thread::yield();
}

}  // namespace channels_test
