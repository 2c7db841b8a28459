// libFuzzer's limit for one allocation.
#pragma once

namespace heddle::driver {

// Reads libFuzzer's command line. Without ASan, there is a limit only if the command line names one. With ASan, the default is the limit
// for the whole process.
void limit_allocations(int argc, char** argv);

}  // namespace heddle::driver
