// Reads HEDDLE_OPTIONS outside of a target: in afl-fuzz's mutator and in the command. The target parses all of it and reports errors
// (schedule-runtime/base/options.cc).
#pragma once

#include <cstdint>
#include <string_view>

#include "schema/schedule.h"

namespace heddle {

// The value of `key` in "key=value:key=value". If the key occurs several times, the last one counts. Empty if the key is absent.
inline std::string_view option_value(std::string_view text, std::string_view key) {
  constexpr std::string_view kSeparators = ":, \n\t";
  std::string_view found;
  while (!text.empty()) {
    const size_t begin = text.find_first_not_of(kSeparators);
    if (begin == text.npos) break;
    text.remove_prefix(begin);
    const size_t equals = text.find('=');
    if (equals == text.npos) break;
    const std::string_view name = text.substr(0, equals);
    text.remove_prefix(equals + 1);
    const bool quoted = text.starts_with('"') || text.starts_with('\'');
    const size_t end = quoted ? text.find(text.front(), 1) : text.find_first_of(kSeparators);
    const std::string_view value = text.substr(quoted, end == text.npos ? end : end - quoted);
    if (name == key) found = value;
    text.remove_prefix(end == text.npos ? text.size() : end + quoted);
  }
  return found;
}

// What the mutators write into every input, so that it replays without HEDDLE_OPTIONS.
struct WantedRun {
  uint8_t assumes = 0;  // bits of Schedule::assumes
  MemoryModel memory = MemoryModel::sc;

  bool any() const { return assumes != 0 || memory != MemoryModel::sc; }
  // An input that names a memory model already keeps it.
  void write(Schedule& s) const {
    s.assumes |= assumes;
    if (memory != MemoryModel::sc) s.memory_model = memory;
  }
};

// The words of `memory`. False: there is no such model.
inline bool memory_model_of(std::string_view name, MemoryModel& out) {  // empty: the option is not given
  out = name == "rc11" ? MemoryModel::rc11 : MemoryModel::sc;
  return name == "rc11" || name == "sc" || name.empty();
}
inline WantedRun wanted_run(bool spurious, std::string_view timeouts, bool report_endless, std::string_view memory) {
  WantedRun wanted{static_cast<uint8_t>((spurious ? 0 : kNoSpuriousWakes) | (timeouts == "patient" ? kPatientTimeouts : 0) |
                                        (report_endless ? 0 : kEndlessIntended))};
  memory_model_of(memory, wanted.memory);
  return wanted;
}
inline WantedRun wanted_run(std::string_view text) {
  return wanted_run(option_value(text, "spurious") != "0", option_value(text, "timeouts"), option_value(text, "report_endless") != "0",
                    option_value(text, "memory"));
}

}  // namespace heddle
