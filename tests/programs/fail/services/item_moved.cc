// heddle: expect=assertion budget=3000
// After memcached's slab rebalancing: the mover looks at an item's reference count under the lock of its slab class, and a
// getter takes its reference under the lock of the hash bucket alone. So the item's chunk is given away while it is read.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

namespace {
struct Item {
  std::atomic<int> references{0};
  char key[8] = "";
  int value = 0;
};

class Store {
 public:
  void set(int chunk, const char* key, int value) {
    std::lock_guard lock(bucket_);
    std::strcpy(chunks_[chunk].key, key);
    chunks_[chunk].value = value;
  }
  Item* get(const char* key) {
    std::lock_guard lock(bucket_);
    for (Item& item : chunks_) {
      if (std::strcmp(item.key, key) != 0) continue;
      item.references.fetch_add(1);
      return &item;
    }
    return nullptr;
  }
  void give_back(Item* item) { item->references.fetch_sub(1); }

  // Gives the first chunk to another slab class, unless somebody uses it.
  bool move_page() {
    std::lock_guard lock(slabs_);
#ifdef FIXED
    std::lock_guard bucket(bucket_);
#endif
    Item& item = chunks_[0];
    if (item.references.load() != 0) return false;
    unlink(item);
    item.value = -1;
    return true;
  }

 private:
  void unlink(Item& item) {
#ifndef FIXED
    std::lock_guard lock(bucket_);
#endif
    item.key[0] = 0;
  }
  std::mutex slabs_, bucket_;
  Item chunks_[2];
};
}  // namespace

HEDDLE_FUZZ_TEST(item_moved) {
  Store store;
  store.set(0, "user", 10);
  store.set(1, "host", 20);
  std::thread client([&] {
    if (Item* item = store.get("user")) {
      assert(item->value == 10);
      store.give_back(item);
    }
  });
  std::thread rebalance([&] { store.move_page(); });
  client.join();
  rebalance.join();
}
