// What a channel costs on real threads, compared with a queue written by hand: std::mutex,
// std::condition_variable and std::deque. Prints the ratios after Google Benchmark's table;
// docs/reference/channels.md has the figures.
#include <benchmark/benchmark.h>
#include <heddle/csp.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

class HandWritten {
 public:
  explicit HandWritten(size_t capacity) : capacity_(capacity) {}

  void send(int value) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return queue_.size() < capacity_; });
    queue_.push_back(value);
    filled_.notify_one();
  }
  std::optional<int> receive() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !queue_.empty() || closed_; });
    if (queue_.empty()) return std::nullopt;
    const int value = queue_.front();
    queue_.pop_front();
    room_.notify_one();
    return value;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    filled_.notify_all();
  }

 private:
  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable room_, filled_;
  std::deque<int> queue_;
  bool closed_ = false;
};

// Without room: a sender goes on when its value has been taken.
class HandWrittenMeeting {
 public:
  void send(int value) {
    std::unique_lock lock(mutex_);
    free_.wait(lock, [&] { return !full_; });
    full_ = true;
    value_ = value;
    const uint64_t mine = ++sent_;
    filled_.notify_one();
    taken_.wait(lock, [&] { return received_ >= mine; });
  }
  std::optional<int> receive() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return full_ || closed_; });
    if (!full_) return std::nullopt;
    full_ = false;
    ++received_;
    taken_.notify_one();
    free_.notify_one();
    return value_;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    filled_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable free_, filled_, taken_;
  bool full_ = false, closed_ = false;
  int value_ = 0;
  uint64_t sent_ = 0, received_ = 0;
};

constexpr int kMessages = 20'000;

// There and back counts as two messages.
template <class A, class B>
void ping_pong(benchmark::State& state, A&& there, B&& back) {
  for (auto _ : state) {
    std::thread other([&] {
      for (int i = 0; i < kMessages / 2; ++i) back.send(*there.receive());
    });
    for (int i = 0; i < kMessages / 2; ++i) {
      there.send(i);
      benchmark::DoNotOptimize(back.receive());
    }
    other.join();
  }
  state.SetItemsProcessed(state.iterations() * kMessages);
}

template <class Channel>
void stream(benchmark::State& state, Channel&& channel, int senders, int receivers) {
  for (auto _ : state) {
    state.PauseTiming();
    auto c = channel();
    state.ResumeTiming();
    std::vector<std::thread> producers, consumers;
    for (int s = 0; s < senders; ++s) {
      producers.emplace_back([&] {
        for (int i = 0; i < kMessages / senders; ++i) c->send(i);
      });
    }
    for (int r = 0; r < receivers; ++r) {
      consumers.emplace_back([&] {
        while (std::optional<int> value = c->receive()) benchmark::DoNotOptimize(*value);
      });
    }
    for (auto& t : producers) t.join();
    c->close();
    for (auto& t : consumers) t.join();
  }
  state.SetItemsProcessed(state.iterations() * kMessages);
}

auto channel_of(size_t capacity) {
  return
      [capacity] { return std::make_unique<heddle::chan<int>>(heddle::make_chan<int>(capacity)); };
}
auto queue_of(size_t capacity) {
  return [capacity] { return std::make_unique<HandWritten>(capacity); };
}
auto meeting() {
  return [] { return std::make_unique<HandWrittenMeeting>(); };
}

// No thread waits and there is no contention: one thread puts a value in and takes it out.
template <class Channel>
void alone(benchmark::State& state, Channel&& channel) {
  for (auto _ : state) {
    channel.send(1);
    benchmark::DoNotOptimize(channel.receive());
  }
  state.SetItemsProcessed(state.iterations());
}

void select_of(benchmark::State& state, int cases) {
  heddle::selector any;
  std::vector<heddle::chan<int>> channels;
  for (int i = 0; i < cases; ++i) {
    channels.push_back(heddle::make_chan<int>(1));
    any.receive(channels.back());
  }
  size_t next = 0;
  for (auto _ : state) {
    channels[next++ % channels.size()].send(1);
    benchmark::DoNotOptimize(any.wait());
  }
}

void select_nothing_ready(benchmark::State& state) {
  auto a = heddle::make_chan<int>(1), b = heddle::make_chan<int>(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        heddle::select(heddle::on_receive(a), heddle::on_receive(b), heddle::otherwise()));
  }
}

class WithRatios : public benchmark::ConsoleReporter {
 public:
  WithRatios() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      std::string name = run.benchmark_name();
      name = name.substr(0, name.find("/process_time"));
      const Cost cost{run.GetAdjustedRealTime(), run.GetAdjustedCPUTime()};
      auto [at, fresh] = best_.try_emplace(name, cost);
      if (!fresh)
        at->second = {std::min(at->second.time, cost.time), std::min(at->second.cpu, cost.cpu)};
    }
  }
  void Finalize() override {
    std::printf("\nRatio to the hand-written queue, best of all repetitions; smaller is better.\n");
    std::printf("%-24s %8s %8s\n", "", "time", "cpu");
    for (const auto& [name, cost] : best_) {
      const size_t slash = name.find("/chan");
      if (slash == std::string::npos) continue;
      const std::string pair = name.substr(0, slash);
      const auto other = best_.find(pair + "/hand");
      if (other == best_.end()) continue;
      std::printf("%-24s %8.2f %8.2f\n", pair.c_str(), cost.time / other->second.time,
                  cost.cpu / other->second.cpu);
    }
  }

 private:
  struct Cost {
    double time, cpu;
  };
  std::map<std::string, Cost> best_;
};

template <class F>
void add(const char* name, F&& f) {
  benchmark::RegisterBenchmark(name, std::forward<F>(f))
      ->Unit(benchmark::kMicrosecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

}  // namespace

int main(int argc, char** argv) {
  using heddle::make_chan;
  add("alone/chan", [](auto& s) { alone(s, make_chan<int>(1)); });
  add("alone/hand", [](auto& s) { alone(s, HandWritten(1)); });
  add("ping_pong_unbuffered/chan",
      [](auto& s) { ping_pong(s, make_chan<int>(), make_chan<int>()); });
  add("ping_pong_unbuffered/hand",
      [](auto& s) { ping_pong(s, HandWrittenMeeting(), HandWrittenMeeting()); });
  add("ping_pong_1/chan", [](auto& s) { ping_pong(s, make_chan<int>(1), make_chan<int>(1)); });
  add("ping_pong_1/hand", [](auto& s) { ping_pong(s, HandWritten(1), HandWritten(1)); });
  for (int n : {1, 4}) {
    const std::string threads = std::to_string(n) + "_to_" + std::to_string(n);
    add(("unbuffered_" + threads + "/chan").c_str(),
        [n](auto& s) { stream(s, channel_of(0), n, n); });
    add(("unbuffered_" + threads + "/hand").c_str(), [n](auto& s) { stream(s, meeting(), n, n); });
    for (size_t room : {1, 16, 1024}) {
      const std::string name = "buffered_" + std::to_string(room) + "_" + threads;
      add((name + "/chan").c_str(), [n, room](auto& s) { stream(s, channel_of(room), n, n); });
      add((name + "/hand").c_str(), [n, room](auto& s) { stream(s, queue_of(room), n, n); });
    }
  }
  for (int n : {1, 2, 8, 32})
    add(("select_" + std::to_string(n)).c_str(), [n](auto& s) { select_of(s, n); });
  add("select_nothing_ready", select_nothing_ready);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  WithRatios reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
}
