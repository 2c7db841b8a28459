#include "fiber/fiber.h"

#include <cstdint>

#include "base/check.h"
#include "base/reserved_array.h"
#include "fiber/context.h"
#include "fiber/donor.h"
#include "fiber/donor_stack.h"
#include "fiber/sanitizers.h"
#include "fiber/thread_exit.h"
#include "fiber/thread_locals.h"
#include "fiber/thread_pointer_trap.h"

// The function that pthread_atfork calls. pthread_atfork itself is linked into the executable, so it may be the program's.
extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* dso) noexcept;
// glibc 2.32 and later. While it is true, libstdc++ does not use atomics.
extern "C" char __libc_single_threaded __attribute__((weak));

constinit uint8_t heddle_fiber_use_wrfsbase = 0;

namespace heddle::fiber {

namespace {

constexpr size_t kBits = 64;

constinit Fiber* all = nullptr;  // all[0] is the root
constinit Fiber* running = nullptr;
constinit size_t donors = 0;
constinit size_t live = 0;
constinit Finish finish_handler = nullptr;
constinit bool watches_forks = false;
// One bit for each free donor, by number.
constinit uint64_t free_donors[kMaxDonors / kBits] = {};
constinit size_t first_free_word = 0;
constinit size_t usual_size = 0;

void put_free(Fiber* fiber) {
  const size_t word = fiber->number / kBits;
  free_donors[word] |= 1ull << fiber->number % kBits;
  if (word < first_free_word) first_free_word = word;
  fiber->state = State::kFree;
}

Fiber* take_free() {
  const size_t words = donors / kBits + 1;
  for (; first_free_word < words; ++first_free_word) {
    uint64_t& word = free_donors[first_free_word];
    if (word == 0) continue;
    const size_t number = first_free_word * kBits + __builtin_ctzll(word);
    word &= word - 1;
    return &all[number];
  }
  first_free_word = words - 1;
  return nullptr;
}

// Takes a donor with a larger stack than usual. Few programs ask for it, and rarely.
Fiber* take_free_with(size_t stack) {
  for (size_t i = 1; i <= donors; ++i) {
    uint64_t& word = free_donors[i / kBits];
    const uint64_t bit = 1ull << i % kBits;
    if ((word & bit) == 0 || static_cast<size_t>(static_cast<char*>(all[i].base) - static_cast<char*>(all[i].stack_low)) < stack) continue;
    word &= ~bit;
    return &all[i];
  }
  return nullptr;
}

Fiber* add_donor(size_t stack) {
  if (donors + 1 >= kMaxDonors) return nullptr;
  Fiber* fiber = &all[donors + 1];
  fiber->number = static_cast<uint32_t>(donors + 1);
  if (!make_donor(fiber, stack)) return nullptr;
  ++donors;
  return fiber;
}

// A forked child does not have the donors; libc has even reused their stacks. If the child was forked on the root, it starts again with
// initialise(). If it was forked on a fiber, it has only that fiber.
void forget_donors() {
  if (all == nullptr || running != &all[0]) return;
  for (uint64_t& word : free_donors) word = 0;
  all = running = nullptr;
  donors = live = first_free_word = 0;
}

}  // namespace

Fiber* records() { return all; }

void initialise() {
  if (all != nullptr) return;
  all = static_cast<Fiber*>(rt::map_pages(kMaxDonors * sizeof(Fiber)));
  if (all == nullptr) {
    rt::fail("no memory for the table of fibers");
  }
  if (!watches_forks) watches_forks = __register_atfork(nullptr, nullptr, &forget_donors, nullptr) == 0;
  find_thread_creation();
  usual_size = usual_stack();
  thread_locals::survey();
  Fiber* self = &all[0];
  self->thread_pointer = context::thread_pointer();
  self->handle = pthread_self();
  self->state = State::kLive;
  pthread_attr_t attributes;
  size_t size = 0;
  if (pthread_getattr_np(self->handle, &attributes) == 0) {
    pthread_attr_getstack(&attributes, &self->stack_low, &size);
    pthread_attr_destroy(&attributes);
  }
  self->stack_high = static_cast<char*>(self->stack_low) + size;
  self->base = self->stack_high;
  running = self;
  thread_pointer_trap().look();
  if (&__libc_single_threaded != nullptr) __libc_single_threaded = 0;
  // Make the first donor now: libc becomes multi-threaded before the first execution, and not during it.
  if (Fiber* first = add_donor(0)) put_free(first);
}

void provide_donors(size_t count) {
  while (donors < count) {
    Fiber* const fiber = add_donor(0);
    if (fiber == nullptr) return;
    put_free(fiber);
  }
}

Fiber* root() { return all; }
Fiber* current() { return running; }

Fiber* acquire(Entry entry, void* argument, size_t stack) {
  Fiber* fiber = stack > usual_size ? take_free_with(stack) : take_free();
  if (fiber == nullptr) fiber = add_donor(stack);
  if (fiber == nullptr) return nullptr;
  thread_locals::begin(fiber);
  fiber->entry = entry;
  fiber->argument = argument;
  fiber->tag = nullptr;
  fiber->cleanups = nullptr;
  fiber->stack_pointer = context::prepare(fiber->base, fiber);
  fiber->state = State::kReady;
  ++live;
  return fiber;
}

void switch_to(Fiber* to) {
  Fiber* from = running;
  running = to;
  heddle_fiber_switch(&from->stack_pointer, to->stack_pointer, to->thread_pointer);
}

void exit_to(Fiber* to) {
  Fiber* from = running;
  sanitizers::finishing(from);
  from->state = State::kFinished;
  running = to;
  heddle_fiber_switch(&from->stack_pointer, to->stack_pointer, to->thread_pointer);
  __builtin_trap();
}

void release(Fiber* fiber) {
  if (fiber->state == State::kFree || fiber == root()) return;
  sanitizers::retire_stack(fiber, fiber->state == State::kLive);
  forget_thread_exit(fiber);
  thread_locals::restore(fiber);
  --live;
  put_free(fiber);
}

void set_finish(Finish finish) { finish_handler = finish; }

pthread_t handle(const Fiber* fiber) { return fiber->handle; }
void* stack_low(const Fiber* fiber) { return fiber->stack_low; }
void* stack_high(const Fiber* fiber) { return fiber->stack_high; }
void* stack_base(const Fiber* fiber) { return fiber->base; }
Fiber* with_stack(uintptr_t address) {
  const rt::AddressLayout& layout = rt::address_layout();
  const size_t slot = (address - layout.stacks) / layout.stack_slot;
  if (address < layout.stacks || slot > donors) return nullptr;
  Fiber* fiber = &all[slot];
  const bool within = address >= reinterpret_cast<uintptr_t>(fiber->stack_low) && address < reinterpret_cast<uintptr_t>(fiber->stack_high);
  return within && fiber->state != State::kFree ? fiber : nullptr;
}
bool finished(const Fiber* fiber) { return fiber->state == State::kFinished; }
size_t number(const Fiber* fiber) { return fiber->number; }
void set_tag(Fiber* fiber, void* tag) { fiber->tag = tag; }
void* tag(const Fiber* fiber) { return fiber->tag; }
size_t donor_count() { return donors; }
size_t live_count() { return live; }

Position position(const Fiber* fiber) {
  auto* words = static_cast<void**>(fiber->stack_pointer);
  return {words[context::kSavedProgramCounter], words[context::kSavedFramePointer],
          words + context::kSavedWords};
}

const void* saved_registers(const Fiber* fiber) { return fiber->stack_pointer; }

void ignore_leak(const void* object) { sanitizers::ignore_object(object); }
void ignore_leaks_behind(const void* begin, size_t size) { sanitizers::ignore_words(begin, size); }
void ignore_leaks_of_thread_locals() { sanitizers::ignore_thread_locals(running); }

void ignore_leaks_of_live_fibers() {
  for (size_t i = 1; i <= donors; ++i) {
    if (all[i].state == State::kLive && &all[i] != running) sanitizers::ignore_leaks(&all[i]);
  }
}

}  // namespace heddle::fiber

using heddle::fiber::Fiber;

void heddle_fiber_main(Fiber* fiber) {
  fiber->state = heddle::fiber::State::kLive;
  heddle::fiber::thread_locals::enter();
  fiber->entry(fiber->argument);
}

void heddle_fiber_finish(Fiber* fiber) {
  if (heddle::fiber::finish_handler != nullptr) heddle::fiber::finish_handler(fiber);
  heddle::fiber::run_thread_exit();
  heddle::fiber::exit_to(heddle::fiber::root());
}
