// Why a thread waits at a descriptor (a pipe, an eventfd, a socket, an epoll with some of them) although another thread has written to it: that message has
// been read already, often by the thread itself after it had looked at what the message was about.
#pragma once

#include <cstdint>

#include "analyses/report/story.h"

namespace heddle::rt {

// Adds the last message that no other followed, as a sentence (after `indent`) and as rows. If the thread has read it itself, adds also what it had
// looked at too early: the value, or else the lock that it held for that. Nothing if the last operation on each of the descriptors that it waits for is no read, or no other thread had written before.
void add_taken_message(Story& story, const RunSummary& run, uint32_t wait, const char* indent);

}  // namespace heddle::rt
