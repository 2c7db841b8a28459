// heddle: expect=data_race options=memory=rc11:report_races=1 budget=2000
// A reference count that is taken back relaxed: who frees the object does not see that the other thread has finished with it. (FIXED: acq_rel.)
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

#ifdef FIXED
constexpr auto kDrop = std::memory_order_acq_rel;
#else
constexpr auto kDrop = std::memory_order_relaxed;
#endif

struct Node {
  std::atomic<int> references{2};
  int uses = 0;
};

void drop(Node* node) {
  if (node->references.fetch_sub(1, kDrop) == 1) delete node;
}

HEDDLE_FUZZ_TEST(last_reference) {
  Node* const node = new Node;
  std::thread user([node] {
    ++node->uses;
    drop(node);
  });
  drop(node);
  user.join();
}
