// mq_open and its relatives: message queues. See primitives/message_queue.h. A queue from before the execution is outside, as other descriptors are.
#include "primitives/message_queue.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "intercept/descriptors/descriptor_call.h"
#include "primitives/timing.h"

using namespace heddle::rt;
using primitives::is_queue;

HEDDLE_REAL_OR_ASAN(mqd_t, mq_open, (const char*, int, mode_t, mq_attr*));
HEDDLE_REAL(mq_close);
HEDDLE_REAL(mq_unlink);
HEDDLE_REAL(mq_getattr);
HEDDLE_REAL(mq_setattr);
HEDDLE_REAL(mq_send);
HEDDLE_REAL(mq_timedsend);
HEDDLE_REAL(mq_receive);
HEDDLE_REAL(mq_timedreceive);

namespace {

// The name after its slash; null: it is wrong, and errno says how.
const char* name_of(const char* name, Place place) {
  LibraryAccesses(false, place).text(name);
  const bool slash = name[0] == '/', more = slash && strchr(name + 1, '/') != nullptr;
  errno = !slash || name[1] == 0 ? EINVAL : more ? EACCES : strlen(name) > NAME_MAX ? ENAMETOOLONG : 0;
  return errno == 0 ? name + 1 : nullptr;
}

mqd_t open_here(const char* name, int flags, mode_t mode, const mq_attr* attributes, Place place) {
  const char* const own = name_of(name, place);
  if (own == nullptr) return -1;
  value_accessed(attributes, false, place);
  return static_cast<mqd_t>(descriptor_answer("mq_open", primitives::queue_open(own, flags, mode, attributes, place), place));
}

// -EINVAL is told before anything else happens.
bool limit_of(const timespec* time, uint64_t& limit, Place place) {
  value_accessed(time, false, place);
  if (time != nullptr && !primitives::valid_timespec(*time)) return false;
  limit = time != nullptr ? primitives::deadline_at(CLOCK_REALTIME, *time) : kNever;
  return true;
}

int send_here(const char* call, mqd_t queue, const char* message, size_t size, unsigned priority, const timespec* time, Place place) {
  uint64_t limit;
  if (!limit_of(time, limit, place)) return static_cast<int>(descriptor_answer(call, -EINVAL, place));
  buffer_accessed(message, size, false, place);
  return static_cast<int>(descriptor_answer(call, primitives::queue_send(queue, message, size, priority, limit, place), place));
}

ssize_t receive_here(const char* call, mqd_t queue, char* message, size_t size, unsigned* priority, const timespec* time, Place place) {
  uint64_t limit;
  if (!limit_of(time, limit, place)) return descriptor_answer(call, -EINVAL, place);
  const long got = primitives::queue_receive(queue, message, size, priority, limit, place);
  if (got >= 0) {
    buffer_accessed(message, static_cast<size_t>(got), true, place);
    value_accessed(priority, true, place);
  }
  return descriptor_answer(call, got, place);
}

}  // namespace

HEDDLE_SHIM mqd_t mq_open(const char* name, int flags, ...) noexcept {
  mode_t mode = 0;
  mq_attr* attributes = nullptr;
  if ((flags & O_CREAT) != 0) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    attributes = va_arg(list, mq_attr*);
    va_end(list);
  }
  return current_thread() != nullptr ? open_here(name, flags, mode, attributes, HEDDLE_HERE) : real_mq_open(name, flags, mode, attributes);
}

HEDDLE_SHIM int mq_close(mqd_t queue) noexcept { return is_queue(queue) ? close(queue) : real_mq_close(queue); }

HEDDLE_SHIM int mq_unlink(const char* name) noexcept {
  if (current_thread() == nullptr) return real_mq_unlink(name);
  const char* const own = name_of(name, HEDDLE_HERE);
  return own != nullptr ? static_cast<int>(descriptor_answer("mq_unlink", primitives::queue_unlink(own, HEDDLE_HERE), HEDDLE_HERE)) : -1;
}

HEDDLE_SHIM int mq_getattr(mqd_t queue, mq_attr* attributes) noexcept {
  if (!is_queue(queue)) return real_mq_getattr(queue, attributes);
  value_accessed(attributes, true, HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("mq_getattr", primitives::queue_attributes(queue, nullptr, attributes), HEDDLE_HERE));
}

HEDDLE_SHIM int mq_setattr(mqd_t queue, const mq_attr* now, mq_attr* before) noexcept {
  if (!is_queue(queue)) return real_mq_setattr(queue, now, before);
  value_accessed(now, false, HEDDLE_HERE);
  value_accessed(before, true, HEDDLE_HERE);
  return static_cast<int>(descriptor_answer("mq_setattr", primitives::queue_attributes(queue, now, before), HEDDLE_HERE));
}

HEDDLE_SHIM int mq_send(mqd_t queue, const char* message, size_t size, unsigned priority) {
  if (is_queue(queue)) return send_here("mq_send", queue, message, size, priority, nullptr, HEDDLE_HERE);
  wait_outside("mq_send", queue, POLLOUT, 0, HEDDLE_HERE);
  return real_mq_send(queue, message, size, priority);
}

HEDDLE_SHIM int mq_timedsend(mqd_t queue, const char* message, size_t size, unsigned priority, const timespec* time) {
  if (is_queue(queue)) return send_here("mq_timedsend", queue, message, size, priority, time, HEDDLE_HERE);
  wait_outside("mq_timedsend", queue, POLLOUT, 0, HEDDLE_HERE);
  return real_mq_timedsend(queue, message, size, priority, time);
}

HEDDLE_SHIM ssize_t mq_receive(mqd_t queue, char* message, size_t size, unsigned* priority) {
  if (is_queue(queue)) return receive_here("mq_receive", queue, message, size, priority, nullptr, HEDDLE_HERE);
  wait_outside("mq_receive", queue, POLLIN, 0, HEDDLE_HERE);
  return real_mq_receive(queue, message, size, priority);
}

HEDDLE_SHIM ssize_t mq_timedreceive(mqd_t queue, char* message, size_t size, unsigned* priority, const timespec* time) {
  if (is_queue(queue)) return receive_here("mq_timedreceive", queue, message, size, priority, time, HEDDLE_HERE);
  wait_outside("mq_timedreceive", queue, POLLIN, 0, HEDDLE_HERE);
  return real_mq_timedreceive(queue, message, size, priority, time);
}
