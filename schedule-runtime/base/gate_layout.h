// What the program's code knows of heddle's memory. The plugin of harness/gate puts first checks inline; where they are defined, they are
// compared with this. Offsets are in bytes.
#pragma once

namespace heddle::rt::gate_layout {

// PlainGate (engine/plain_gate.h); `heddle_gate`, thread-local.
inline constexpr unsigned kReads = 0, kWrites = 4;            // 32 bits each
inline constexpr unsigned kClosedFrom = 8, kClosedSize = 16;  // 64 bits each
inline constexpr unsigned kClosedHints = 24;                  // points to kHints bytes, one for each granule of 1 << kHintShift bytes
inline constexpr unsigned kHints = 1 << 10, kHintShift = 3;
inline constexpr unsigned kGateSize = 32;

// ComparisonGate (trace/comparison_gate.h); `heddle_comparisons`.
inline constexpr unsigned kLength = 0, kAllCompared = 8;  // 64 bits; two bytes, of which one that is not zero suffices
inline constexpr unsigned kComparisonGateSize = 16;

// ShadowStack (trace/contexts.h) in Thread (engine/thread.h), to which `heddle_thread`, thread-local, points. It may be null.
inline constexpr unsigned kStack = 0, kTop = 0, kDepthLimit = 8;  // two pointers to a frame
inline constexpr unsigned kCallPc = 0, kFrame = 8, kNode = 16;    // of a frame: 64, 64 and 32 bits
inline constexpr unsigned kFrameSize = 24;

}  // namespace heddle::rt::gate_layout
