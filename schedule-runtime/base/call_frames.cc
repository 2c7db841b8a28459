#include "base/call_frames.h"

#include <unwind.h>

#include <cstddef>
#include <cstring>

#include "base/address_map.h"
#include "base/reserved_array.h"

// Defined in the compiler's runtime, but not declared in unwind.h.
struct dwarf_eh_bases {
  void* tbase;
  void* dbase;
  void* func;
};
extern "C" __attribute__((weak)) const void* _Unwind_Find_FDE(const void* pc, dwarf_eh_bases* bases);

namespace heddle::rt {
namespace {

uintptr_t word_at(uintptr_t address) { return *reinterpret_cast<const uintptr_t*>(address); }

#if defined(__x86_64__)

constexpr uint64_t kFrameRegister = 6, kStackRegister = 7;

// How to compute the caller's state from the function's, at one position.
struct Rule {
  bool known;
  bool by_frame;  // true: the stack pointer before the call is the frame register plus `offset`. false: the stack register plus `offset`
  int32_t offset;
  int32_t saved_frame;  // offset of the caller's saved frame register, relative to that; 0: still in the register
};

// DWARF 5, section 6.4, as far as compilers use it for functions. Reads tables that the loader has mapped.
class Reader {
 public:
  explicit Reader(const void* at) : at_(static_cast<const unsigned char*>(at)) {}

  template <class T>
  T take() {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  uint64_t unsigned_number() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = take<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }
  int64_t signed_number() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = take<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) != 0) continue;
      if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~0ull << (shift + 7);
      return static_cast<int64_t>(value);
    }
  }
  const char* text() {
    const auto* const begin = reinterpret_cast<const char*>(at_);
    at_ += std::strlen(begin) + 1;
    return begin;
  }
  void skip(size_t bytes) { at_ += bytes; }
  bool before(const unsigned char* end) const { return at_ < end; }
  const unsigned char* at() const { return at_; }

 private:
  const unsigned char* at_;
};

// The size of a pointer in this encoding (DW_EH_PE_*). 0: an encoding that is not used for code.
size_t size_of_pointer(uint8_t encoding) {
  switch (encoding & 0x0F) {
    case 0x00: case 0x04: case 0x0C: return 8;
    case 0x02: case 0x0A: return 2;
    case 0x03: case 0x0B: return 4;
    default: return 0;
  }
}

// The header of an entry: its end, and the position of its body.
struct Entry {
  explicit Entry(const void* start) : reader(start) {
    uint64_t length = reader.take<uint32_t>();
    if (length == 0xFFFFFFFF) length = reader.take<uint64_t>();
    end = reader.at() + length;
    identity = reader.at();
    common_distance = reader.take<uint32_t>();
  }
  Reader reader;
  const unsigned char* end;
  const unsigned char* identity;
  uint32_t common_distance;  // in a function's entry: distance back to the common entry
};

class Rules {
 public:
  // The rule at `pc`, in the function that the entry `function` describes.
  Rule at(const void* function, uintptr_t start, uintptr_t pc) {
    Entry own(function);
    Entry common(own.identity - own.common_distance);
    if (!read_common(common)) return {};
    const size_t pointer = size_of_pointer(encoding_);
    if (pointer == 0) return {};
    own.reader.skip(2 * pointer);
    if (augmented_) {
      const uint64_t size = own.reader.unsigned_number();
      own.reader.skip(size);
    }
    target_ = pc - start;
    location_ = 0;
    if (!run(common.reader, common.end)) return {};
    initial_ = row_;
    if (!run(own.reader, own.end) || !row_.known) return {};
    return row_;
  }

 private:
  bool read_common(Entry& entry) {
    Reader& r = entry.reader;
    const auto version = r.take<uint8_t>();
    const char* augmentation = r.text();
    code_unit_ = r.unsigned_number();
    data_unit_ = r.signed_number();
    if (version == 1) r.skip(1);
    else r.unsigned_number();  // the return address's column
    augmented_ = *augmentation == 'z';
    if (!augmented_) return *augmentation == 0;
    const uint64_t size = r.unsigned_number();
    const unsigned char* const end = r.at() + size;
    for (++augmentation; *augmentation != 0; ++augmentation) {
      if (*augmentation == 'R') {
        encoding_ = r.take<uint8_t>();
      } else if (*augmentation == 'L') {
        r.skip(1);
      } else if (*augmentation == 'P') {
        const size_t pointer = size_of_pointer(r.take<uint8_t>());
        if (pointer == 0) return false;
        r.skip(pointer);
      } else if (*augmentation == 'S') {
        return false;  // a handler's frame, which was not called
      }
    }
    r.skip(static_cast<size_t>(end - r.at()));
    return true;
  }

  // True while the target address is still ahead or has just been reached.
  bool advance(uint64_t units) {
    location_ += units * code_unit_;
    return location_ <= target_;
  }

  void saved(uint64_t column, int64_t offset) {
    if (column == kFrameRegister) row_.saved_frame = static_cast<int32_t>(offset);
  }
  void restored(uint64_t column) {
    if (column == kFrameRegister) row_.saved_frame = initial_.saved_frame;
  }
  // Any other kind of rule. That is fine for a register that does not matter here.
  static bool other(uint64_t column) { return column != kFrameRegister && column != 16; }

  void define(uint64_t column, int64_t offset) {
    row_.known = column == kFrameRegister || column == kStackRegister;
    row_.by_frame = column == kFrameRegister;
    row_.offset = static_cast<int32_t>(offset);
  }

  // Runs the instructions up to the target address. False: one of them is unknown.
  bool run(Reader r, const unsigned char* end) {
    while (r.before(end)) {
      const auto op = r.take<uint8_t>();
      const uint64_t low = op & 0x3F;
      switch (op & 0xC0) {
        case 0x40: if (!advance(low)) return true; continue;
        case 0x80: saved(low, static_cast<int64_t>(r.unsigned_number()) * data_unit_); continue;
        case 0xC0: restored(low); continue;
        default: break;
      }
      switch (op) {
        case 0x00: break;                                                                        // nop
        case 0x02: if (!advance(r.take<uint8_t>())) return true; break;                          // advance_loc1
        case 0x03: if (!advance(r.take<uint16_t>())) return true; break;                         // advance_loc2
        case 0x04: if (!advance(r.take<uint32_t>())) return true; break;                         // advance_loc4
        case 0x05: { const uint64_t c = r.unsigned_number(); saved(c, static_cast<int64_t>(r.unsigned_number()) * data_unit_); break; }  // offset_extended
        case 0x06: restored(r.unsigned_number()); break;                                         // restore_extended
        case 0x07: case 0x08: if (!other(r.unsigned_number())) return false; break;              // undefined, same_value
        case 0x09: { const uint64_t c = r.unsigned_number(); r.unsigned_number(); if (!other(c)) return false; break; }                 // register
        case 0x0A: if (depth_ == kDepth) return false; stack_[depth_++] = row_; break;           // remember_state
        case 0x0B: if (depth_ == 0) return false; row_ = stack_[--depth_]; break;                // restore_state
        case 0x0C: { const uint64_t c = r.unsigned_number(); define(c, static_cast<int64_t>(r.unsigned_number())); break; }            // def_cfa
        case 0x0D: define(r.unsigned_number(), row_.offset); break;                              // def_cfa_register
        case 0x0E: row_.offset = static_cast<int32_t>(r.unsigned_number()); break;               // def_cfa_offset
        case 0x10: case 0x16: { const uint64_t c = r.unsigned_number(); r.skip(r.unsigned_number()); if (!other(c)) return false; break; }  // expression
        case 0x11: { const uint64_t c = r.unsigned_number(); saved(c, r.signed_number() * data_unit_); break; }                       // offset_extended_sf
        case 0x12: { const uint64_t c = r.unsigned_number(); define(c, r.signed_number() * data_unit_); break; }                      // def_cfa_sf
        case 0x13: row_.offset = static_cast<int32_t>(r.signed_number() * data_unit_); break;    // def_cfa_offset_sf
        case 0x2E: r.unsigned_number(); break;                                                   // GNU_args_size
        default: return false;
      }
    }
    return true;
  }

  static constexpr size_t kDepth = 8;
  uint8_t encoding_ = 0;
  bool augmented_ = false;
  uint64_t code_unit_ = 1, target_ = 0, location_ = 0;
  int64_t data_unit_ = 1;
  Rule row_ = {}, initial_ = {};
  Rule stack_[kDepth];
  size_t depth_ = 0;
};

Rule find_rule(uintptr_t pc) {
  if (_Unwind_Find_FDE == nullptr) return {};
  const uintptr_t call = pc - 1;  // the return address may belong to the next function
  dwarf_eh_bases bases = {};
  const void* const function = _Unwind_Find_FDE(reinterpret_cast<const void*>(call), &bases);
  if (function == nullptr) return {};
  return Rules().at(function, reinterpret_cast<uintptr_t>(bases.func), call);
}

// Computed once for each position.
const Rule& rule_at(uintptr_t pc) {
  static constexpr size_t kMost = 1 << 16;
  static constinit AddressMap by_pc;
  static constinit ReservedArray<Rule> rules;
  by_pc.initialise(6);
  rules.reserve(kMost);
  bool inserted;
  uint32_t& slot = by_pc.find_or_insert(pc, inserted);
  if (!inserted) return rules[slot];
  const uint32_t index = rules.full() ? static_cast<uint32_t>(kMost - 1) : static_cast<uint32_t>(rules.size());
  if (rules.full()) rules[index] = {};
  else rules.push() = find_rule(pc);
  slot = index;
  return rules[index];
}

#endif

}  // namespace

// Some callers know the position only, and have a frame from elsewhere on the way.
static bool returns_to(uintptr_t pc, uintptr_t frame) { return frame != 0 && word_at(frame + sizeof(uintptr_t)) == pc; }

#if defined(__x86_64__)

CallFrame caller_of_frame(uintptr_t pc, uintptr_t frame) {
  if (!returns_to(pc, frame)) return {};
  return {pc, frame + 2 * sizeof(uintptr_t), word_at(frame)};
}

CallFrame caller_of(const CallFrame& callee) {
  const Rule& rule = rule_at(callee.pc);
  if (!rule.known) return {};
  const uintptr_t before = (rule.by_frame ? callee.frame : callee.stack) + static_cast<intptr_t>(rule.offset);
  if (before <= callee.stack || before % sizeof(uintptr_t) != 0) return {};
  const uintptr_t frame = rule.saved_frame != 0 ? word_at(before + static_cast<intptr_t>(rule.saved_frame)) : callee.frame;
  return {word_at(before - sizeof(uintptr_t)), before, frame};
}

#else

// On this architecture functions keep frame pointers. Each points to the caller's frame pointer, with the return address after it.
CallFrame caller_of_frame(uintptr_t pc, uintptr_t frame) {
  if (!returns_to(pc, frame)) return {};
  return {pc, 0, word_at(frame)};
}

CallFrame caller_of(const CallFrame& callee) {
  if (callee.frame == 0) return {};
  return {word_at(callee.frame + sizeof(uintptr_t)), 0, word_at(callee.frame)};
}

#endif

}  // namespace heddle::rt
