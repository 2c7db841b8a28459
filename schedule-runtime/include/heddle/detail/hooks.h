// The interface between the channel library and the runtime: the parts of a channel, a wait group and a once flag that the
// runtime sees, and the calls that replace their operations on a thread that heddle schedules. All calls are weak: in a
// program without the runtime they are null, and the operations are those of channel_real.h and the other *_real.h.
//
// A value travels as a cell, which means as plain bytes that can be copied: see cell.h. `pc` and `frame` are those of the
// user's call (HEDDLE_CALLER). They identify the operation.
#ifndef HEDDLE_DETAIL_HOOKS_H_
#define HEDDLE_DETAIL_HOOKS_H_

#include <stdint.h>

// Use it only in functions that are noinline and HEDDLE_UNSEEN: there the return address is in the user's function.
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
  heddle_timer_sends = 1,   // at `due`, sends a cell with the time (8 bytes) if there is room
  heddle_timer_closes = 2,  // at `due`, closes the channel
};

#define HEDDLE_NEVER UINT64_MAX

// A channel without its value type. Under control, the runtime reads and changes it. On real threads, its lock guards it.
struct heddle_channel {
  uint32_t capacity;
  uint32_t cell_size;  // bytes of a value
  uint32_t head;       // index of the oldest value in `cells`
  uint32_t count;      // values in `cells`
  uint8_t closed;
  heddle_timer_kind timer;
  uint8_t numbers;     // 1: the cells are numbers (an arithmetic or enum type), and become part of the trace
  uint8_t reserved[5];
  uint64_t due;        // when the timer acts, in ns of the steady clock (under control: virtual); or HEDDLE_NEVER
  uint64_t period;     // interval of later actions; 0: only one
  unsigned char* cells;  // capacity * cell_size bytes
  // For the runtime: for each place in `cells`, the last event that used it. The maker of the channel sets it to 0xFF..
  uint32_t* notes;     // capacity entries
};

enum heddle_case_result : uint8_t {
  heddle_case_none = 0,
  heddle_case_passed = 1,  // a value was sent or received
  heddle_case_closed = 2,  // receive: closed and drained, the cell is unchanged; send: closed, a misuse
};

struct heddle_channel_case {
  heddle_channel* channel;  // null: a nil channel, never ready
  void* cell;               // the value to send, or room for the received one
  uint8_t send;             // 1: send, 0: receive
  heddle_case_result result;  // output: only of the case that was taken
  uint8_t reserved[6];
  // While the operation waits: its place in the channel's queue, and the operation. The callee sets them.
  heddle_channel_case* next;
  heddle_channel_case* previous;
  void* owner;
};

enum heddle_channel_operation : uint8_t {
  heddle_operation_send = 0,     // one case, a send
  heddle_operation_receive = 1,  // one case, a receive
  heddle_operation_select = 2,
};

// Takes one of the cases and returns its index. With `otherwise` it does not wait, and returns -1 if none is ready. A send
// on a closed channel is a finding. If such findings are switched off, the result is heddle_case_closed.
__attribute__((weak)) int32_t heddle_channel_wait(heddle_channel_case* cases, uint32_t count, heddle_channel_operation operation,
                                                  int otherwise, void* pc, void* frame);
// Identifies the channel by the place where it was made.
__attribute__((weak)) void heddle_channel_made(heddle_channel* channel, void* pc, void* frame);
// The memory of the channel is about to be freed.
__attribute__((weak)) void heddle_channel_gone(heddle_channel* channel);
// Returns 0; 1: already closed (a finding); 2: nil (a finding).
__attribute__((weak)) int heddle_channel_close(heddle_channel* channel, void* pc, void* frame);
// The number of values, for a call of size(). It is an operation like the others.
__attribute__((weak)) uint32_t heddle_channel_size(heddle_channel* channel, void* pc, void* frame);
// `due` or `period` has changed: waiting threads check again.
__attribute__((weak)) void heddle_channel_touched(heddle_channel* channel);
// The same of a timer, by a call of the program: stopped (`due` is HEDDLE_NEVER) or set anew. `pending`: it was running, or its value had not been received.
__attribute__((weak)) void heddle_timer_set(heddle_channel* channel, int pending, void* pc, void* frame);
// The time of the steady clock. Reading it is not an operation of the program.
__attribute__((weak)) uint64_t heddle_channel_now(void);

// The program reads or writes a handle, a pointer in a variable of its own: a plain access, which the library's functions do not announce themselves.
__attribute__((weak)) void heddle_handle_access(const void* handle, int write, void* pc, void* frame);

// What the thread did up to a release comes before what another one does after an acquire at that address. Neither is an operation of the program.
__attribute__((weak)) void heddle_order(const void* address, int acquires, void* pc, void* frame);

// The calling thread expects panics (a send on a closed channel, ...) in so many more scopes: they are no findings there.
__attribute__((weak)) void heddle_expect_panic(int more);

// Adds to a wait group's count. Returns 0; 1: it would become negative (a finding), and is unchanged.
__attribute__((weak)) int heddle_wait_group_add(int64_t* count, int64_t delta, void* pc, void* frame);
__attribute__((weak)) void heddle_wait_group_wait(int64_t* count, void* pc, void* frame);

// Returns 1: this thread runs the function and then calls heddle_once_finish; 0: it has already run (state is then 2).
__attribute__((weak)) int heddle_once_start(uint32_t* state, void* pc, void* frame);
__attribute__((weak)) void heddle_once_finish(uint32_t* state, int complete, void* pc, void* frame);

}  // extern "C"

#endif  // HEDDLE_DETAIL_HOOKS_H_
