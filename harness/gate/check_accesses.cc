// PlainGate (schedule-runtime/engine/plain_gate.h) in front of the calls for plain accesses.
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "base/gate_layout.h"
#include "first_checks.h"

namespace heddle::gate {
namespace {

using namespace llvm;
namespace layout = heddle::rt::gate_layout;

struct Access {
  CallInst* call;
  bool write;
  unsigned size;
};

// The access that the call announces; none if it is another call. Not for accesses whose size is known only at run time, and for those that
// heddle makes itself, such as __tsan_memcpy.
std::optional<Access> access_of(Instruction& instruction) {
  auto* const call = dyn_cast<CallInst>(&instruction);
  StringRef name = name_of_callee(instruction);
  if (call == nullptr || call->arg_size() != 1 || !name.consume_front("__tsan_")) return std::nullopt;
  if (name == "vptr_read") return Access{call, false, sizeof(void*)};
  name.consume_front("unaligned_");
  name.consume_front("volatile_");
  const bool write = name.consume_front("write");
  if (!write && !name.consume_front("read")) return std::nullopt;
  for (const unsigned size : {1, 2, 4, 8, 16}) {
    if (name == Twine(size).str()) return Access{call, write, size};
  }
  return std::nullopt;
}

// Whether the program's code goes on elsewhere.
bool is_call(const Instruction& instruction) {
  return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction) && !name_of_callee(instruction).starts_with("__sanitizer_cov_");
}

// The accesses of a block between two calls. They are counted together, before the first of each sort: a counter that each access changes would
// be what a short loop waits for.
using Segment = std::vector<Access>;

std::vector<Segment> segments_of(Function& function) {
  std::vector<Segment> all;
  for (BasicBlock& block : function) {
    bool goes_on = false;
    for (Instruction& instruction : block) {
      if (const std::optional<Access> access = access_of(instruction)) {
        if (!goes_on) all.emplace_back();
        all.back().push_back(*access);
        goes_on = true;
      } else if (is_call(instruction)) {
        goes_on = false;
      }
    }
  }
  return all;
}

class Gate {
 public:
  explicit Gate(Module& module) : module_(module), gate_(module, "heddle_gate", layout::kGateSize, true), rarely_(rarely(module.getContext())) {}

  void put_before(const Segment& segment) {
    std::array<unsigned, 2> uncounted{};
    for (const Access& access : segment) ++uncounted[access.write];
    for (const Access& access : segment) {
      IRBuilder<> build(access.call);
      Value* stops = closed(build, access);
      if (const unsigned count = std::exchange(uncounted[access.write], 0)) stops = build.CreateOr(stops, window_is_over(build, access.write, count));
      call_behind(access, SplitBlockAndInsertIfThen(stops, access.call, false, rarely_));
      access.call->eraseFromParent();
    }
  }

 private:
  // gate_is_open() of intercept/plain_access.h.
  Value* closed(IRBuilder<>& build, const Access& access) {
    Value* const address = build.CreatePtrToInt(access.call->getArgOperand(0), build.getInt64Ty());
    if (!access.write) {
      Value* const offset = build.CreateSub(address, gate_.load(build, build.getInt64Ty(), layout::kClosedFrom));
      return build.CreateICmpULT(offset, gate_.load(build, build.getInt64Ty(), layout::kClosedSize));
    }
    Value* const place = build.CreateAnd(build.CreateLShr(address, layout::kHintShift), layout::kHints - 1);
    Value* const hints = gate_.load(build, build.getPtrTy(), layout::kClosedHints);
    return build.CreateICmpNE(build.CreateLoad(build.getInt8Ty(), build.CreateInBoundsGEP(build.getInt8Ty(), hints, place)), build.getInt8(0));
  }
  // count() there, for several accesses.
  Value* window_is_over(IRBuilder<>& build, bool write, unsigned count) {
    const unsigned counter = write ? layout::kWrites : layout::kReads;
    Value* const left = build.CreateSub(gate_.load(build, build.getInt32Ty(), counter), build.getInt32(count));
    build.CreateStore(left, gate_.field(build, counter));
    return build.CreateICmpSLT(left, build.getInt32(0));
  }
  // It has the line of the call that it replaces, because schedules and reports name the access by that. And each access has a call of its own.
  void call_behind(const Access& access, Instruction* before) {
    IRBuilder<> build(before);
    const FunctionCallee behind =
        module_.getOrInsertFunction((Twine("heddle_gate_") + (access.write ? "write" : "read") + Twine(access.size)).str(), build.getVoidTy(), build.getPtrTy());
    CallInst* const call = build.CreateCall(behind, {access.call->getArgOperand(0)});
    call->setDebugLoc(access.call->getDebugLoc());
    // Else a function of a thousand accesses compiles for ten seconds: its values would have to live beside a thousand calls
    // (HEDDLE_KEEPS_REGISTERS in intercept/memory/tsan_plain.cc).
    call->setCallingConv(CallingConv::PreserveMost);
    for (const auto attribute : {Attribute::NoUnwind, Attribute::NoMerge, Attribute::Cold}) call->addFnAttr(attribute);
  }

  Module& module_;
  Shared gate_;
  MDNode* rarely_;
};

}  // namespace

bool check_accesses(Function& function) {
  const std::vector<Segment> segments = segments_of(function);
  if (segments.empty()) return false;
  Gate gate(*function.getParent());
  for (const Segment& segment : segments) gate.put_before(segment);
  return true;
}

}  // namespace heddle::gate
