// Memory that an execution has left behind. LeakSanitizer finds it after the execution, and names the blocks; heddle adds how the execution went.
#pragma once

namespace heddle::rt {

// After LeakSanitizer's report. The execution that leaked must be the last one.
void report_leak();

}  // namespace heddle::rt
