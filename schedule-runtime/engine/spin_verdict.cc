#include "engine/spin_verdict.h"

namespace heddle::rt {
namespace {
constinit SpinVerdict g_verdict = kPatientVerdict;
}  // namespace

void set_spin_verdict(const SpinVerdict& verdict) { g_verdict = verdict; }

bool is_livelock(uint32_t stale_choices, uint64_t vain_looks, bool at_bound) {
  return stale_choices > (at_bound ? g_verdict.choices_at_bound : g_verdict.choices) || vain_looks > g_verdict.looks;
}

}  // namespace heddle::rt
