// The engine's half of trace/debugger.h.
#pragma once

namespace heddle::rt {

void publish_debugger_view();

}  // namespace heddle::rt
