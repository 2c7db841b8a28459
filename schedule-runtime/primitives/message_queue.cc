#include "primitives/message_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "primitives/closed_number.h"
#include "primitives/file_operation.h"
#include "races/race_detector.h"
#include "trace/message_notes.h"
#include "trace/observer.h"
#include "trace/recorder.h"

namespace heddle::rt::primitives {
namespace {

// A queue lives until its name and all its descriptors are gone. The name has a description of its own, under a number of the runtime's.
struct Name {
  Description* queue;  // null: the name is free
  char text[NAME_MAX + 1];
};
constexpr uint32_t kMost = 256;
constinit Name g_names[kMost] = {};
constinit uint32_t g_count = 0, g_made = 0;
constinit bool g_registered = false;

Name* find(const char* name) {
  for (uint32_t i = 0; i < g_count; ++i) {
    if (g_names[i].queue != nullptr && strcmp(g_names[i].text, name) == 0) return &g_names[i];
  }
  return nullptr;
}

Name* free_name() {
  if (!g_registered) {
    g_registered = true;
    add_observer({"message queues", nullptr, [] { g_count = 0; }});
  }
  for (uint32_t i = 0; i < g_count; ++i) {
    if (g_names[i].queue == nullptr) return &g_names[i];
  }
  return g_count != kMost ? &g_names[g_count++] : nullptr;
}

// In the kernel it has another name, and only for a moment.
long make_queue(mode_t mode, const mq_attr* attributes) {
  char name[64];
  snprintf(name, sizeof name, "heddle.%ld.%u", raw_syscall(SYS_getpid), g_made++);
  const long made = raw_syscall(SYS_mq_open, word(name), O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK | O_CLOEXEC, static_cast<uintptr_t>(mode), word(attributes));
  if (made >= 0) raw_syscall(SYS_mq_unlink, word(name));
  return made;
}

void give_access(Description& d, Stream& s, int flags) {
  if ((flags & O_ACCMODE) != O_WRONLY) read_from(d, s);
  if ((flags & O_ACCMODE) != O_RDONLY) write_to(d, s);
}

void keep_name(Name& n, const char* name, int descriptor, Place place) {
  n.queue = &add_unnamed_description(DescriptorSort::queue, false);
  strcpy(n.text, name);
  Stream& s = add_stream(place);
  label_stream(s, "message queue /%s", name);
  give_access(*n.queue, s, O_RDWR);
  enter_description(*n.queue);
  check(take_own_number(*n.queue, descriptor), "no descriptor left for the name of a message queue");
}

// A time limit that has passed is another error than a full or an empty queue.
long answer(int descriptor, long result, uint64_t limit) {
  const Description* const d = find_description(descriptor);
  return result == -EAGAIN && limit != kNever && d != nullptr && !d->nonblocking ? -ETIMEDOUT : result;
}

// Of the message that the thread has just sent or received.
void note_priority(unsigned priority) {
  if (!race_detector_watches() || recorder().full()) return;
  message_notes().add(static_cast<uint32_t>(recorder().events.size()) - 1).priority = priority;
}

}  // namespace

long queue_open(const char* name, int flags, mode_t mode, const mq_attr* attributes, Place place) {
  name_operation(place);
  Name* there = find(name);
  if (there != nullptr && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) return -EEXIST;
  if (there == nullptr && (flags & O_CREAT) == 0) return -ENOENT;
  Name* const fresh = there == nullptr ? free_name() : nullptr;
  if (there == nullptr && fresh == nullptr) return -ENOSPC;
  const long number = open_number([&] {
    return there != nullptr ? raw_syscall(SYS_fcntl, word(there->queue->number), F_DUPFD_CLOEXEC, 0) : make_queue(mode, attributes);
  }, place);
  if (number < 0) return number;
  if (there == nullptr) keep_name(*(there = fresh), name, static_cast<int>(number), place);
  Description& d = add_description(DescriptorSort::queue, static_cast<int>(number), (flags & O_NONBLOCK) != 0);
  give_access(d, *there->queue->in, flags);
  return number;
}

long queue_unlink(const char* name, Place place) {
  name_operation(place);
  Name* const there = find(name);
  if (there == nullptr) return -ENOENT;
  leave_description(*there->queue);
  there->queue = nullptr;
  return 0;
}

bool is_queue(int descriptor) {
  const Description* const d = current_thread() != nullptr ? find_description(descriptor) : nullptr;
  return d != nullptr && d->sort == DescriptorSort::queue;
}

long queue_receive(int descriptor, char* message, size_t size, unsigned* priority, uint64_t limit, Place place) {
  if (find_description(descriptor)->in == nullptr) return -EBADF;
  unsigned got = 0;
  auto call = [&](int real, iovec*, int) { return raw_syscall(SYS_mq_timedreceive, word(real), word(message), size, word(&got), 0); };
  const long result = transfer({.kind = Kind::descriptor_read, .descriptor = descriptor, .call = RawCall(call), .limit = limit}, place);
  if (result >= 0) note_priority(got);
  if (result >= 0 && priority != nullptr) *priority = got;
  return answer(descriptor, result, limit);
}

long queue_send(int descriptor, const char* message, size_t size, unsigned priority, uint64_t limit, Place place) {
  if (find_description(descriptor)->out == nullptr) return -EBADF;
  auto call = [&](int real, iovec*, int) { return raw_syscall(SYS_mq_timedsend, word(real), word(message), size, priority, 0); };
  const long result = transfer({.kind = Kind::descriptor_write, .descriptor = descriptor, .call = RawCall(call), .limit = limit}, place);
  if (result >= 0) note_priority(priority);
  return answer(descriptor, result, limit);
}

long queue_attributes(int descriptor, const mq_attr* now, mq_attr* before) {
  Description& d = *find_description(descriptor);
  if (now != nullptr && (now->mq_flags & ~long{O_NONBLOCK}) != 0) return -EINVAL;
  mq_attr there;
  if (const long error = raw_syscall(SYS_mq_getsetattr, word(descriptor), 0, word(&there)); error < 0) return error;
  there.mq_flags = d.nonblocking ? O_NONBLOCK : 0;
  if (now != nullptr) d.nonblocking = (now->mq_flags & O_NONBLOCK) != 0;
  if (before != nullptr) *before = there;
  return 0;
}

}  // namespace heddle::rt::primitives
