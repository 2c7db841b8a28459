// Which descriptors an execution has made, what is behind each, and how data flows between them.
//
// The kernel's objects hold the contents of a pipe, a socket or a counter. They never block: the program's O_NONBLOCK is stored here, and
// the kernel's is always set. So a real call takes no time, and a thread that must wait does so in the scheduler (descriptor.h).
//
// All other descriptors (files, descriptors from before the execution or from another thread) are "outside": heddle knows nothing about the
// users of their other end.
#pragma once

#include <time.h>

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// Data that flows from one end to the other. It is the object of operations on both ends. A counter and the list of an epoll have a stream,
// too.
struct Stream {
  Object* object;
  uint32_t ends;     // descriptions that have it
  uint32_t readers;  // of these, those that read
  uint32_t changes;  // operations that may have changed the kernel's answer
  bool known_reader; // the reader is in the table
  bool counted;      // bytes of a TCP connection are (tcp_flow.h)
  size_t in_transit; // if so: written, and not read yet
  size_t room;       // if so: how much of that it takes
  char* label;
};

enum class DescriptorSort : uint8_t { pipe, socket, eventfd, timerfd, signalfd, epoll, queue, other };

// A timerfd. In the kernel it is an eventfd whose count is the number of unread expirations.
struct VirtualTimer {
  clockid_t clock;
  uint64_t due;       // virtual ns; kNever: disarmed
  uint64_t interval;  // 0: once
};

// An open file description.
struct Description {
  DescriptorSort sort;
  bool nonblocking;      // as the program sees it
  bool outside;          // another process may end a wait on it
  bool addressed;        // of a socket: the program chose its address, or somebody outside has connected to it. Else no other process knows it
  int number;            // a descriptor for it: the program's, or `own`. -1: being made
  int own;               // the runtime's number, if the program closed its last one while it was in use. -1: none
  uint32_t descriptors;  // how many of the program's name it
  uint32_t users;        // threads inside an operation on it, and messages in transit that carry it
  Stream* in;            // the stream that reads take from. null: not readable
  Stream* out;
  int send_buffer;       // of a TCP socket: the sizes that the program has asked for. 0: it has not
  int receive_buffer;
  VirtualTimer timer;
  uint64_t signals;             // of a signalfd: those that it reads, a bit for each
  bool has_signal;              // of a signalfd: the kernel says that it is readable
  uint32_t first_registration;  // of an epoll: see descriptor_epoll.cc
  Description* waiting;         // a listener's oldest connection that no thread has accepted yet
  Description* next_waiting;
};

// Null if the descriptor is outside.
Description* find_description(int descriptor);
// The kernel has just created `descriptor`.
Description& add_description(DescriptorSort sort, int descriptor, bool nonblocking);
// One end that has no descriptor yet. name_description() gives it one.
Description& add_unnamed_description(DescriptorSort sort, bool nonblocking);
void name_description(Description& d, int descriptor);
// A connection that the listener has just accepted. Null: its other end is outside.
Description* take_connection(Description& listener);
// Another descriptor for it (dup).
void alias_description(Description& d, int descriptor);
// Called before and after the kernel closes the program's descriptor. Before: a description that is in use gets a number of the runtime's.
void keep_description(int descriptor);
void forget_descriptor(int descriptor);
// One end of a connection of the execution, and the other is closed.
bool is_last_end(const Description& d);
// Duplicates `descriptor` to a number of the runtime's, and closes that again. False: there is no such number left.
bool take_own_number(Description& d, int descriptor);
void give_up_own_number(Description& d);
// Called around an operation that may park.
void enter_description(Description& d);
void leave_description(Description& d);

Stream& add_stream(Place place);
// Its operations are operations on an object that others use, too.
Stream& add_stream_on(Object& object);
void read_from(Description& d, Stream& s);
void write_to(Description& d, Stream& s);
// The stream is gone.
void leave_stream(Description& d);
__attribute__((format(printf, 2, 3))) void label_stream(Stream& s, const char* format, ...);

// While a process runs that heddle does not control, the kernel's objects block it as the program's flags say.
void descriptors_block(bool block);

// All descriptions that have a number, followed by null.
Description* next_description(Description* previous);

// --- descriptors that a message carries (descriptor_passed.cc) -----------------------------------

// `descriptor` is in transit through the socket. The message counts as a user until it arrives, or until no descriptor can read there any
// more.
void pass_description(int descriptor, const Description& socket, uint64_t message);
uint64_t next_message();
// The first message that a read from the socket finds, among those that carry descriptors. 0: none is known.
uint64_t message_in_transit(const Description& socket);
// What is still in transit of that message never arrives.
void lose_message(uint64_t message);
// `descriptor` was received from a socket. `peeked`: the message is still there. False: its description cannot be determined.
bool receive_description(int descriptor, bool peeked);
void lose_passed(const Stream& unread);
void forget_passed();  // an execution is over

inline constexpr int kDescriptorLimit = 1 << 16;  // numbers from here on are outside
// All numbers in use are below this.
int descriptor_end();

}  // namespace heddle::rt::primitives
