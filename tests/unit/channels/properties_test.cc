// Properties over random programs: against a model in one thread, and over many threads nothing
// lost, nothing twice, order kept per pair of threads, and one case of each select.
#include <gtest/gtest.h>
#include <heddle/csp.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

namespace channels_test {
namespace {

using heddle::chan;
using heddle::make_chan;
using heddle::receive_status;

struct Model {
  size_t capacity;
  std::deque<int> values;
  bool closed = false;

  bool can_send() const { return !closed && values.size() < capacity; }
};

// One thread, no waiting: each operation does what the model says.
RC_GTEST_PROP(Channels, BehaveAsAQueueOfBoundedLength, ()) {
  std::vector<chan<int>> channels;
  std::vector<Model> models;
  for (int i = 0; i < 3; ++i) {
    models.push_back({static_cast<size_t>(*rc::gen::inRange(0, 5)), {}});
    channels.push_back(make_chan<int>(models.back().capacity));
  }
  const int steps = *rc::gen::inRange(0, 200);
  for (int step = 0; step < steps; ++step) {
    const int which = *rc::gen::inRange(0, 3);
    chan<int>& c = channels[which];
    Model& m = models[which];
    switch (*rc::gen::weightedElement<int>({{8, 0}, {8, 1}, {4, 2}, {1, 3}})) {
      case 0:
        if (m.closed) {
          RC_ASSERT_THROWS_AS(c.try_send(step), heddle::channel_error);
        } else {
          RC_ASSERT(c.try_send(step) == m.can_send());
          if (m.can_send()) m.values.push_back(step);
        }
        break;
      case 1: {
        std::optional<int> got;
        const receive_status status = c.try_receive(got);
        if (!m.values.empty()) {
          RC_ASSERT(got == m.values.front());
          m.values.pop_front();
        } else {
          RC_ASSERT(status == (m.closed ? receive_status::closed : receive_status::empty));
        }
        break;
      }
      case 2: {  // receives from all, one send
        heddle::selector s;
        std::optional<int> got;
        std::set<size_t> could;
        for (size_t i = 0; i < 3; ++i) {
          s.receive(channels[i], [&](std::optional<int> v) { got = v; });
          if (models[i].closed || !models[i].values.empty()) could.insert(i);
        }
        if (!m.closed) {
          s.send(c, step);
          if (m.can_send()) could.insert(3);
        }
        const size_t none = s.size();
        s.otherwise();
        const size_t taken = s.wait();
        RC_ASSERT((could.empty() ? taken == none : could.count(taken) == 1));
        if (taken < 3 && !models[taken].values.empty()) {
          RC_ASSERT(got == models[taken].values.front());
          models[taken].values.pop_front();
        } else if (taken == 3 && none == 4) {
          m.values.push_back(step);
        }
        break;
      }
      case 3:
        if (m.closed) RC_ASSERT_THROWS_AS(c.close(), heddle::channel_error);
        else c.close();
        m.closed = true;
        break;
    }
    RC_ASSERT(c.size() == m.values.size());
  }
}

// (channel, sender, number of the sender's message on that channel)
using Message = std::tuple<int, int, int>;

enum class Manner { plain, in_turn, in_select, with_try };

// Sends `count` messages, each on any channel.
void send_all(std::vector<chan<Message>>& channels, int me, int count, Manner manner) {
  std::vector<int> sent(channels.size());
  for (int i = 0; i < count; ++i) {
    const int c = (me + i * 7) % static_cast<int>(channels.size());
    if (manner == Manner::in_select) {
      heddle::selector s;
      for (size_t k = 0; k < channels.size(); ++k)
        s.send(channels[k], Message(static_cast<int>(k), me, sent[k]));
      ++sent[s.wait()];
    } else {
      const Message message(c, me, sent[c]++);
      if (manner == Manner::with_try) {
        while (!channels[c].try_send(message)) std::this_thread::yield();
      } else {
        channels[c].send(message);
      }
    }
  }
}

// Receives until all channels are closed. A thread that uses try-operations waits if there is nothing:
// two threads that only try never meet on an unbuffered channel.
void receive_all(std::vector<chan<Message>> channels, int me, Manner manner,
                 std::vector<Message>& got) {
  size_t open = channels.size();
  const auto note = [&](size_t c, std::optional<Message> message) {
    if (message) got.push_back(*message);
    else channels[c] = nullptr, --open;
  };
  const auto wait_for_any = [&] {
    heddle::selector s;
    for (size_t k = 0; k < channels.size(); ++k) {
      s.receive(channels[k], [&, k](std::optional<Message> m) { note(k, m); });
    }
    s.wait();
  };
  for (size_t i = static_cast<size_t>(me); open != 0; ++i) {
    const size_t c = i % channels.size();
    if (manner == Manner::in_turn) {
      bool nothing = false;
      heddle::select(heddle::on_receive(channels[c], [&](std::optional<Message> m) { note(c, m); }),
                     heddle::otherwise([&] { nothing = true; }));
      if (nothing) wait_for_any();
    } else if (manner == Manner::with_try) {
      std::optional<Message> m;
      const receive_status status = channels[c].try_receive(m);
      if (status == receive_status::empty) wait_for_any();
      else note(c, m);
    } else if (manner == Manner::plain && channels.size() == 1) {
      for (Message& m : channels[0]) got.push_back(m);
      open = 0;
    } else {
      wait_for_any();
    }
  }
}

RC_GTEST_PROP(Channels, LoseNothingRepeatNothingAndKeepOrder, ()) {
  const auto manner =
      rc::gen::element(Manner::plain, Manner::in_turn, Manner::in_select, Manner::with_try);
  const int channel_count = *rc::gen::inRange(1, 4);
  std::vector<chan<Message>> channels;
  for (int i = 0; i < channel_count; ++i) {
    channels.push_back(make_chan<Message>(static_cast<size_t>(*rc::gen::element(0, 0, 1, 2, 7))));
  }
  const auto senders =
      *rc::gen::resize(4, rc::gen::nonEmpty(rc::gen::container<std::vector<Manner>>(manner)));
  const auto receivers =
      *rc::gen::resize(4, rc::gen::nonEmpty(rc::gen::container<std::vector<Manner>>(manner)));
  const int count = *rc::gen::inRange(0, 60);

  std::vector<std::vector<Message>> got(receivers.size());
  std::vector<std::jthread> receiving;
  for (size_t r = 0; r < receivers.size(); ++r) {
    receiving.emplace_back(
        [&, r] { receive_all(channels, static_cast<int>(r), receivers[r], got[r]); });
  }
  heddle::wait_group sending;
  for (size_t s = 0; s < senders.size(); ++s) {
    sending.go([&, s] { send_all(channels, static_cast<int>(s), count, senders[s]); });
  }
  sending.wait();
  for (auto& c : channels) c.close();
  receiving.clear();

  std::multiset<Message> all;
  for (const auto& list : got) {
    std::map<std::pair<int, int>, int> last;
    for (const auto& [channel, sender, number] : list) {
      // The k-th message of a sender on a channel comes after its earlier ones.
      auto [at, first] = last.try_emplace({channel, sender}, number);
      RC_ASSERT(first || at->second < number);
      at->second = number;
      all.emplace(channel, sender, number);
    }
  }
  RC_ASSERT(all.size() == senders.size() * static_cast<size_t>(count));
  std::map<std::pair<int, int>, int> next;
  for (const auto& [channel, sender, number] : all)
    RC_ASSERT((next[{channel, sender}]++) == number);
}

// What was sent before a close is received, what threw is not.
RC_GTEST_PROP(Channels, CloseDividesWhatIsSentFromWhatThrows, ()) {
  auto c = make_chan<int>(static_cast<size_t>(*rc::gen::element(0, 1, 3)));
  const int senders = *rc::gen::inRange(1, 4), after = *rc::gen::inRange(0, 30);
  std::vector<std::vector<int>> sent(senders);
  std::vector<int> received;
  std::vector<std::jthread> threads;
  for (int s = 0; s < senders; ++s) {
    threads.emplace_back([&, s] {
      try {
        for (int i = 0;; ++i) {
          c.send(s * 1'000'000 + i);
          sent[s].push_back(s * 1'000'000 + i);
        }
      } catch (const heddle::channel_error&) {
      }
    });
  }
  for (int i = 0; i < after; ++i) received.push_back(*c.receive());
  std::jthread closer([&] { c.close(); });
  for (int value : c) received.push_back(value);
  threads.clear();
  std::vector<int> expected;
  for (const auto& list : sent) expected.insert(expected.end(), list.begin(), list.end());
  std::sort(expected.begin(), expected.end());
  std::sort(received.begin(), received.end());
  RC_ASSERT(received == expected);
}

// Selects that offer both directions on several channels: as many receives as sends on each, and
// one case each.
RC_GTEST_PROP(Channels, SelectsMeetEachOtherInPairs, ()) {
  const int threads = 2 * *rc::gen::inRange(1, 4), channel_count = *rc::gen::inRange(1, 4);
  std::vector<chan<int>> channels;
  for (int i = 0; i < channel_count; ++i) channels.push_back(make_chan<int>());
  std::vector<size_t> taken(threads);
  std::vector<int> handlers(threads), values(threads, -1);
  std::vector<std::jthread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      heddle::selector s;
      for (auto& c : channels) {
        s.send(c, t, [&, t] { ++handlers[t]; });
        s.receive(c, [&, t](std::optional<int> v) { ++handlers[t], values[t] = *v; });
      }
      taken[t] = s.wait();
    });
  }
  running.clear();  // every one finds a partner
  for (int t = 0; t < threads; ++t) {
    RC_ASSERT(handlers[t] == 1);
    if (taken[t] % 2 == 0) continue;
    const int partner = values[t];
    RC_ASSERT(partner != t);
    RC_ASSERT(taken[partner] == taken[t] - 1);
    RC_ASSERT(std::count(values.begin(), values.end(), partner) == 1);
  }
  RC_ASSERT(std::count_if(taken.begin(), taken.end(), [](size_t i) { return i % 2 == 0; }) ==
            threads / 2);
}

}  // namespace
}  // namespace channels_test
