#include "primitives/program_process.h"

#include <errno.h>

#include "engine/program_exit.h"
#include "heap/shared_views.h"
#include "primitives/descriptor_table.h"
#include "primitives/mutex.h"
#include "primitives/rwlock.h"
#include "primitives/spinlock.h"
#include "primitives/stream.h"
#include "primitives/tcp_flow.h"

namespace heddle::rt::primitives {
namespace {

// A thread's object of a child: its first thread.
struct ProcessState {
  int number;
  int wait_status;
  int parent;  // the number of the process that may wait for it; 0: that has been done
};

ProcessState* process_of(Object& o) {
  return o.family == Family::thread && o.as<ProcessState>().parent != 0 ? &o.as<ProcessState>() : nullptr;
}

// The oldest child of this process that fits and was not waited for.
Object* find_child(int number) {
  Engine& e = engine();
  // Groups of processes are not modelled: a child is the only process of its own.
  const bool any = number == 0 || number == -1;
  number = number < 0 ? -number : number;
  for (uint32_t i = 1; i < e.object_count(); ++i) {
    const ProcessState* const s = process_of(e.object_at(i));
    if (s != nullptr && s->parent == program_process().number && (any || s->number == number)) return &e.object_at(i);
  }
  return nullptr;
}

// What was inside of the execution has another user now, in a process that stands still.
void share_descriptors() {
  for (Description* d = next_description(nullptr); d != nullptr; d = next_description(d)) {
    d->outside = d->addressed = true;
    if (d->out != nullptr) d->out->known_reader = false;
  }
}

// The child's thread is a copy of the one that forked: handlers of pthread_atfork take locks before, and free them in both processes. What the
// other threads hold stays held in the child. So does a lock in memory that both processes have mapped: there is only one of it.
void hand_over_locks(uint32_t from, uint32_t to) {
  for (uint32_t i = 1; i < engine().object_count(); ++i) {
    Object& o = engine().object_at(i);
    if (shared_views().at(o.address) != nullptr) continue;
    switch (o.family) {
      case Family::mutex: mutex_hand_over(o, from, to); break;
      case Family::rwlock: rwlock_hand_over(o, from, to); break;
      case Family::spinlock: spin_hand_over(o, from, to); break;
      default: break;
    }
  }
  streams_forget_locks();
}

// The first thread of a child, which is not there yet.
Thread* create_process(Place place) {
  Engine& e = engine();
  e.watch_from_the_start();
  e.changes_files();  // a process cannot be made again unnoticed
  Pending& p = e.arrive({.kind = Kind::thread_create, .place = place});
  Thread* const first = e.add_process();
  if (first == nullptr) {
    e.commit(p, {.outcome = Outcome::failure, .stored = false});
    e.end_run(EndReason::step_bound);
  }
  Engine::settle_on(p, first->object);
  recorder().threads[first->index].create_event = e.commit(p, {});
  return first;
}

int number_of(const Thread& first) { return ProgramProcess{}.number + static_cast<int>(first.index); }

}  // namespace

const char* process_obstacle() {
  if (fork_execution() == nullptr) return "no whole program runs";
  const uint32_t me = current_thread()->index + 1;
  for (uint32_t i = 1; i < engine().object_count(); ++i) {
    const Object& o = engine().object_at(i);
    if (o.family == Family::file_lock && o.holder == me) return "the thread holds a lock of a file, which the child would hold, too. Unlock it first";
  }
  return nullptr;
}

int process_fork(Place place) {
  Thread* const first = create_process(place);
  const uint32_t me = current_thread()->index;
  const int parent = program_process().number, number = number_of(*first);
  ChildEnd end = {};
  count_none();
  if (fork_execution()(*first, end)) {
    hand_over_locks(me, first->index);
    become_program_process(number);
    share_descriptors();
    return 0;
  }
  if (!end.ended) engine().end_with_child();
  first->object->as<ProcessState>() = {number, end.wait_status, parent};
  return number;
}

int process_spawned(int wait_status, Place place) {
  const Thread* const first = create_process(place);
  const int number = number_of(*first);
  first->object->as<ProcessState>() = {number, wait_status, program_process().number};
  return number;
}

EndedProcess process_wait(int number, bool keep, Place place) {
  Object* const child = find_child(number);
  if (child == nullptr) return {};
  ProcessState& s = child->as<ProcessState>();
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::thread_join, .object = child, .place = place});
  const EndedProcess ended = {s.number, s.wait_status};
  if (!keep) s.parent = 0;
  e.commit(p, {.partner = child->last_write_event});
  return ended;
}

bool is_child_process(int number) { return find_child(number) != nullptr; }

}  // namespace heddle::rt::primitives
