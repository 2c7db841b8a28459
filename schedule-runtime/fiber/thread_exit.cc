#include "fiber/thread_exit.h"

#include <errno.h>
#include <limits.h>

#include <cstdint>

#include "base/reserved_array.h"
#include "fiber/donor.h"
#include "fiber/sanitizers.h"

namespace heddle::fiber {

// A stack of destructors in chunks; chunks stay with the donor. `head` is the first chunk for good.
struct DestructorChunk {
  struct Item {
    void (*run)(void*);
    void* object;
    void* dso;
  };
  static constexpr size_t kItems = (4096 - 24) / sizeof(Item);
  DestructorChunk* next;
  DestructorChunk* previous;
  size_t used;
  Item items[kItems];
};

namespace {

constexpr size_t kKeys = PTHREAD_KEYS_MAX;
constexpr pthread_key_t kFirstKey = 0x40000000;

}  // namespace

struct KeyValues {
  struct Value {
    uint64_t birth;  // of the key it was set for: a key made anew at the number has no value
    void* value;
  };
  uint64_t set[kKeys / 64];
  Value values[kKeys];
};

namespace {

struct Key {
  uint64_t birth;  // 0: free
  void (*destructor)(void*);
};
constinit Key keys[kKeys] = {};
constinit size_t keys_end = 0;  // above every key in use
constinit uint64_t births = 0;

DestructorChunk* add_chunk(DestructorChunk* previous) {
  auto* chunk = static_cast<DestructorChunk*>(rt::map_pages(sizeof(DestructorChunk)));
  if (chunk == nullptr) return nullptr;
  chunk->previous = previous;
  if (previous != nullptr) previous->next = chunk;
  sanitizers::add_roots(chunk, sizeof *chunk);
  return chunk;
}

Key* find_key(pthread_key_t key) {
  const size_t i = key - kFirstKey;
  return is_fiber_key(key) && keys[i].birth != 0 ? &keys[i] : nullptr;
}

}  // namespace

// The last chunk with items is the top; fiber->destructors points to it, or to the first chunk.
bool register_thread_destructor(void (*destructor)(void*), void* object, void* dso) {
  Fiber* fiber = current();
  DestructorChunk* top = fiber->destructors;
  if (top == nullptr || top->used == DestructorChunk::kItems) {
    DestructorChunk* next = top != nullptr ? top->next : nullptr;
    if (next == nullptr) next = add_chunk(top);
    if (next == nullptr) return false;
    fiber->destructors = top = next;
  }
  top->items[top->used++] = {destructor, object, dso};
  return true;
}

void run_thread_destructors() {
  Fiber* fiber = current();
  while (DestructorChunk* top = fiber->destructors) {
    if (top->used == 0) {
      if (top->previous == nullptr) return;
      fiber->destructors = top->previous;
      continue;
    }
    const DestructorChunk::Item item = top->items[--top->used];
    top->items[top->used] = {};
    item.run(item.object);
  }
}

bool is_fiber_key(pthread_key_t key) { return key >= kFirstKey && key - kFirstKey < kKeys; }

int key_create(pthread_key_t* key, void (*destructor)(void*)) {
  for (size_t i = 0; i < kKeys; ++i) {
    if (keys[i].birth != 0) continue;
    keys[i] = {++births, destructor};
    if (i >= keys_end) keys_end = i + 1;
    *key = kFirstKey + static_cast<pthread_key_t>(i);
    return 0;
  }
  return EAGAIN;
}

int key_delete(pthread_key_t key) {
  Key* found = find_key(key);
  if (found == nullptr) return EINVAL;
  *found = {};
  return 0;
}

int key_set(pthread_key_t key, const void* value) {
  const Key* found = find_key(key);
  if (found == nullptr) return EINVAL;
  Fiber* fiber = current();
  if (fiber->keys == nullptr) {
    if (value == nullptr) return 0;
    fiber->keys = static_cast<KeyValues*>(rt::map_pages(sizeof(KeyValues)));
    if (fiber->keys == nullptr) return ENOMEM;
    sanitizers::add_roots(fiber->keys, sizeof(KeyValues));
  }
  const size_t i = key - kFirstKey;
  fiber->keys->values[i] = {found->birth, const_cast<void*>(value)};
  fiber->keys->set[i / 64] |= 1ull << i % 64;
  return 0;
}

void* key_get(pthread_key_t key) {
  const Key* found = find_key(key);
  const KeyValues* own = current()->keys;
  if (found == nullptr || own == nullptr) return nullptr;
  const KeyValues::Value& value = own->values[key - kFirstKey];
  return value.birth == found->birth ? value.value : nullptr;
}

void run_key_destructors() {
  Fiber* fiber = current();
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && fiber->keys != nullptr; ++round) {
    bool any = false;
    for (size_t i = 0; i < keys_end; ++i) {
      if ((fiber->keys->set[i / 64] >> i % 64 & 1) == 0) continue;
      KeyValues::Value& slot = fiber->keys->values[i];
      if (keys[i].birth == 0 || slot.birth != keys[i].birth || slot.value == nullptr) continue;
      void* value = slot.value;
      slot.value = nullptr;
      if (keys[i].destructor == nullptr) continue;
      any = true;
      keys[i].destructor(value);
    }
    if (!any) return;
  }
}

void forget_keys() {
  for (size_t i = 0; i < keys_end; ++i) keys[i] = {};
  keys_end = 0;
}

void run_thread_exit() {
  run_thread_destructors();
  run_key_destructors();
}

void forget_thread_exit(Fiber* fiber) {
  while (DestructorChunk* top = fiber->destructors) {
    for (size_t i = 0; i < top->used; ++i) top->items[i] = {};
    top->used = 0;
    if (top->previous == nullptr) break;
    fiber->destructors = top->previous;
  }
  if (fiber->keys == nullptr) return;
  for (size_t word = 0; word < kKeys / 64; ++word) {
    for (uint64_t& bits = fiber->keys->set[word]; bits != 0; bits &= bits - 1) {
      fiber->keys->values[word * 64 + __builtin_ctzll(bits)] = {};
    }
  }
}

void visit_thread_exit(const Fiber* fiber, ValueCallback callback, void* argument) {
  for (DestructorChunk* top = fiber->destructors; top != nullptr; top = top->previous) {
    for (size_t i = 0; i < top->used; ++i) callback(top->items[i].object, argument);
  }
  if (fiber->keys == nullptr) return;
  for (size_t i = 0; i < kKeys; ++i) callback(fiber->keys->values[i].value, argument);
}

}  // namespace heddle::fiber
