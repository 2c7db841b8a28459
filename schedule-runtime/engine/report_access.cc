// The engine's answers to reports.
#include "trace/live_state.h"

#include "engine/engine.h"
#include "engine/time_stamp.h"
#include "fiber/sanitizers.h"
#include "fiber/thread_locals.h"
#include "fiber/thread_pointer_trap.h"

namespace heddle::rt {

struct EngineView {
  static const Object* object(uint32_t index) {
    Engine& e = engine();
    return index != 0 && index < e.objects_.size() ? &e.objects_[index] : nullptr;
  }
};

namespace {

// While a report is printed, its thread counts as uncontrolled. So the fiber identifies the thread.
Thread* running_thread() {
  if (!engine().running()) return nullptr;
  return static_cast<Thread*>(fiber::tag(fiber::current()));
}

uint32_t current_thread_index() {
  const Thread* t = running_thread();
  return t != nullptr ? t->index : kNoEvent;
}

uint32_t current_context() {
  Thread* t = running_thread();
  return t != nullptr ? t->stack.context(0) : 0;
}

uintptr_t object_address(uint32_t index) {
  const Object* o = EngineView::object(index);
  if (o == nullptr) return 0;
  // A futex is an object beside the atomic at its word: at the address of the word's second byte (primitives/futex.cc).
  return o->address - family_info(o->family).has(kBesideWord);
}

const char* object_label(uint32_t index) {
  const Object* o = EngineView::object(index);
  return o != nullptr ? o->label : nullptr;
}

uint32_t main_thread() {
  uint32_t index = 0;
  while (index < engine().thread_count() && !engine().thread(index).main) ++index;
  return index < engine().thread_count() ? index : 0;
}

bool object_replaced(uint32_t index) {
  const Object* o = EngineView::object(index);
  return o != nullptr && o->forgotten;
}

uint32_t object_holder(uint32_t index) {
  const Object* o = EngineView::object(index);
  return o != nullptr ? o->holder : 0;
}

bool pending(uint32_t thread, Event& event, uint32_t& context) {
  Engine& e = engine();
  if (thread >= e.thread_count()) return false;
  const Thread& t = e.thread(thread);
  if (t.state != ThreadState::live || &t == running_thread()) return false;
  const Pending& p = t.op;
  event = unfinished_event(p);
  context = p.context_node;
  return true;
}

bool stack(uint32_t thread, uintptr_t& low, uintptr_t& high) {
  Engine& e = engine();
  if (thread >= e.thread_count() || e.thread(thread).fiber == nullptr) return false;
  low = e.thread(thread).stack_low;
  high = e.thread(thread).stack_high;
  return true;
}

bool is_thread_local(uint32_t thread, uintptr_t address) {
  uintptr_t low, high;
  return stack(thread, low, high) && address < high && address >= reinterpret_cast<uintptr_t>(fiber::stack_base(engine().thread(thread).fiber));
}

const char* thread_local_at(uint32_t thread, uintptr_t address, uintptr_t& offset_within) {
  return is_thread_local(thread, address) ? fiber::thread_locals::name_at(engine().thread(thread).fiber, address, offset_within) : nullptr;
}

void* leave() {
  Thread* t = tls_thread;
  tls_thread = nullptr;
  // A process started now, to look up a position, inherits both.
  time_stamp().trap(false);
  fiber::thread_pointer_trap().set(false);
  return t;
}

void enter(void* left) {
  tls_thread = static_cast<Thread*>(left);
  time_stamp().trap(left != nullptr);
  fiber::thread_pointer_trap().set(left != nullptr);
}

void end_execution() {
  if (running_thread() != nullptr && engine().on_its_thread()) engine().end_run(EndReason::finished);
}

// A thread of the program that is not controlled cannot leave the execution.
void make_again() {
  if (running_thread() != nullptr && engine().on_its_thread()) engine().watch_from_the_start();
}

uintptr_t stack_slot(uint32_t thread) { return thread < engine().thread_count() ? engine().thread(thread).stack_low : 0; }

void describe_to_asan(uint32_t thread, const char* name, uint32_t creator, const uintptr_t* calls, uint32_t count) {
  Engine& e = engine();
  if (thread >= e.thread_count() || creator >= e.thread_count() || e.thread(thread).fiber == nullptr) return;
  fiber::sanitizers::describe_thread(e.thread(thread).fiber, name, thread != creator ? e.thread(creator).fiber : nullptr, calls, count);
}

std::span<const uint8_t> payload() { return engine().schedule().payload; }

}  // namespace

void publish_live_state() {
  set_live_state({current_thread_index, current_context, object_address, object_label, object_replaced, object_holder, pending, stack, is_thread_local, thread_local_at, leave, enter, end_execution, make_again, stack_slot, describe_to_asan, main_thread, payload});
}

}  // namespace heddle::rt
