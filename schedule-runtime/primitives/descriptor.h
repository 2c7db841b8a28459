// Operations on descriptors that the execution has made: pipes, socket pairs, eventfds, timers, epolls, sockets.
//
// A choice point stands before each operation. When its turn comes, the kernel is asked. A thread that would have to wait parks, and remains in the
// same operation, until an operation of another thread, or virtual time, has changed the kernel's answer. So a parked thread is inside the call: a
// close of its descriptor during that time does not affect it. A close before its turn does.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <span>

#include "primitives/descriptor_table.h"

namespace heddle::rt::primitives {

// The kernel's call, on a descriptor that does not block: its answer, or -errno.
class RawCall {
 public:
  template <typename F>
  RawCall(F& f) : run_([](void* self, int fd, iovec* v, int n) { return (*static_cast<F*>(self))(fd, v, n); }), self_(&f) {}
  long operator()(int descriptor, iovec* v = nullptr, int count = 0) const { return run_(self_, descriptor, v, count); }

 private:
  long (*run_)(void*, int, iovec*, int);
  void* self_;
};

// A result in place of -errno: no thread of the execution can end this wait, and no other process has done so.
inline constexpr long kWaitsOutside = -4096;

struct Transfer {
  Kind kind;
  int descriptor;
  RawCall call;
  std::span<iovec> parts{};  // of a stream of bytes: what is read or written. For a read, they are changed
  bool peeks = false;      // what it reads stays there
  bool urgent = false;     // MSG_OOB
  bool dont_wait = false;
  bool no_signal = false;  // a broken pipe gives only an error, no signal
  Description** accepted = nullptr;  // of a listener: out, see take_connection()
  short events = 0;        // events that it waits for, if not those of its kind
  uint64_t limit = kNever; // virtual ns, of a call that has a time limit

  long run_on(int number) const { return call(number, parts.data(), static_cast<int>(parts.size())); }
};

// One read, write, accept or similar call. REQUIRES: the descriptor is in the table, or has a closed_object(). Returns the kernel's result.
long transfer(const Transfer& t, Place place);
// Writes until everything is written, if the program's descriptor blocks. Takes as many operations as the kernel needs. Changes the parts.
long transfer_all(const Transfer& t, Place place);
inline size_t size_of(std::span<const iovec> parts) {
  size_t size = 0;
  for (const iovec& part : parts) size += part.iov_len;
  return size;
}
// What is left behind the first bytes. Changes the first of the parts that it returns.
std::span<iovec> rest_of(std::span<iovec> parts, size_t bytes);
// `call` closes it in the kernel. Returns the result of `call`. REQUIRES: the same. The value of its event is the number.
long descriptor_close(int descriptor, RawCall call, Place place);
// Any other change of what threads find there (shutdown, an epoll's list, a timer). Works like a write that never waits.
long descriptor_change(Kind kind, int descriptor, RawCall call, Place place);

// --- many at once (descriptor_poll.cc) ---------------------------------------------------------

struct PollWait {
  std::span<pollfd> cases;  // the waiter's own copy, in the order that choices use
  uint64_t limit;           // virtual ns. kNever: no limit; now or earlier: it only checks
  Description* epoll = nullptr;  // the cases are its registrations. null: not an epoll
  std::span<epoll_event> events{};  // of an epoll: out
  int first = -1;           // the case whose event is to come first. -1: in the kernel's order
};
// A bit in a case's events: the case was ready when the thread arrived. The kernel ignores this bit and never sets it.
inline constexpr short kReadyAtFirst = 0x0800;
// The ready cases are in their revents: at least one of those that the kernel reports. Returns 0 on a time-out.
long descriptor_poll(PollWait& wait, Place place);
// The number of events, or -errno.
// REQUIRES (here and below): the epoll is in the table. `cases`: room for count_registrations() of them.
uint32_t count_registrations(const Description& epoll);
long epoll_poll(Description& epoll, std::span<pollfd> cases, std::span<epoll_event> events, uint64_t limit, Place place);
long fetch_events(const PollWait& wait);
long epoll_change(int descriptor, int operation, int target, epoll_event* event, Place place);
void forget_registrations();                  // an execution is over
void output_has_changed(const Description& d);   // is_full() has (tcp_flow.h)
uint64_t due_of_registered(const Description& epoll, int depth);
void forget_registered(const Description& d);  // it is closed

// --- signals (descriptor_signals.cc) -----------------------------------------------------------

// Each answer of the kernel is as the calling thread must find it now: timers and signals are up to date. Called before the kernel is asked.
void settle_for(Thread& asking);
bool any_signal_file();
// A signal was sent, or an alarm was set: threads that wait for descriptors look again.
void signal_files_changed();
// What is known about a signal that is taken.
using SignalInformation = siginfo_t (*)(int number);
// The descriptor, or -errno.
int make_signal_file(uint64_t signals, int flags, SignalInformation information, Place place);
// 0 or -errno.
long change_signal_file(int descriptor, uint64_t signals, Place place);
// The signalfd that has this number in the kernel; null.
Description* signal_file(int number);
// A read: the number of bytes, or -errno.
long take_signals(Description& d, const iovec* parts, int count);

// --- timers (descriptor_timer.cc) --------------------------------------------------------------

// Timers whose time has come become ready.
void settle_timers();
// The time at which a wait on it may end by itself; kNever.
uint64_t due_of(const Description& d);
int timer_create(clockid_t clock, int flags, Place place);
// 0 or -errno.
long timer_set(int descriptor, int flags, const itimerspec* value, itimerspec* old, Place place);
long timer_get(int descriptor, itimerspec* value, Place place);

// --- who waits (descriptor_waiters.cc) ---------------------------------------------------------

struct DescriptorWaiter {
  Pending* op = nullptr;
  uint64_t limit = kNever;       // when it gives up
  Description* description = nullptr;
  Stream* stream = nullptr;      // null: it waits for `many`
  short events = 0;
  uint32_t tried = 0;            // the stream's number of changes when the kernel last said "not ready"
  const PollWait* many = nullptr;
  int only = -1;                 // for a wait on many descriptors: the case that the schedule prefers
  bool early = false;            // its time comes before the others' work
  DescriptorWaiter* next = nullptr;
  DescriptorWaiter* previous = nullptr;
};
// Parks until the kernel's answer may have changed, or the deadline has come. `prefers`: see Engine::park.
void wait_for_change(DescriptorWaiter& w, const OpSpec& spec, bool outside, bool prefers);
// The kernel's answer to operations on this stream may have changed.
void descriptor_changed(Stream& s);
// The same for threads that wait on many descriptors, if the change belongs to no stream. Either an operation was passed to the outside and
// changed something there, or an epoll has delivered an event that does not come again.
void outside_changed();
// Is any of the cases (or `only` this one) ready according to the kernel? -1: all.
bool poll_ready(const PollWait& wait, int only);
int raw_poll(pollfd* cases, size_t count);
// Waits in real time for what the kernel does by itself on this machine: a handshake, bytes on their way. False: that has taken too long.
bool ready_by_itself(int descriptor, short events);

}  // namespace heddle::rt::primitives
