#include "primitives/descriptor_table.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "primitives/closed_number.h"
#include "primitives/descriptor.h"
#include "primitives/tcp_flow.h"
#include "primitives/tcp_ports.h"
#include "restore/restored_modules.h"
#include "trace/observer.h"

namespace heddle::rt::primitives {
namespace {

constexpr size_t kMaxLive = 1 << 17;  // descriptions, and streams
constexpr size_t kLabelSize = 40;

// Slots are reused: a program may create and close more pipes than the table holds at a time.
template <typename T>
class Slots {
 public:
  T& take() {
    slots_.reserve(kMaxLive);
    free_.reserve(kMaxLive);
    if (free_.size() == 0) {
      check(!slots_.full(), "more than 131,072 descriptors at once in one execution");
      return slots_.push() = {};
    }
    T* const slot = free_[free_.size() - 1];
    free_.resize(free_.size() - 1);
    return *slot = {};
  }
  void give_back(T& slot) { free_.push() = &slot; }
  void clear() {
    slots_.clear();
    free_.clear();
  }
  T* begin() { return slots_.begin(); }
  T* end() { return slots_.end(); }

 private:
  ReservedArray<T> slots_;
  ReservedArray<T*> free_;
};

constinit Slots<Description> g_descriptions;
constinit Slots<Stream> g_streams;
// Includes closed streams, because reports name them, too.
struct Label {
  char text[kLabelSize];
};
constinit ReservedArray<Label> g_labels;
constinit ReservedArray<Description*> g_of;  // by descriptor
constinit int g_end = 0;
constinit uint32_t g_owned = 0;  // descriptions that have a number of the runtime's
constinit bool g_registered = false;

// Far above the low numbers that the program's own descriptors get.
int private_number() {
  rlimit limit = {1024, 1024};
  raw_syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, word(&limit));
  const rlim_t top = limit.rlim_cur < kDescriptorLimit ? limit.rlim_cur : kDescriptorLimit;
  return static_cast<int>(top - top / 4);
}

void close_raw(int descriptor) { raw_syscall(SYS_close, static_cast<uintptr_t>(descriptor)); }

bool is_connected(const Description& d) { return d.sort == DescriptorSort::socket && d.in != nullptr && d.out != nullptr && d.in != d.out; }

void set_blocking(int descriptor, const Description& d, bool block) {
  if (d.nonblocking) return;
  const long flags = raw_syscall(SYS_fcntl, static_cast<uintptr_t>(descriptor), F_GETFL);
  raw_syscall(SYS_fcntl, static_cast<uintptr_t>(descriptor), F_SETFL, static_cast<uintptr_t>(block ? flags & ~O_NONBLOCK : flags | O_NONBLOCK));
}

// Both ends of its connections are closed then.
void close_at_end(int descriptor) {
  if (is_connected(*g_of[descriptor])) leave_no_connection(descriptor);
  close_raw(descriptor);
}

// Descriptors that the execution has left open are closed, so that the next execution gets the same numbers.
void let_go() {
  const bool keeps = keeps_everything();
  for (int i = 0; i < g_end; ++i) {
    if (g_of[i] == nullptr) continue;
    // The standard descriptors existed before the execution, even if the program has replaced them.
    // A harness that keeps its state may go on using all of them.
    if (keeps || i <= STDERR_FILENO) set_blocking(i, *g_of[i], true);
    else close_at_end(i);
    g_of[i] = nullptr;
  }
  g_end = 0;
  if (g_owned != 0) {
    for (const Description& d : g_descriptions) {
      if (d.own >= 0) close_raw(d.own);
    }
  }
  g_owned = 0;
  g_descriptions.clear();
  g_streams.clear();
  g_labels.clear();
  forget_registrations();
  forget_passed();
}

void initialise() {
  if (g_registered) return;
  g_registered = true;
  g_of.reserve(kDescriptorLimit);
  g_labels.reserve(Recorder::kMaxObjects);
  add_observer({"descriptors", nullptr, nullptr, let_go});
}

void drop(Stream* s, bool reads) {
  if (s == nullptr) return;
  if (reads && --s->readers == 0) lose_passed(*s);
  descriptor_changed(*s);
  if (--s->ends != 0) return;
  if (s->object->family == Family::descriptor) engine().forget_object(s->object->address);
  g_streams.give_back(*s);
}

void release(Description& d) {
  forget_registered(d);
  for (Description* half = d.waiting; half != nullptr;) {
    Description* const next = half->next_waiting;
    release(*half);
    half = next;
  }
  if (d.own >= 0) {
    if (is_last_end(d)) leave_no_connection(d.own);
    give_up_own_number(d);
  }
  d.number = -1;
  leave_stream(d);
  g_descriptions.give_back(d);
}

// Another descriptor of the program for the same description; -1.
int other_number(const Description& d) {
  for (int i = 0; i < g_end; ++i) {
    if (g_of[i] == &d) return i;
  }
  return -1;
}

}  // namespace

Description* find_description(int descriptor) {
  return static_cast<unsigned>(descriptor) < static_cast<unsigned>(g_end) ? g_of[descriptor] : nullptr;
}

int descriptor_end() { return g_end; }

Description& add_unnamed_description(DescriptorSort sort, bool nonblocking) {
  initialise();
  Description& d = g_descriptions.take();
  d.sort = sort;
  d.nonblocking = nonblocking;
  d.number = d.own = -1;
  d.timer.due = kNever;
  return d;
}

void name_description(Description& d, int descriptor) {
  d.number = descriptor;
  alias_description(d, descriptor);
}

Description& add_description(DescriptorSort sort, int descriptor, bool nonblocking) {
  Description& d = add_unnamed_description(sort, nonblocking);
  name_description(d, descriptor);
  return d;
}

void alias_description(Description& d, int descriptor) {
  if (descriptor >= kDescriptorLimit) return;
  // The kernel has reused the number. So its last use ended in a place without a shim.
  if (find_description(descriptor) != nullptr) forget_descriptor(descriptor);
  number_is_open(descriptor);
  while (g_end <= descriptor) g_of[g_end++] = nullptr;
  g_of[descriptor] = &d;
  ++d.descriptors;
}

Description* take_connection(Description& listener) {
  Description* const half = listener.waiting;
  if (half == nullptr) return nullptr;
  listener.waiting = half->next_waiting;
  half->next_waiting = nullptr;
  return half;
}

void forget_descriptor(int descriptor) {
  Description* const d = find_description(descriptor);
  if (d == nullptr) return;
  if (const Stream* const s = d->out != nullptr ? d->out : d->in) number_was_closed(descriptor, s->object);
  g_of[descriptor] = nullptr;
  if (--d->descriptors != 0) {
    if (d->number == descriptor) d->number = other_number(*d);
    return;
  }
  if (d->users == 0) release(*d);
}

void keep_description(int descriptor) {
  Description* const d = find_description(descriptor);
  if (d == nullptr || d->users == 0 || d->descriptors != 1 || d->own >= 0) return;
  check(take_own_number(*d, descriptor), "no descriptor left for a call that goes on after its descriptor was closed");
}

bool take_own_number(Description& d, int descriptor) {
  const long own = raw_syscall(SYS_fcntl, static_cast<uintptr_t>(descriptor), F_DUPFD_CLOEXEC, static_cast<uintptr_t>(private_number()));
  if (own < 0) return false;
  d.number = d.own = static_cast<int>(own);
  ++g_owned;
  return true;
}

void give_up_own_number(Description& d) {
  close_raw(d.own);
  d.own = -1;
  --g_owned;
}

bool is_last_end(const Description& d) { return is_connected(d) && d.in->ends == 1 && d.out->ends == 1; }

void enter_description(Description& d) { ++d.users; }

void leave_description(Description& d) {
  if (--d.users == 0 && d.descriptors == 0) release(d);
}

Stream& add_stream(Place place) {
  Stream& s = g_streams.take();
  const auto address = reinterpret_cast<uintptr_t>(&s);
  engine().forget_object(address);
  s.object = &engine().object(address, Family::descriptor, place);
  s.object->label = s.label = g_labels.push().text;
  s.label[0] = 0;
  s.known_reader = true;
  return s;
}

Stream& add_stream_on(Object& object) {
  Stream& s = g_streams.take();
  s.object = &object;
  s.label = nullptr;
  s.known_reader = true;
  return s;
}

void read_from(Description& d, Stream& s) {
  d.in = &s;
  ++s.ends;
  ++s.readers;
}

void write_to(Description& d, Stream& s) {
  d.out = &s;
  ++s.ends;
}

void leave_stream(Description& d) {
  Stream* const in = d.in;
  Stream* const out = d.out;
  d.in = d.out = nullptr;
  drop(in, true);
  drop(out, false);
}

void label_stream(Stream& s, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(s.label, kLabelSize, format, arguments);
  va_end(arguments);
}

void descriptors_block(bool block) {
  if (block) count_none();
  for (Description* d = next_description(nullptr); d != nullptr; d = next_description(d)) set_blocking(d->number, *d, block);
}

Description* next_description(Description* previous) {
  Description* const end = g_descriptions.end();
  for (Description* d = previous != nullptr ? previous + 1 : g_descriptions.begin(); d != end; ++d) {
    if (d->number >= 0) return d;
  }
  return nullptr;
}

}  // namespace heddle::rt::primitives
