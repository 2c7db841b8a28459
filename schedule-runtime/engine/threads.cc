// The life of a controlled thread.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/asan.h"
#include "base/elf.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "engine/engine.h"
#include "engine/program_exit.h"
#include "engine/settling.h"
#include "fiber/library_locals.h"
#include "fiber/thread_exit.h"
#include "heap/heap_blocks.h"
#include "heap/shared_views.h"
#include "races/race_detector.h"
#include "races/recent_accesses.h"
#include "trace/comparisons.h"

namespace heddle::rt {

bool Engine::rests_in_library(const Pending& p) {
  return p.context_node == 0 && !p.owner->main && of_bare_library(reinterpret_cast<uintptr_t>(p.owner->start));
}

Thread* Engine::create_thread(void* (*start)(void*), void* argument, bool detached, uint32_t create_event, size_t stack_size) {
  if (threads_.full()) return nullptr;
  recycle_finished();
  Thread* parent = tls_thread;
  const bool second = parent != nullptr && parent->alone;
  Thread& t = add_thread(parent != nullptr ? child_thread(parent->id, parent->children++) : kMainThread, parent, create_event);
  if (parent != nullptr) memcpy(t.name, parent->name, sizeof t.name);
  t.blocked_signals = parent != nullptr ? parent->blocked_signals : initially_blocked_;
  t.state = ThreadState::live;
  t.detached = detached;
  t.start = start;
  t.argument = argument;
  t.alone = parent == nullptr;
  t.next_write_is_new = true;
  if (second) {
    comparisons().others_run();
    parent->has_published();
  }
  t.plain_path = plain_path(t);
  t.forget_plain_accesses();
  if (second) {
    parent->alone = false;
    take_path(*parent);
  }
  t.fiber = fiber::acquire(&Engine::thread_entry, &t, stack_size);
  if (t.fiber == nullptr) {
    // Do not return EAGAIN: what the program did next would be a finding about this machine.
    print_line(2, "heddle: the system cannot create thread %u of this execution. Raise the limits (ulimit -u, ulimit -v, vm.max_map_count)\n",
               t.index + 1);
    _exit(kInternalErrorExit);
  }
  fiber::set_tag(t.fiber, &t);
  bool inserted;
  by_handle_.find_or_insert(fiber::handle(t.fiber), inserted) = t.index;
  t.stack_low = reinterpret_cast<uintptr_t>(fiber::stack_low(t.fiber));
  t.stack_high = reinterpret_cast<uintptr_t>(fiber::stack_high(t.fiber));
  race_detector_thread(t.index, t.parent->index, t.stack_low, t.stack_high);

  t.live_slot = static_cast<uint32_t>(live_.size());
  live_.push() = &t.op;
  make_object_of(t, create_event);

  Thread* const creator = tls_thread;
  tls_thread = &t;
  t.start_pc = reinterpret_cast<uintptr_t>(creator == nullptr ? reinterpret_cast<void*>(body_) : reinterpret_cast<void*>(start)) + 1;
  if (sites()[sites().index_of(t.start_pc)].library && creator != nullptr) t.start_pc = sites()[creator->op.pc_index].pc;
  fill(t.op, t, {.kind = Kind::thread_start, .object = t.object, .place = {t.start_pc, 0}});
  post(t.op);
  tls_thread = creator;
  return &t;
}

Thread& Engine::add_thread(ThreadId id, Thread* parent, uint32_t create_event) {
  const uint32_t index = static_cast<uint32_t>(threads_.size());
  Thread& t = threads_.push();
  // The slot keeps the memory of its shadow stack for later executions. A new slot takes that of a thread that is gone: with threads one after the
  // other, a new process would touch new pages for each of them.
  ShadowStack stack = t.stack;
  if (!stack.has_memory() && spare_stacks_.size() != 0) stack = spare_stacks_.pop();
  memset(static_cast<void*>(&t), 0, offsetof(Thread, spin));
  t.stack = stack;
  t.stack.initialise();
  t.spin.begin();
  t.index = index;
  t.id = id;
  t.parent = parent != nullptr ? parent : &t;
  t.wakes_for_itself = t.own_deadline = t.rings_at = kNever;
  t.spin_threshold = spin_threshold(mix(mix(schedule_.seed, 0x9A71E27), t.id));
  ready_slots_.push() = -1;
  t.op.owner = &t;
  t.op.thread = t.id;
  t.op.thread_index = index;
  recorder().threads.push() = {t.id, t.parent->index, create_event, 0, 0, {}};
  return t;
}

// Its address is that of the slot, which is never the program's memory.
void Engine::make_object_of(Thread& t, uint32_t create_event) {
  bool inserted;
  uint32_t& slot = object_by_address_.find_or_insert(reinterpret_cast<uintptr_t>(&t), inserted);
  slot = static_cast<uint32_t>(objects_.size());
  Object& o = objects_.push();
  memset(&o, 0, sizeof o);
  o.address = reinterpret_cast<uintptr_t>(&t);
  o.index = slot;
  o.family = Family::thread;
  o.id = mix(t.id, 0x7412EAD) | 1;
  o.written_by = kNoEvent;
  o.last_write_event = create_event;
  o.last_acquire_event = kNoEvent;
  o.destroy_event = kNoEvent;
  recorder().objects.push() = {o.id, 0, create_event};
  t.object = &o;
}

PlainPath Engine::plain_path(const Thread& t) const {
  if (asan_linked() || shared_views().any()) return PlainPath::slow;
  if (visible_plain_.any()) return PlainPath::listed;
  if (t.alone) return PlainPath::alone;
  return race_detector_watches() ? PlainPath::shared : PlainPath::unwatched;
}

void Engine::take_path(Thread& t) {
  t.plain_path = plain_path(t);
  if (t.gate == nullptr) return;
  *t.gate = {};
  t.begin_window();
  if (t.plain_path != PlainPath::alone && t.plain_path != PlainPath::unwatched) return;
  t.gate->open_reads(reinterpret_cast<uintptr_t>(unread_.data()), unread_.size());
}

[[gnu::noinline]] void Engine::begin_thread(Thread& t) {
  tls_thread = &t;
  t.gate = &tls_gate;
  take_path(t);
  if (!race_detector_watches()) recent_accesses().rest();
  heap_blocks::admit_thread();
  // An earlier thread of this execution may have had the same values.
  fiber::library_locals::for_each([](void* begin, size_t size) { race_detector_forget(reinterpret_cast<uintptr_t>(begin), size); });
  if (t.op.constrained) enforcement_.executed(t.op, kNoEvent);
  commit(t.op, {.partner = recorder().threads[t.index].create_event});
}

// This frame is below all frames of the program, and the program's local variables are named by their distance from the base of the stack.
// So its size is part of saved inputs. Nothing is inlined here that could change it.
void Engine::thread_entry(void* thread) {
  Thread& t = *static_cast<Thread*>(thread);
  uint64_t depth_of_saved_inputs[2];
  asm volatile("" : : "r"(depth_of_saved_inputs) : "memory");
  engine().begin_thread(t);
  t.result = t.start(t.argument);
}

// At the base of the fiber: the start routine has returned, or pthread_exit has unwound to here.
void Engine::thread_finish(fiber::Fiber*) {
  Thread& t = *tls_thread;
  if (t.main) fiber::ignore_leaks_of_thread_locals();
  fiber::run_thread_exit();
  if (t.at_end != nullptr) t.at_end(t);
  Engine& e = engine();
  bool last = true;
  for (const Pending* p : e.live_) last = last && (p == &t.op || p->kind == Kind::thread_exit);
  if (last) last_thread_of_program_ends(t);
  t.stack.reset();
  // The stack has no frame of the program any more.
  Pending& p = e.arrive({.kind = Kind::thread_exit, .object = t.object,
                         .place = {t.start_pc, reinterpret_cast<uintptr_t>(fiber::stack_base(t.fiber))}});
  t.state = ThreadState::finished;
  if (e.commit(p, {}) != kNoEvent) race_detector_ended(t.index);
  e.leave(t);
}

void Engine::end_process(int status) {
  Thread& t = *tls_thread;
  commit(arrive({.kind = Kind::thread_exit, .object = t.object, .place = {t.start_pc, 0}}), {});
  t.state = ThreadState::finished;
  Pending* last = live_[live_.size() - 1];
  live_[t.live_slot] = last;
  last->owner->live_slot = t.live_slot;
  live_.resize(live_.size() - 1);
  body_result_ = status;
  recorder().summary.flags |= kRunExited;
  end_run(EndReason::finished);
}

void Engine::leave(Thread& t) {
  Pending* last = live_[live_.size() - 1];
  live_[t.live_slot] = last;
  last->owner->live_slot = t.live_slot;
  live_.resize(live_.size() - 1);
  if (t.main) {
    main_finished_ = true;
    const uint32_t more = settles_long(schedule().seed) ? kSettleOperations : kShortSettle;
    set_last_step(std::min(limit_, 5 * steps_ + 2 * more));
  }
  tls_thread = nullptr;
  finished_.push() = &t;
  // The thread counts as finished, although the fiber still runs. From here on nothing may use this thread again.
  Pending* next = choose_next();
  fiber::exit_to(next != nullptr ? next->owner->fiber : fiber::root());
}

Thread* Engine::thread_of(pthread_t handle) {
  const uint32_t* index = by_handle_.find(handle);
  return index != nullptr ? &threads_[*index] : nullptr;
}

// A finished thread keeps its donor, and so its pthread_t, until it is joined or detached.
void Engine::recycle_finished() {
  size_t kept = 0;
  for (Thread* t : finished_) {
    if (t->joined || t->detached) {
      fiber::release(t->fiber);
      t->fiber = nullptr;
      spare_stacks_.push() = t->stack;
      t->stack = {};
    } else {
      finished_[kept++] = t;
    }
  }
  finished_.resize(kept);
}

}  // namespace heddle::rt
