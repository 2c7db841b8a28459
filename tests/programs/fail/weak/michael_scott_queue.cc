// heddle: expect=assertion options=memory=rc11 budget=20000
// A queue of linked nodes whose nodes are linked relaxed: who takes one can find it empty. (FIXED: release.)
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto kLink = std::memory_order_release;
#else
constexpr auto kLink = std::memory_order_relaxed;
#endif

struct Node {
  std::atomic<Node*> next;
  std::atomic<int> value;
  int copy;
} nodes[4];
std::atomic<Node*> head, tail;

void put(Node* node, int value) {
  node->value.store(value, std::memory_order_relaxed);
  node->copy = value;
  for (;;) {
    Node* last = tail.load(std::memory_order_acquire);
    Node* next = last->next.load(std::memory_order_acquire);
    if (next != nullptr) {
      tail.compare_exchange_strong(last, next, std::memory_order_release, std::memory_order_relaxed);
    } else if (last->next.compare_exchange_strong(next, node, kLink, std::memory_order_relaxed)) {
      tail.compare_exchange_strong(last, node, std::memory_order_release, std::memory_order_relaxed);
      return;
    }
  }
}

bool take(int& value) {
  for (;;) {
    Node* first = head.load(std::memory_order_acquire);
    Node* last = tail.load(std::memory_order_acquire);
    Node* const next = first->next.load(std::memory_order_acquire);
    if (next == nullptr) return false;
    if (first == last) {
      tail.compare_exchange_strong(last, next, std::memory_order_release, std::memory_order_relaxed);
      continue;
    }
    value = next->value.load(std::memory_order_relaxed);
    const int copy = next->copy;
    if (!head.compare_exchange_strong(first, next, std::memory_order_acq_rel, std::memory_order_relaxed)) continue;
    assert(value == copy);
    return true;
  }
}

HEDDLE_FUZZ_TEST(michael_scott_queue) {
  for (Node& node : nodes) {
    node.next = nullptr;
    node.value = node.copy = 0;
  }
  head = tail = &nodes[0];
  std::thread one([] { put(&nodes[1], 1); }), other([] { put(&nodes[2], 2); });
  int value = 0;
  for (int tries = 0; tries < 3; ++tries) take(value);
  one.join();
  other.join();
}
