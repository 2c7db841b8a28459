// The heap of executions against a map of what has been given out.
#include "heap/execution_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <tuple>
#include <thread>
#include <vector>

namespace heddle::rt {
namespace {

using Part = ExecutionHeap::Part;

// What does it, with how much of it, and to which of the blocks.
using Step = std::tuple<uint8_t, uint16_t, uint8_t>;
using Steps = std::vector<Step>;

constinit ExecutionHeap g_heap;
constexpr uintptr_t kBase = 0x0600'0000'0000, kLibraries = kBase + (uintptr_t{16} << 30);

struct Block {
  HeapBlock known;
  unsigned char mark;
};

void fill(const Block& b) {
  memset(reinterpret_cast<void*>(b.known.begin), b.mark, b.known.size);
}
bool is_filled(uintptr_t begin, size_t size, unsigned char mark) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(begin);
  return size == 0 || (bytes[0] == mark && memcmp(bytes, bytes + 1, size - 1) == 0);
}

size_t size_of(uint16_t n) {
  switch (n % 8) {
    case 0: case 1: case 2: case 3: return n / 8 % 300;
    case 4: case 5: return n / 8 * 4;       // to 32 KiB
    case 6: return n * 4;                   // about 32 KiB to 256 KiB
    default: return size_t{n} * 16;         // to 1 MiB
  }
}

class Model {
 public:
  // `parts`: blocks of libraries, too.
  explicit Model(bool parts) : parts_(parts) {}

  // Also of a run that has failed nothing is left.
  ~Model() {
    for (const auto& [begin, b] : live_) {
      const HeapBlock known = g_heap.find(reinterpret_cast<void*>(begin));
      if (!known || !known.record->is_live()) continue;
      g_heap.ends(known, BlockState::gone);
      g_heap.put(known);
    }
    g_heap.renew(false);
  }

  // The addresses of the allocated blocks.
  std::vector<uintptr_t> run(const Steps& steps) {
    std::vector<uintptr_t> given;
    for (const auto& [what, amount, which] : steps) {
      const size_t size = size_of(amount);
      const Part part = what % 2 != 0 && parts_ ? Part::library : Part::program;
      switch (what / 2 % 8) {
        case 0: case 1: case 2: given.push_back(add(g_heap.get(part, size, 0), size, 16)); break;
        case 3: given.push_back(add(g_heap.get_zero(part, size), size, 16, true)); break;
        case 4: {
          const size_t alignment = size_t{1} << (which % 15);
          given.push_back(add(g_heap.get(part, size, alignment), size, alignment));
          break;
        }
        case 5: resize(which, size); break;
        default: drop(which);
      }
    }
    for (const auto& [begin, b] : live_) RC_ASSERT(is_filled(begin, b.known.size, b.mark));
    return given;
  }
  const std::map<uintptr_t, Block>& live() const { return live_; }
  // The next execution begins with what is live still.
  void renew() {
    used_.clear();
    std::erase_if(live_, [](const auto& entry) {
      const HeapBlock known = g_heap.find(reinterpret_cast<void*>(entry.first));
      return !known || !known.record->is_live();
    });
    for (const auto& [begin, b] : live_) {
      RC_ASSERT(is_filled(begin, b.known.size, b.mark));
      use(begin, begin + b.known.size);
    }
  }

 private:
  uintptr_t add(HeapBlock known, size_t size, size_t alignment, bool zero = false) {
    RC_ASSERT(bool{known});
    RC_ASSERT((known.size >= size && known.begin % 16 == 0 && (alignment == 0 || known.begin % alignment == 0)));
    RC_ASSERT(g_heap.find(reinterpret_cast<void*>(known.begin)).record == known.record);
    RC_ASSERT(known.record->state() == BlockState::live);
    if (zero) RC_ASSERT(is_filled(known.begin, size, 0));
    const auto next = live_.lower_bound(known.begin);
    RC_ASSERT((next == live_.end() || next->first >= known.begin + known.size));
    RC_ASSERT((next == live_.begin() || std::prev(next)->first + std::prev(next)->second.known.size <= known.begin));
    // New memory is zero, in each execution.
    if (!used(known.begin, known.begin + known.size)) RC_ASSERT(is_filled(known.begin, known.size, 0));
    use(known.begin, known.begin + known.size);
    live_[known.begin] = {known, ++mark_};
    fill(live_[known.begin]);
    return known.begin;
  }
  bool used(uintptr_t begin, uintptr_t end) const {
    const auto after = used_.lower_bound(end);
    return after != used_.begin() && std::prev(after)->second > begin;
  }
  // Ranges stay apart.
  void use(uintptr_t begin, uintptr_t end) {
    while (used(begin, end)) {
      const auto other = std::prev(used_.lower_bound(end));
      begin = std::min(begin, other->first);
      end = std::max(end, other->second);
      used_.erase(other);
    }
    used_[begin] = end;
  }
  std::map<uintptr_t, Block>::iterator choose(uint8_t which) {
    auto chosen = live_.begin();
    if (!live_.empty()) std::advance(chosen, which % live_.size());
    return chosen;
  }
  void drop(uint8_t which) {
    const auto chosen = choose(which);
    if (chosen == live_.end()) return;
    const HeapBlock known = g_heap.find(reinterpret_cast<void*>(chosen->first));
    RC_ASSERT((known.size == chosen->second.known.size && is_filled(known.begin, known.size, chosen->second.mark)));
    RC_ASSERT(!g_heap.find(reinterpret_cast<void*>(known.begin + 8)));
    g_heap.ends(known, BlockState::freed, {.thread = which, .site = 2, .context = 3});
    RC_ASSERT(g_heap.find(reinterpret_cast<void*>(known.begin)).record->by.thread == which);
    g_heap.put(known);
    live_.erase(chosen);
  }
  void resize(uint8_t which, size_t size) {
    const auto chosen = choose(which);
    if (chosen == live_.end()) return;
    Block& b = chosen->second;
    if (!g_heap.resize(b.known, size)) return;
    RC_ASSERT(b.known.size >= size);
    RC_ASSERT((std::next(chosen) == live_.end() || std::next(chosen)->first >= b.known.begin + b.known.size));
    RC_ASSERT(g_heap.find(reinterpret_cast<void*>(b.known.begin)).size == b.known.size);
    use(b.known.begin, b.known.begin + b.known.size);
    fill(b);
  }

  const bool parts_;
  std::map<uintptr_t, Block> live_;
  std::map<uintptr_t, uintptr_t> used_;  // in this execution, to its end
  unsigned char mark_ = 0;
};

RC_GTEST_PROP(ExecutionHeap, GivesTheSameAddressesInEachExecution, (const Steps& steps)) {
  g_heap.initialise();
  Model first(false), second(false);
  const std::vector<uintptr_t> given = first.run(steps);
  RC_ASSERT(g_heap.live_blocks() == first.live().size());
  size_t bytes = 0;
  for (const auto& [begin, b] : first.live()) bytes += b.known.size;
  RC_ASSERT(g_heap.live_bytes() == bytes);
  g_heap.renew(false);
  RC_ASSERT((g_heap.live_blocks() == 0u && g_heap.live_bytes() == 0u));
  RC_ASSERT(second.run(steps) == given);
}

// Keeps the program's kept blocks, and all blocks of libraries.
RC_GTEST_PROP(ExecutionHeap, LeavesAloneWhatOutlivesAnExecution, (const std::vector<Steps>& executions, uint8_t some)) {
  g_heap.initialise();
  Model model(true);
  for (const Steps& steps : executions) {
    model.run(steps);
    g_heap.begin_keeping();
    size_t chosen = 0, kept = 0, stay = 0;
    for (const auto& [begin, b] : model.live()) {
      if ((begin / 16 + some) % 3 != 0) continue;
      g_heap.keep(begin + b.known.size / 2);
      ++chosen;
    }
    g_heap.visit_kept([&](uintptr_t begin, uintptr_t end) { kept += model.live().count(begin) == 1 && end > begin; });
    RC_ASSERT(kept >= chosen);
    for (const auto& [begin, b] : model.live()) stay += b.known.record->state() == BlockState::kept || begin >= kLibraries;
    g_heap.renew(false);
    model.renew();
    RC_ASSERT(model.live().size() == stay);
  }
}

TEST(ExecutionHeap, HasFixedAddresses) {
  g_heap.initialise();
  const uintptr_t begin = g_heap.get(Part::program, 24, 0).begin;
  g_heap.renew(false);
  EXPECT_EQ(begin, kBase + 4096);
}

TEST(ExecutionHeap, GivesOutFirstWhatCameBackLast) {
  g_heap.initialise();
  const HeapBlock a = g_heap.get(Part::program, 100, 0), b = g_heap.get(Part::program, 100, 0);
  for (const HeapBlock& block : {a, b}) {
    g_heap.ends(block, BlockState::freed);
    g_heap.put(block);
  }
  EXPECT_EQ(g_heap.get(Part::program, 105, 0).begin, b.begin);
  EXPECT_EQ(g_heap.get(Part::program, 105, 0).begin, a.begin);
  g_heap.renew(false);
}

TEST(ExecutionHeap, KnowsOfEarlierOwners) {
  g_heap.initialise();
  const HeapBlock first = g_heap.get(Part::program, 40, 0);
  g_heap.ends(first, BlockState::freed, {.thread = 1, .site = 2, .context = 3});
  EXPECT_FALSE(first.record->by.again);
  g_heap.put(first);
  const HeapBlock second = g_heap.get(Part::program, 33, 0);
  ASSERT_EQ(second.begin, first.begin);
  g_heap.ends(second, BlockState::freed, {.thread = 1, .site = 2, .context = 3});
  EXPECT_TRUE(second.record->by.again);
  g_heap.put(second);
  g_heap.renew(false);
}

TEST(ExecutionHeap, HasAnEnd) {
  g_heap.initialise();
  EXPECT_FALSE(g_heap.get(Part::program, SIZE_MAX, 0));
  EXPECT_FALSE(g_heap.get(Part::program, SIZE_MAX / 4, 64));
  EXPECT_FALSE(g_heap.get(Part::program, 100, size_t{1} << 62));
  EXPECT_FALSE(g_heap.get_zero(Part::library, SIZE_MAX));
  size_t blocks = 0;
  while (g_heap.get(Part::program, 1 << 30, 0)) ++blocks;
  EXPECT_EQ(blocks, 12u);
  EXPECT_TRUE(g_heap.get(Part::program, 100, 0));
  g_heap.renew(false);
  EXPECT_TRUE(g_heap.get(Part::program, 1 << 30, 0));
  g_heap.renew(false);
}

TEST(ExecutionHeap, TakesWhatOtherThreadsGiveBackBetweenExecutions) {
  g_heap.initialise();
  const HeapBlock a = g_heap.get(Part::library, 100, 0);
  std::thread([&] { g_heap.put_from_outside(reinterpret_cast<void*>(a.begin)); }).join();
  EXPECT_NE(g_heap.get(Part::library, 100, 0).begin, a.begin);
  g_heap.renew(false);
  EXPECT_EQ(g_heap.get(Part::library, 100, 0).begin, a.begin);
  g_heap.renew(false);
}

}  // namespace
}  // namespace heddle::rt
