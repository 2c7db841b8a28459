// libFuzzer's limit for one allocation.
#pragma once

namespace heddle::driver {

// From libFuzzer's command line. Without ASan only if the command line names a limit: with ASan it is by default the limit for the whole process.
void limit_allocations(int argc, char** argv);

}  // namespace heddle::driver
