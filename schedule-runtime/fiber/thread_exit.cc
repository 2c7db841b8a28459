#include "fiber/thread_exit.h"

#include <errno.h>
#include <limits.h>

#include <cstdint>

#include "base/reserved_array.h"
#include "fiber/donor.h"
#include "fiber/sanitizers.h"

namespace heddle::fiber {

// A stack of destructors in chunks. The chunks stay with the donor. `head` is always the first chunk.
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

// The table has the outer keys first, under their libc numbers. Keys that controlled threads create come next. Lasting ones come last, so
// that the numbers of the others do not depend on earlier executions.
constexpr size_t kOuterKeys = PTHREAD_KEYS_MAX;
constexpr size_t kFirstLasting = kOuterKeys + PTHREAD_KEYS_MAX;
constexpr size_t kKeys = kFirstLasting + 256;
constexpr pthread_key_t kFirstKey = 0x40000000;

}  // namespace

struct KeyValues {
  struct Value {
    uint64_t birth;  // birth of the key that it was set for. A new key with the same number has no value
    void* value;
  };
  uint64_t set[kKeys / 64];
  Value values[kKeys];
};

namespace {

struct Key {
  uint64_t birth;  // 0: free
  void (*destructor)(void*);
  bool deleted;  // for an outer key: until the end of the execution
  uint64_t used;  // the value of `births` when it was last set, or created
};
constinit Key keys[kKeys] = {};
constinit size_t keys_end = kOuterKeys;  // above every key in use
constinit uint64_t births = 0;
constinit bool outer_deleted = false;  // some of them, in this execution

DestructorChunk* add_chunk(DestructorChunk* previous) {
  auto* chunk = static_cast<DestructorChunk*>(rt::map_pages(sizeof(DestructorChunk)));
  if (chunk == nullptr) return nullptr;
  chunk->previous = previous;
  if (previous != nullptr) previous->next = chunk;
  sanitizers::add_roots(chunk, sizeof *chunk);
  return chunk;
}

Key* find_key(pthread_key_t key) {
  const size_t i = key < kOuterKeys ? key : key - kFirstKey + kOuterKeys;
  return i < kKeys && keys[i].birth != 0 && !keys[i].deleted ? &keys[i] : nullptr;
}

size_t index_of(const Key* key) { return static_cast<size_t>(key - keys); }

KeyValues::Value* value_of(const Fiber* fiber, const Key* key) {
  if (fiber->keys == nullptr) return nullptr;
  KeyValues::Value& value = fiber->keys->values[index_of(key)];
  return value.birth == key->birth ? &value : nullptr;
}

}  // namespace

// The last chunk with items is the top. fiber->destructors points to it, or to the first chunk.
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

bool has_thread_destructor(DsoTest wanted, void* argument) {
  const Fiber* const all = records();
  for (size_t i = 0; all != nullptr && i <= donor_count(); ++i) {
    for (const DestructorChunk* top = all[i].destructors; top != nullptr; top = top->previous) {
      for (size_t item = 0; item < top->used; ++item) {
        if (wanted(top->items[item].dso, argument)) return true;
      }
    }
  }
  return false;
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

bool is_fiber_key(pthread_key_t key) { return key >= kFirstKey && key - kFirstKey < kKeys - kOuterKeys; }

namespace {

// A number for a new key. kKeys: none is free.
size_t free_number(bool lasting) {
  const size_t begin = lasting ? kFirstLasting : kOuterKeys, end = lasting ? kKeys : kFirstLasting;
  size_t unused = begin;
  for (size_t i = begin; i < end; ++i) {
    if (keys[i].birth == 0) return i;
    if (keys[i].used < keys[unused].used) unused = i;
  }
  // Reuse the lasting key that was unused for longest. Code that creates a lasting key in each execution, for an object that ends with the
  // execution, no longer uses the oldest one.
  return lasting ? unused : kKeys;
}

}  // namespace

int key_create(pthread_key_t* key, void (*destructor)(void*), bool lasting) {
  const size_t i = free_number(lasting);
  if (i == kKeys) return EAGAIN;
  ++births;
  keys[i] = {.birth = births, .destructor = destructor, .deleted = false, .used = births};
  if (i >= keys_end) keys_end = i + 1;
  *key = kFirstKey + static_cast<pthread_key_t>(i - kOuterKeys);
  return 0;
}

int key_delete(pthread_key_t key) {
  Key* found = find_key(key);
  if (found == nullptr) return EINVAL;
  if (is_fiber_key(key)) *found = {};
  else found->deleted = outer_deleted = true;
  return 0;
}

int key_set(pthread_key_t key, const void* value) {
  Key* found = find_key(key);
  if (found == nullptr) return EINVAL;
  found->used = ++births;
  Fiber* fiber = current();
  if (fiber->keys == nullptr) {
    if (value == nullptr) return 0;
    fiber->keys = static_cast<KeyValues*>(rt::map_pages(sizeof(KeyValues)));
    if (fiber->keys == nullptr) return ENOMEM;
    sanitizers::add_roots(fiber->keys, sizeof(KeyValues));
  }
  const size_t i = index_of(found);
  fiber->keys->values[i] = {found->birth, const_cast<void*>(value)};
  fiber->keys->set[i / 64] |= 1ull << i % 64;
  return 0;
}

void* key_get(pthread_key_t key) {
  const Key* found = find_key(key);
  const KeyValues::Value* value = found != nullptr ? value_of(current(), found) : nullptr;
  return value != nullptr ? value->value : nullptr;
}

void outer_key_created(pthread_key_t key, void (*destructor)(void*)) {
  if (key < kOuterKeys) keys[key] = {.birth = ++births, .destructor = destructor, .deleted = false, .used = births};
}

void outer_key_deleted(pthread_key_t key) {
  if (key < kOuterKeys) keys[key] = {};
}

bool is_outer_key(pthread_key_t key) { return key < kOuterKeys && keys[key].birth != 0; }

bool has_value(pthread_key_t key) {
  const Key* found = find_key(key);
  return found != nullptr && value_of(current(), found) != nullptr;
}

void run_key_destructors() {
  Fiber* fiber = current();
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && fiber->keys != nullptr; ++round) {
    bool any = false;
    for (size_t word = 0; word * 64 < keys_end; ++word) {
      uint64_t passed = 0;  // as in libc, a destructor may set a later key
      while (const uint64_t bits = fiber->keys->set[word] & ~passed) {
        const uint64_t bit = bits & -bits;
        passed |= bit | (bit - 1);
        const size_t i = word * 64 + static_cast<size_t>(__builtin_ctzll(bit));
        KeyValues::Value* slot = keys[i].birth != 0 && !keys[i].deleted ? value_of(fiber, &keys[i]) : nullptr;
        if (slot == nullptr || slot->value == nullptr) continue;
        void* value = slot->value;
        slot->value = nullptr;
        if (keys[i].destructor == nullptr) continue;
        any = true;
        keys[i].destructor(value);
      }
    }
    if (!any) return;
  }
}

void forget_keys() {
  for (size_t i = kOuterKeys; i < keys_end && i < kFirstLasting; ++i) keys[i] = {};
  if (keys_end <= kFirstLasting) keys_end = kOuterKeys;
  if (!outer_deleted) return;
  for (size_t i = 0; i < kOuterKeys; ++i) keys[i].deleted = false;
  outer_deleted = false;
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
  for (const KeyValues::Value& value : fiber->keys->values) callback(value.value, argument);
}

}  // namespace heddle::fiber
