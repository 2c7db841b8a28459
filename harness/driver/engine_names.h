// Names that the program shares with the engine.
#pragma once

namespace heddle::driver {

// A note for each function that libFuzzer calls and of which the program has a variable: it would be called, and crash.
void note_engine_names();

}  // namespace heddle::driver
