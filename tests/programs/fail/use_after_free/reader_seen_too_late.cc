// heddle: expect=heap-use-after-free budget=3000
// A list as with RCU: a remover unlinks a node, waits until no reader is inside, and frees it. A reader says that it is inside
// only after it has read the head.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
struct Node {
  int key;
  Node* next;
};
struct List {
  std::atomic<Node*> head{nullptr};
  std::atomic<int> readers{0};

  int sum() {
#ifdef FIXED
    readers.fetch_add(1);
    const Node* at = head.load();
#else
    const Node* at = head.load();
    readers.fetch_add(1);
#endif
    int sum = 0;
    for (; at; at = at->next) sum += at->key;
    readers.fetch_sub(1);
    return sum;
  }
  void remove_first() {
    Node* const first = head.load();
    head.store(first->next);
    while (readers.load() != 0) std::this_thread::yield();
    delete first;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(reader_seen_too_late) {
  List list;
  list.head = new Node{1, new Node{2, nullptr}};
  int sum = 0;
  std::thread reader([&] { sum = list.sum(); });
  std::thread remover([&] { list.remove_first(); });
  reader.join();
  remover.join();
  assert(sum == 3 || sum == 2);
  delete list.head.load();
}
