// Many threads on few channels for about two seconds, by all operations; a program of its own, so
// that any compiler and sanitizer can build it. Values own heap memory, so that a sanitizer sees
// a use of a value by a thread that does not own it.
#include <heddle/csp.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using heddle::chan;
using heddle::make_chan;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

using Owned = std::unique_ptr<long>;  // travels by its bytes
using Text = std::string;             // travels in a box

// Senders and receivers by send, select and try; all values arrive once.
void exchange(size_t capacity, int threads, int count) {
  auto numbers = make_chan<Owned>(capacity);
  auto texts = make_chan<Text>(capacity);
  std::atomic<long> sum = 0, letters = 0;
  heddle::wait_group senders, receivers;
  for (int t = 0; t < threads; ++t) {
    senders.go([=] {
      for (int i = 0; i < count; ++i) {
        auto value = std::make_unique<long>(i);
        if (i % 4 == 3) {
          while (!numbers.try_send(std::move(value))) std::this_thread::yield();
          texts.send(Text(40, 'a'));
        } else {
          auto number = heddle::on_send(numbers, std::move(value));
          auto text = heddle::on_send(texts, Text(40, 'a'));
          heddle::select(number, text);
          heddle::select(number, text);
        }
      }
    });
    receivers.go([=, &sum, &letters]() mutable {
      for (int open = 2, i = 0; open != 0; ++i) {
        const auto take = [&](std::optional<Owned> v) {
          if (v) sum += **v;
          else numbers = nullptr, --open;
        };
        const auto read = [&](std::optional<Text> v) {
          if (v) letters += static_cast<long>(v->size());
          else texts = nullptr, --open;
        };
        if (i % 3 == 0)
          heddle::select(heddle::on_receive(numbers, take), heddle::on_receive(texts, read),
                         heddle::otherwise());
        else heddle::select(heddle::on_receive(texts, read), heddle::on_receive(numbers, take));
      }
    });
  }
  senders.wait();
  numbers.close();
  texts.close();
  receivers.wait();
  check(sum == static_cast<long>(threads) * count * (count - 1) / 2, "sum of what was received");
  check(letters == 40L * threads * count, "letters received");
}

// Channels that are made, shared and let go while others still use them; values are left inside.
void short_lives(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    heddle::wait_group both;
    auto c = make_chan<Owned>(3);
    both.go([c] {
      for (int k = 0; k < 3; ++k) c.send(std::make_unique<long>(k));
    });
    both.go([c] { c.receive(); });
    c = nullptr;
    both.wait();
  }
}

// Waiters on timers and contexts that others set, stop and cancel.
void time_and_cancel(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    auto [ctx, cancel] =
        heddle::with_timeout(heddle::context::background(), i % 3 == 0 ? 1ms : 1000ms);
    heddle::timer t(1h);
    heddle::wait_group all;
    for (int k = 0; k < 3; ++k) {
      all.go([ctx = ctx, t] {
        auto [mine, cancel_mine] = heddle::with_cancel(ctx);
        for (bool more = true; more;) {
          heddle::select(heddle::on_receive(mine.done(), [&](auto) { more = false; }),
                         heddle::on_receive(t.channel()));
        }
        check(mine.error() != heddle::context_error::none, "a context that is over says why");
      });
    }
    all.go([&, cancel = cancel] {
      for (int k = 0; k < 20; ++k)
        k % 3 == 0 ? void(t.stop()) : void(t.reset(std::chrono::microseconds(k)));
      if (i % 3 != 0) cancel();
    });
    all.wait();
  }
}

void once_in_many(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    auto o = std::make_unique<heddle::once>();
    auto value = std::make_unique<long>(0);
    heddle::wait_group all;
    for (int t = 0; t < 4; ++t) {
      all.go([&] {
        o->call([&] { *value = 7; });
        check(*value == 7, "what the once function wrote");
      });
    }
    all.wait();
  }
}

}  // namespace

int main() {
  const auto end = std::chrono::steady_clock::now() + 2s;
  do {
    for (size_t capacity : {0, 1, 16}) exchange(capacity, 4, 300);
    short_lives(50);
    time_and_cancel(9);
    once_in_many(20);
  } while (std::chrono::steady_clock::now() < end);
}
