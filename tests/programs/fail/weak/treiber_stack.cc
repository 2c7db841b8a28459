// heddle: expect=heap-use-after-free options=memory=rc11 budget=20000 asan
// A stack of linked nodes with hazard pointers that are announced with release: who frees a node can miss the announcement of a thread that
// has then found the node still on the stack. (FIXED: seq_cst.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kStore = std::memory_order_seq_cst, kLoad = std::memory_order_seq_cst, kTake = std::memory_order_seq_cst;
#else
constexpr auto kStore = std::memory_order_release, kLoad = std::memory_order_acquire, kTake = std::memory_order_acq_rel;
#endif

struct Node {
  int value;
  Node* next = nullptr;
};
std::atomic<Node*> top, hazard[2];

void push(int value) {
  Node* const node = new Node{value, top.load(std::memory_order_relaxed)};
  while (!top.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

int pop(int me) {
  Node* node = top.load(std::memory_order_relaxed);
  for (;;) {
    if (node == nullptr) return 0;
    hazard[me].store(node, kStore);
    Node* const still = top.load(kLoad);
    if (still != node) {
      node = still;
      continue;
    }
    if (top.compare_exchange_strong(node, node->next, kTake, std::memory_order_relaxed)) break;
  }
  hazard[me].store(nullptr, std::memory_order_release);
  while (hazard[1 - me].load(kLoad) == node) std::this_thread::yield();
  const int value = node->value;
  delete node;
  return value;
}

HEDDLE_FUZZ_TEST(treiber_stack) {
  top = hazard[0] = hazard[1] = nullptr;
  push(1);
  push(2);
  int taken = 0;
  std::thread other([&taken] { taken = pop(1); });
  const int mine = pop(0);
  push(4);
  const int last = pop(0);
  other.join();
  int rest = 0;
  while (const int value = pop(0)) rest += value;
  assert(mine + last + taken + rest == 7);
}
