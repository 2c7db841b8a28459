#include "base/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string_view>

#include "base/exit_codes.h"
#include "base/line.h"

namespace heddle::rt {
namespace {

enum class Type { flag, choice, when, number, text };

struct Entry {
  const char* name;
  Type type;
  size_t offset;
  size_t size;  // of a text field
  const char* meaning;
};

#define HEDDLE_FLAG(field, meaning) {#field, Type::flag, offsetof(Options, field), sizeof(bool), meaning}
#define HEDDLE_CHOICE(field, meaning) {#field, Type::choice, offsetof(Options, field), sizeof(Choice), meaning}
#define HEDDLE_NUMBER(field, meaning) {#field, Type::number, offsetof(Options, field), sizeof(uint32_t), meaning}
#define HEDDLE_TEXT(field, meaning) {#field, Type::text, offsetof(Options, field), sizeof(Options::field), meaning}

constexpr Entry kEntries[] = {
    HEDDLE_FLAG(help, "print this list and exit"),
    HEDDLE_FLAG(stats, "print statistics when the process ends"),
    HEDDLE_TEXT(stats_path, "file for statistics as JSON, written when the process ends"),
    HEDDLE_NUMBER(progress, "seconds between lines that say how much is left to try; 0: none"),
    HEDDLE_FLAG(account, "print what heddle controlled and what it did not, when the process ends"),
    HEDDLE_FLAG(verify, "exit at start if instrumentation or interception does not work; 0: only warn"),
    HEDDLE_FLAG(report_leaks, "report threads that are blocked at the end"),
    HEDDLE_FLAG(report_races, "report data races"),
    HEDDLE_FLAG(report_livelock, "report threads that only spin, so that main cannot end"),
    HEDDLE_FLAG(report_misuse, "report misuse of a primitive, such as an unlock by a thread that is not the owner"),
    HEDDLE_FLAG(report_exit, "whole program: report an exit code other than 0"),
    HEDDLE_FLAG(report_abort, "report abort and failed assertions; 0: in a whole program they only end the run"),
    HEDDLE_FLAG(exit_on_finding, "exit at the first finding; 0: report each finding once, count, and go on"),
    HEDDLE_CHOICE(symbolize, "source lines in reports, from llvm-symbolizer; auto: off under afl-fuzz, which discards the reports. With suppressions always on"),
    HEDDLE_FLAG(check_watching, "for heddle's own tests: make each execution with and without race detection, and exit if they differ"),
    HEDDLE_FLAG(spurious, "new inputs allow spurious wake-ups; 0: they do not"),
    HEDDLE_FLAG(report_endless, "report threads that only spin after main has ended; 0: new inputs stop such threads"),
    HEDDLE_TEXT(timeouts, "when time limits expire in new inputs: any: at any time; patient: only when nothing else can run"),
    HEDDLE_TEXT(memory, "memory model of new inputs: sc (also without the option): sequentially consistent; rc11: that of C++20, with stale reads"),
    HEDDLE_NUMBER(features, "maximum number of features that an execution reports to the engine"),
    HEDDLE_NUMBER(report_rows, "maximum number of operations in a report's interleaving; 0: all"),
    HEDDLE_NUMBER(report_width, "width of a report in columns; 0: COLUMNS, that of the terminal, or 120"),
    {"color", Type::when, offsetof(Options, color), sizeof(Choice), "colours and clickable places in reports; auto: on a terminal, if NO_COLOR is not set"},
    HEDDLE_TEXT(report, "full; or short: without the interleaving and all stacks but the first, for logs"),
    HEDDLE_TEXT(mode, "how inputs are made: mixed, or the name of a published system (docs/reference/modes.md)"),
    HEDDLE_TEXT(suppressions, "file that lists findings not to report, in the sanitizers' format"),
    HEDDLE_TEXT(known, "file that lists the signatures of known findings: they are counted, and the search goes on"),
    HEDDLE_TEXT(args, "whole program: its arguments, quoted as for a shell; @@ is the name of a file with the data bytes"),
    {"stdin", Type::flag, offsetof(Options, stdin_payload), sizeof(bool), "whole program: standard input is the data bytes; 0: it is empty"},
    HEDDLE_TEXT(restore, "whole program: how its state is restored between executions: process, fork or auto"),
    HEDDLE_TEXT(program, "whole program: 1: run it normally, without fuzzing; 0: always fuzz; auto: run it normally if a build starts it"),
    HEDDLE_FLAG(low_addresses, "for programs that put pointers into 32 bits: heap, stacks and mappings of executions lie below 4 GiB"),
    HEDDLE_CHOICE(keep_libraries, "libraries that are not instrumented keep the values of their variables between executions; auto: with ASan"),
    HEDDLE_FLAG(keep_files, "files that an execution has created stay; 0: they are removed at its end"),
    HEDDLE_TEXT(trace_path, "file for the trace; each execution overwrites it"),
    HEDDLE_TEXT(trace_text, "the same, as text"),
    HEDDLE_TEXT(run_path, "file for the execution in words, with values and source lines, as lines of JSON: for heddle show; each execution overwrites it"),
    HEDDLE_TEXT(sites_path, "file for the table of all code positions that were reached"),
    HEDDLE_TEXT(sites_wanted, "file with numbers of code positions, in hexadecimal, which that table lists in any case; or with the word plain: all accesses to ordinary variables"),
};

[[noreturn]] void refuse(const char* what, const char* text, size_t size) {
  print_line(2, "heddle: HEDDLE_OPTIONS: %s '%.*s'. Quote a value that contains ':', ',' or a space. HEDDLE_OPTIONS=help=1 lists all options\n", what,
             static_cast<int>(size), text);
  _exit(kUsageExit);
}

const char* values_of(Type type) {
  switch (type) {
    case Type::flag: return "0, 1";
    case Type::choice: return "0, 1, auto";
    case Type::when: return "auto, always, never";
    case Type::number: return "number";
    case Type::text: return "text";
  }
  return "";
}

void print_option(const OptionInfo& option) {
  print_line(1, "  %-16s %s (%s)\n", option.name, option.meaning, *option.by_default != 0 ? option.by_default : "none");
}

bool parse_number(const char* text, size_t size, uint32_t limit, uint32_t& out) {
  if (size == 0 || size > 9) return false;
  uint32_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = value * 10 + static_cast<uint32_t>(text[i] - '0');
  }
  out = value;
  return value <= limit;
}

void set(Options& out, const char* key, size_t key_size, const char* value, size_t value_size) {
  for (const Entry& entry : kEntries) {
    if (strlen(entry.name) != key_size || memcmp(entry.name, key, key_size) != 0) continue;
    char* field = reinterpret_cast<char*>(&out) + entry.offset;
    uint32_t number = 0;
    switch (entry.type) {
      case Type::flag:
        if (!parse_number(value, value_size, 1, number)) refuse("expected 0 or 1 for", key, key_size);
        *reinterpret_cast<bool*>(field) = number != 0;
        return;
      case Type::choice:
        if (value_size == 4 && memcmp(value, "auto", 4) == 0) number = static_cast<uint32_t>(Choice::automatic);
        else if (!parse_number(value, value_size, 1, number)) refuse("expected 0, 1 or auto for", key, key_size);
        *field = static_cast<char>(number);
        return;
      case Type::when:
        if (const std::string_view when(value, value_size); when == "auto") number = static_cast<uint32_t>(Choice::automatic);
        else if (when == "always" || when == "never") number = when == "always";
        else refuse("expected auto, always or never for", key, key_size);
        *field = static_cast<char>(number);
        return;
      case Type::number:
        if (!parse_number(value, value_size, 999999999, number)) refuse("expected a number for", key, key_size);
        memcpy(field, &number, sizeof number);
        return;
      case Type::text:
        if (value_size >= entry.size) refuse("value too long for", key, key_size);
        memcpy(field, value, value_size);
        field[value_size] = 0;
        return;
    }
  }
  refuse("unknown option", key, key_size);
}

bool separator(char c) { return c == ':' || c == ',' || c == ' ' || c == '\n' || c == '\t'; }

void parse(Options& out, const char* text) {
  while (*text != 0) {
    if (separator(*text)) {
      ++text;
      continue;
    }
    const char* key = text;
    while (*text != 0 && *text != '=' && !separator(*text)) ++text;
    const size_t key_size = static_cast<size_t>(text - key);
    if (*text != '=') refuse("missing value for", key, key_size);
    const char* value = ++text;
    if (*value == '\'' || *value == '"') {
      ++value;
      for (++text; *text != 0 && *text != value[-1];) ++text;
      if (*text == 0) refuse("missing closing quote for", key, key_size);
      set(out, key, key_size, value, static_cast<size_t>(text - value));
      ++text;
    } else {
      while (*text != 0 && !separator(*text)) ++text;
      set(out, key, key_size, value, static_cast<size_t>(text - value));
    }
  }
}

constinit Options storage;
constinit bool parsed = false;

}  // namespace

const Options& options() {
  if (__builtin_expect(!parsed, 0)) {
    parsed = true;  // before parsing: what refuses may be asked for its options
    if (const char* text = getenv("HEDDLE_OPTIONS")) parse(storage, text);
    if (storage.help) {
      print_line(1, "HEDDLE_OPTIONS=key=value:key=value. Quote a value that contains ':', ',' or a space.\n");
      visit_options(print_option);
      _exit(0);
    }
  }
  return storage;
}

const char* name_of_option(bool Options::* flag) {
  static constexpr Options some;
  const auto offset = reinterpret_cast<const char*>(&(some.*flag)) - reinterpret_cast<const char*>(&some);
  for (const Entry& entry : kEntries) {
    if (entry.offset == static_cast<size_t>(offset)) return entry.name;
  }
  return "";
}

void visit_options(void (*visit)(const OptionInfo& option)) {
  const Options defaults;
  for (const Entry& entry : kEntries) {
    const char* field = reinterpret_cast<const char*>(&defaults) + entry.offset;
    char number[16];
    const char* shown = field;
    if ((entry.type == Type::choice || entry.type == Type::when) && static_cast<Choice>(*field) == Choice::automatic) {
      shown = "auto";
    } else if (entry.type != Type::text) {
      uint32_t value = 0;
      memcpy(&value, field, entry.type == Type::number ? sizeof value : 1);
      size_t n = sizeof number - 1;
      number[n] = 0;
      do number[--n] = static_cast<char>('0' + value % 10);
      while ((value /= 10) != 0);
      shown = number + n;
    }
    visit({entry.name, values_of(entry.type), shown, entry.meaning});
  }
}

}  // namespace heddle::rt
