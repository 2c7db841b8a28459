// Calling contexts: the shadow call stack of a thread, interned as nodes of one tree. So every event carries its whole stack in 32 bits, and
// a report can show where a lock was taken long ago.
//
// __tsan_func_entry/exit keep the stack. Each frame carries its frame address, and is dropped when the stack pointer has passed it. This
// repairs the stack after longjmp and forced unwinds (docs/design/runtime-laws.md#names-that-survive).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address_map.h"
#include "base/gate_layout.h"
#include "base/reserved_array.h"
#include "trace/sites.h"

namespace heddle::rt {

struct ContextNode {
  uintptr_t call_pc;  // of the innermost frame
  uint32_t parent;
  uint32_t latest;    // the child that was asked for last
  uint32_t next;      // the sibling that was asked for after this one
  uint32_t site;      // index of the call's site
  uint32_t hash;      // of the last four call sites in the user's code; never 0
  uint32_t user_site;  // nearest call site, outwards, in the user's code; kNoUserSite if none
};
inline constexpr uint32_t kNoUserSite = 0xFFFFFFFFu;

// A function calls much the same others in each execution. So the child is guessed: the one that was asked for last, or the one that
// followed it. In a large program each execution goes through most of the tree, in the order of its nodes, and the processor fetches these
// ahead. It cannot fetch places of a hash table ahead: each of them would be a wait for memory.
class ContextTree {
 public:
  void initialise();
  uint32_t child(uint32_t parent, uintptr_t call_pc) {
    const auto is_it = [&](uint32_t node) { return nodes_[node].call_pc == call_pc && nodes_[node].parent == parent; };
    uint32_t& latest = nodes_[parent].latest;
    if (is_it(latest)) return latest;
    const uint32_t next = nodes_[latest].next;
    return latest = __builtin_expect(is_it(next), 1) ? next : find_child(parent, call_pc);
  }
  const ContextNode& operator[](uint32_t i) const { return nodes_[i]; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }

 private:
  uint32_t find_child(uint32_t parent, uintptr_t call_pc);
  uint32_t add(uint32_t parent, uintptr_t call_pc);

  AddressMap edges_;
  ReservedArray<ContextNode> nodes_;  // node 0: the empty stack
};

extern ContextTree g_contexts;
inline ContextTree& contexts() { return g_contexts; }

class ShadowStack {
 public:
  static constexpr uint32_t kMaxDepth = 1 << 16;

  bool has_memory() const { return top_ != nullptr; }
  void initialise() {
    frames_.reserve(kMaxDepth + 1);
    frames_[0] = {.call_pc = 0, .frame = UINTPTR_MAX, .node = 0};
    reset();
  }
  void reset() {
    top_ = frames_.data();
    deepest_ = top_ + kMaxDepth;
  }

  void enter(uintptr_t call_pc, uintptr_t frame) {
    Frame* top = top_;
    while (__builtin_expect(top->frame <= frame, 0)) --top;
    if (__builtin_expect(top != deepest_, 1)) *++top = {call_pc, frame, 0};
    top_ = top;
  }
  void leave(uintptr_t frame) {
    Frame* top = top_;
    while (__builtin_expect(top->frame < frame, 0)) --top;
    top_ = top == frames_.data() ? top : top - 1;
  }

  // The node of the current stack. Frames below `frame` are dropped first.
  uint32_t context(uintptr_t frame) {
    while (__builtin_expect(top_->frame < frame, 0)) --top_;
    if (__builtin_expect(top_ == frames_.data(), 0)) return 0;
    return __builtin_expect(top_->node != 0, 1) ? top_->node : intern();
  }

 private:
  struct Frame {
    uintptr_t call_pc;
    uintptr_t frame;
    uint32_t node;  // 0: not interned yet
  };

  uint32_t intern();

  // The program's code has the short ways of enter() and leave() inline (harness/gate), and knows where the two are.
  Frame* top_ = nullptr;
  Frame* deepest_ = nullptr;
  ReservedArray<Frame> frames_;  // the first frame is a sentinel above all others, and is never dropped
  friend struct ShadowStackLayout;
};
struct ShadowStackLayout {
  using Frame = ShadowStack::Frame;
  static_assert(offsetof(ShadowStack, top_) == gate_layout::kTop && offsetof(ShadowStack, deepest_) == gate_layout::kDepthLimit);
  static_assert(offsetof(Frame, call_pc) == gate_layout::kCallPc && offsetof(Frame, frame) == gate_layout::kFrame);
  static_assert(offsetof(Frame, node) == gate_layout::kNode && sizeof(Frame) == gate_layout::kFrameSize);
};

}  // namespace heddle::rt
