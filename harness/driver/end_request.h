// Ctrl-C and SIGTERM. libFuzzer's handlers end the process at once, without the functions of atexit(): what a campaign says at its end would be
// lost. So the search ends after the present execution, and libFuzzer's handler is called then.
//
// A second signal, or a present execution that does not end within some seconds: libFuzzer's handler is called at once.
#pragma once

namespace heddle::driver {

// Call it when libFuzzer has set its handlers. Nothing changes if it has not (-handle_int=0).
void follow_end_requests();
// Between two executions. If the end was requested: calls `last_words` and libFuzzer's handler, and does not return.
void end_if_requested(void (*last_words)());

}  // namespace heddle::driver
