// Fatal signals: the interleaving is printed first, then whoever handled the signal before us goes on.
#pragma once

namespace heddle::rt {

// Nothing for those signals that ASan handles: it tells us itself (__asan_on_error).
void chain_signal_handlers();

}  // namespace heddle::rt
