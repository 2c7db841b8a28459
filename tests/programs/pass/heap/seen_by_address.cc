// heddle: expect=pass runs=500
// A program may depend on where its blocks are: on their order, on the pages and on the remainders of their addresses. Addresses depend only on the
// schedule, and so does the program. Some of the blocks of each execution are left behind.
#include <heddle/heddle.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {
struct Item {
  std::atomic<int> uses{0};
  std::string name;
};

std::unordered_map<Item*, int> g_numbers;  // put back after each execution, and its nodes are lost
std::set<Item*> g_items;
std::array<std::atomic<int>, 7> g_shards;

std::atomic<int>& shard_of(const void* p) { return g_shards[reinterpret_cast<uintptr_t>(p) / 16 % g_shards.size()]; }

void visit(Item* item) {
  ++item->uses;
  ++shard_of(item);
}

void work(std::atomic<int>& turn) {
  std::vector<std::unique_ptr<Item>> own;
  for (int i = 0; i < 4; ++i) {
    own.push_back(std::make_unique<Item>());
    // The order of the threads decides the sizes, so addresses differ from run to run.
    own.back()->name.assign(static_cast<size_t>(turn++ * 23 % 300), 'x');
    if (i % 2 == 1) own.erase(own.begin());
  }
  std::set<Item*> by_address;
  for (const auto& item : own) by_address.insert(item.get());
  for (Item* const item : by_address) visit(item);
  void* const large = malloc(static_cast<size_t>(50'000 + 1'000 * turn));
  void* const copy = strdup("a block of the C library");
  ++shard_of(static_cast<char*>(large) + 4096 * (turn % 8));
  ++shard_of(copy);
  free(copy);
  free(large);
}
}  // namespace

HEDDLE_FUZZ_TEST(seen_by_address) {
  std::atomic<int> turn{0};
  for (int i = 0; i < 6; ++i) {
    Item* const item = new Item;
    g_items.insert(item);
    g_numbers[item] = i;
  }
  std::thread a([&] { work(turn); }), b([&] { work(turn); });
  for (const auto& [item, number] : g_numbers) visit(item);
  a.join();
  b.join();
  for (Item* const item : g_items) visit(item);
  // No thread has written to it in this execution.
  const volatile auto* const fresh = static_cast<const volatile unsigned char*>(malloc(30'000));
  for (int i = 0; i < 30'000; i += 100) {
    if (fresh[i] != 0) visit(*g_items.begin());
  }
}
