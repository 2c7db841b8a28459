// heddle: expect=livelock budget=1000 seeds=1
// Two threads move the same node of a list to its front. When one has done so between the other's two steps, the node points to itself, and who goes over the
// list reads it for ever.
#include <heddle/heddle.h>

#include <cstddef>
#include <mutex>
#include <thread>

namespace {
struct Node {
  int value;
  Node* next;
};

struct List {
  Node nodes[3] = {{1, nodes + 1}, {1, nodes + 2}, {1, nullptr}};
  Node* head = nodes;
  std::mutex mutex;

  void move_to_front(Node* node) {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    Node** at = &head;
    while (*at != nullptr && *at != node) at = &(*at)->next;
    if (*at != nullptr) *at = node->next;
    node->next = head;
    head = node;
  }
  bool has(int value) const {
    const Node* n = head;
    while (n != nullptr && n->value != value) n = n->next;
    return n != nullptr;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(circle) {
  List list;
  std::thread one([&] { list.move_to_front(list.nodes + 1); }), other([&] { list.move_to_front(list.nodes + 1); });
  one.join();
  other.join();
  if (list.has(2)) __builtin_trap();
}
