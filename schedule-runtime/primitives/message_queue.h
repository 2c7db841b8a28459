// Message queues with a name (mq_open). The kernel holds the messages, as of a pipe; names and queues belong to the execution: none exists when it
// begins, and other processes do not see them.
#pragma once

#include <mqueue.h>

#include "primitives/descriptor.h"

namespace heddle::rt::primitives {

// `name` is without its leading slash. Null `attributes`: the kernel's. A descriptor, or -errno.
long queue_open(const char* name, int flags, mode_t mode, const mq_attr* attributes, Place place);
// 0 or -errno.
long queue_unlink(const char* name, Place place);
// The descriptor refers to a queue of the execution.
bool is_queue(int descriptor);

// REQUIRES (here and below): is_queue(). The size of the message, or -errno. `limit`: virtual ns; kNever.
long queue_receive(int descriptor, char* message, size_t size, unsigned* priority, uint64_t limit, Place place);
long queue_send(int descriptor, const char* message, size_t size, unsigned priority, uint64_t limit, Place place);
// 0 or -errno. Of `now`, only the flag O_NONBLOCK counts; null: nothing changes.
long queue_attributes(int descriptor, const mq_attr* now, mq_attr* before);

}  // namespace heddle::rt::primitives
