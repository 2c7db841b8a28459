// Which descriptors an execution has made, what is behind each, and how data flows between them.
//
// The kernel's objects hold the contents of a pipe, a socket or a counter. They never block: the program's O_NONBLOCK is stored here, and
// the kernel's is always set. So a real call takes no time, and a thread that must wait does so in the scheduler (descriptor.h).
//
// All other descriptors (files, those open before, those that another thread made) are "outside": nothing is known of the users of their other end.
#pragma once

#include <time.h>

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// What goes from one end to the other: what the operations on both ends are on. A counter and a list of an epoll have one, too.
struct Stream {
  Object* object;
  uint32_t ends;     // descriptions that have it
  uint32_t readers;  // of these, those that read
  uint32_t changes;  // operations that may have changed the kernel's answer
  bool known_reader; // whoever reads is in the table
  char* label;
};

enum class DescriptorSort : uint8_t { pipe, socket, eventfd, timerfd, epoll, other };

// A timerfd: in the kernel it is an eventfd, whose count is the expirations that nobody has read.
struct VirtualTimer {
  clockid_t clock;
  uint64_t due;       // virtual ns; kNever: disarmed
  uint64_t interval;  // 0: once
};

// An open file description.
struct Description {
  DescriptorSort sort;
  bool nonblocking;      // as the program sees it
  bool outside;          // somebody out of the execution may end a wait on it
  int number;            // a descriptor that names it: one of the program's, or `own`; -1: being made
  int own;               // the runtime's, since the program closed its last while it was in use; -1: none
  uint32_t descriptors;  // how many of the program's name it
  uint32_t users;        // threads that are inside an operation on it, and messages on their way that carry it
  Stream* in;            // what reads take from; null: cannot be read
  Stream* out;
  VirtualTimer timer;
  uint32_t first_registration;  // of an epoll: see descriptor_epoll.cc
  Description* waiting;         // a listener's: the oldest half of a connection that nobody has accepted yet
  Description* next_waiting;
};

// Null: the descriptor is outside.
Description* find_description(int descriptor);
// `descriptor` has just been made by the kernel.
Description& add_description(DescriptorSort sort, int descriptor, bool nonblocking);
// A half that has no descriptor yet: it gets one with name_description().
Description& add_unnamed_description(DescriptorSort sort, bool nonblocking);
void name_description(Description& d, int descriptor);
// Another descriptor for it (dup).
void alias_description(Description& d, int descriptor);
// Around the kernel's closing of the program's descriptor: first, so that what is in use lives on under a number of the runtime's; and after.
void keep_description(int descriptor);
void forget_descriptor(int descriptor);
// Around an operation that may park.
void enter_description(Description& d);
void leave_description(Description& d);

Stream& add_stream(Place place);
void read_from(Description& d, Stream& s);
void write_to(Description& d, Stream& s);
// It has no stream any more.
void leave_stream(Description& d);
__attribute__((format(printf, 2, 3))) void label_stream(Stream& s, const char* format, ...);

// Every description that has a number; null ends.
Description* next_description(Description* previous);

// --- descriptors that a message carries (descriptor_passed.cc) -----------------------------------

// `descriptor` is on its way through the socket: until it arrives, or nobody can read there any more, the message is a user.
void pass_description(int descriptor, const Description& socket);
// `descriptor` has come out of a socket; `peeked`: the message is there still. False: it cannot be told what it is.
bool receive_description(int descriptor, bool peeked);
void lose_passed(const Stream& unread);
void forget_passed();  // an execution is over

inline constexpr int kDescriptorLimit = 1 << 16;  // numbers from here on are outside
// The numbers in use are below this.
int descriptor_end();

}  // namespace heddle::rt::primitives
