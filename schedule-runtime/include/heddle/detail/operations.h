// The operations on channels, for the public headers. On a thread that heddle schedules, they call
// the runtime; on other threads, the *_real.h headers. Callers are noinline and HEDDLE_UNSEEN, and
// pass their HEDDLE_CALLER.
#ifndef HEDDLE_DETAIL_OPERATIONS_H_
#define HEDDLE_DETAIL_OPERATIONS_H_

#include <heddle/detail/channel_real.h>
#include <heddle/detail/select_real.h>
#include <heddle/panic.h>

namespace heddle {

// A misuse of a channel: a send on a closed channel, or a close of a closed or nil one. In an
// execution of a fuzz target it is a finding, and is thrown only if that finding is switched off or
// expected (heddle/panic.h).
class channel_error : public panic_error {
 public:
  HEDDLE_UNSEEN explicit channel_error(const char* text) : panic_error(text) {}
  HEDDLE_UNSEEN channel_error(const channel_error& other) noexcept : panic_error(other) {}
  HEDDLE_UNSEEN ~channel_error() override {}
};

namespace detail {

[[noreturn]] HEDDLE_UNSEEN inline void throw_sent_on_closed() {
  throw channel_error("heddle: send on a closed channel");
}
[[noreturn]] HEDDLE_UNSEEN inline void throw_closed_again(bool nil) {
  throw channel_error(nil ? "heddle: close of a nil channel" : "heddle: close of a closed channel");
}

// Sends or receives the value in `cell`. A send on a closed channel throws.
HEDDLE_UNSEEN inline heddle_case_result operate(ChannelState* channel, void* cell, bool send,
                                                bool otherwise, Caller caller) {
  heddle_channel_case c;
  c.channel = channel;
  c.cell = cell;
  c.send = send ? 1 : 0;
  c.result = heddle_case_none;
  if (under_control()) {
    const auto operation = send ? heddle_operation_send : heddle_operation_receive;
    // Another thread may assign the handle meanwhile, although it should not: as in Go, this one
    // then still waits on the old channel.
    if (channel != nullptr) keep(&channel->references);
    if (heddle_channel_wait(&c, 1, operation, otherwise ? 1 : 0, caller.pc, caller.frame) < 0)
      c.result = heddle_case_none;
    drop_channel(channel);
  } else if (channel != nullptr) {
    real::operate(*channel, c, otherwise);
  } else if (!otherwise) {
    real::block_for_ever();
  }
  if (send && c.result == heddle_case_closed) throw_sent_on_closed();
  return c.result;
}

HEDDLE_UNSEEN inline int32_t select(heddle_channel_case* cases, uint32_t count, bool otherwise,
                                    Caller caller) {
  if (!under_control()) return real::select(cases, count, otherwise);
  return heddle_channel_wait(cases, count, heddle_operation_select, otherwise ? 1 : 0, caller.pc,
                             caller.frame);
}

// Returns 0; 1: already closed; 2: nil.
HEDDLE_UNSEEN inline int try_close(ChannelState* channel, Caller caller) {
  if (under_control()) return heddle_channel_close(channel, caller.pc, caller.frame);
  return channel == nullptr ? 2 : real::close(*channel);
}

HEDDLE_UNSEEN inline void close(ChannelState* channel, Caller caller) {
  if (const int refused = try_close(channel, caller)) throw_closed_again(refused == 2);
}

// Under control it is an operation: a thread that polls it must let other threads run.
HEDDLE_UNSEEN inline uint32_t size(ChannelState* channel, Caller caller) {
  if (channel == nullptr) return 0;
  if (!under_control()) return real::size(*channel);
  return heddle_channel_size(channel, caller.pc, caller.frame);
}

}  // namespace detail
}  // namespace heddle

#endif  // HEDDLE_DETAIL_OPERATIONS_H_
