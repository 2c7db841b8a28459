#pragma once

namespace heddle::rt {

// Whether the engine's own callbacks for compared numbers are called. What libFuzzer learns there (its table of recent comparisons) the mutator
// knows from the run itself, and the calls are a quarter of what plain code costs; its value profile needs them, and so may other engines.
void engine_learns_from_numbers(bool learns);

}  // namespace heddle::rt
