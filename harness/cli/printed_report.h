// Parts of a report that a target has printed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cli {

// The number after "Signature:"; 0: there is no report of heddle.
uint64_t signature_in(const std::string& output);
// The first paragraph: what happened, in words. Empty: there is none.
std::string what_happened(const std::string& output);
// The table of operations, with the lines that explain it. Empty: there is none.
std::string interleaving_of(const std::string& output);
// Without the text of the program's lines.
std::string without_source(std::string output);
// With another command after "To replay:". The one that the target printed can name a file that is gone.
std::string with_replay(std::string output, const std::string& command);
// "deadlock" of "SUMMARY: HeddleSanitizer: deadlock ...".
std::string kind_in_summary(const std::string& summary);
// The rest of that line: place and function.
std::string place_in_summary(const std::string& summary);
// "Queue::push", or the whole place if it has no function.
std::string function_in_summary(const std::string& summary);
// Of a use of freed memory: where the program freed it, "queue.cc:41:3". Empty: the report is none of that.
std::string free_in(const std::string& output);
// The places of the first stack of the report, the innermost first: "queue.cc:41:3". Empty: it has none.
std::vector<std::string> stack_in(const std::string& output);

}  // namespace heddle::cli
