#include "trace/finding.h"

namespace heddle::rt {
namespace {
constinit FindingSink g_sink = nullptr;
}

void set_finding_sink(FindingSink sink) { g_sink = sink; }

void raise_finding(const Finding& finding) {
  if (g_sink != nullptr) g_sink(finding);
}

}  // namespace heddle::rt
