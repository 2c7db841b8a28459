// The line between the channel library and the runtime: what the runtime sees of a channel, a wait group and a once flag,
// and the calls that replace their operations on a thread that heddle schedules. All calls are weak: a program that is
// built without the runtime has none, and its operations are those of channel_real.h and its neighbours.
//
// A value travels as a cell, that is as plain bytes that may be copied: see cell.h. `pc` and `frame` are those of the
// user's call (HEDDLE_CALLER): they name the operation.
#ifndef HEDDLE_DETAIL_HOOKS_H_
#define HEDDLE_DETAIL_HOOKS_H_

#include <stdint.h>

// Only in functions that are noinline and HEDDLE_UNSEEN: there the return address lies in the user's function.
#define HEDDLE_CALLER ::heddle::detail::Caller { __builtin_return_address(0), __builtin_frame_address(0) }

namespace heddle::detail {
struct Caller {
  void* pc;
  void* frame;
};
}  // namespace heddle::detail

extern "C" {

enum heddle_timer_kind : uint8_t {
  heddle_timer_none = 0,
  heddle_timer_sends = 1,   // at `due` a cell that holds the time (8 bytes) is put in, if there is room
  heddle_timer_closes = 2,  // at `due` the channel closes
};

#define HEDDLE_NEVER UINT64_MAX

// A channel without its value type. Under control the runtime reads and changes it; on real threads its lock guards it.
struct heddle_channel {
  uint32_t capacity;
  uint32_t cell_size;  // bytes of a value
  uint32_t head;       // index of the oldest value in `cells`
  uint32_t count;      // values in `cells`
  uint8_t closed;
  heddle_timer_kind timer;
  uint8_t numbers;     // 1: the cells are numbers (an arithmetic or enum type), so that runs can be told apart by them
  uint8_t reserved[5];
  uint64_t due;        // ns of the steady clock (virtual, under control) at which the timer acts; HEDDLE_NEVER
  uint64_t period;     // after that again and again; 0: once
  unsigned char* cells;  // capacity * cell_size bytes
  // The runtime's: for each place in `cells` the event that used it last. Set to 0xFF.. by whoever makes the channel.
  uint32_t* notes;     // capacity entries
};

enum heddle_case_result : uint8_t {
  heddle_case_none = 0,
  heddle_case_passed = 1,  // a value went through
  heddle_case_closed = 2,  // receive: closed and empty, the cell is untouched; send: the channel is closed, misuse
};

struct heddle_channel_case {
  heddle_channel* channel;  // null: a nil channel, never ready
  void* cell;               // the value to send, or room for the one received
  uint8_t send;             // 1: send, 0: receive
  heddle_case_result result;  // out, of the case that was taken
  uint8_t reserved[6];
  // While the operation waits: its place in the channel's queue, and the operation. Of whoever runs it, need not be set.
  heddle_channel_case* next;
  heddle_channel_case* previous;
  void* owner;
};

enum heddle_channel_operation : uint8_t {
  heddle_operation_send = 0,     // one case, a send
  heddle_operation_receive = 1,  // one case, a receive
  heddle_operation_select = 2,
};

// Takes one of the cases and returns its index. With `otherwise` it does not wait: -1 when none was ready. A send on a
// closed channel is raised as a finding; where that is switched off, it returns with result heddle_case_closed.
__attribute__((weak)) int32_t heddle_channel_wait(heddle_channel_case* cases, uint32_t count, heddle_channel_operation operation,
                                                  int otherwise, void* pc, void* frame);
// Names the channel by the place where it was made.
__attribute__((weak)) void heddle_channel_made(heddle_channel* channel, void* pc, void* frame);
// Its memory is about to be given back.
__attribute__((weak)) void heddle_channel_gone(heddle_channel* channel);
// 0; 1: it was closed before (a finding); 2: nil (a finding).
__attribute__((weak)) int heddle_channel_close(heddle_channel* channel, void* pc, void* frame);
// Values in it, for a program that asks; a choice as the others are.
__attribute__((weak)) uint32_t heddle_channel_size(heddle_channel* channel, void* pc, void* frame);
// `due` or `period` was changed: whoever waits looks again.
__attribute__((weak)) void heddle_channel_touched(heddle_channel* channel);
// Of the steady clock, without being an operation of the program.
__attribute__((weak)) uint64_t heddle_channel_now(void);

// Adds to a wait group's count. 0; 1: it would become negative (a finding), and is left as it was.
__attribute__((weak)) int heddle_wait_group_add(int64_t* count, int64_t delta, void* pc, void* frame);
__attribute__((weak)) void heddle_wait_group_wait(int64_t* count, void* pc, void* frame);

// 1: this thread runs the function, and calls heddle_once_finish; 0: it has been run (state is 2 in that case).
__attribute__((weak)) int heddle_once_start(uint32_t* state, void* pc, void* frame);
__attribute__((weak)) void heddle_once_finish(uint32_t* state, int complete, void* pc, void* frame);

}  // extern "C"

#endif  // HEDDLE_DETAIL_HOOKS_H_
