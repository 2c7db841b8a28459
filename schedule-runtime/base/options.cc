#include "base/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/line.h"

namespace heddle::rt {
namespace {

enum class Type { flag, choice, number, text };

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
    HEDDLE_FLAG(help, "print this list and end"),
    HEDDLE_FLAG(stats, "print heddle's figures when the process ends"),
    HEDDLE_FLAG(account, "print what was controlled, and what was not, when the process ends"),
    HEDDLE_FLAG(verify, "end at the start if instrumentation or interception do not act; 0: only warn"),
    HEDDLE_FLAG(report_leaks, "threads left blocked at the end are a finding"),
    HEDDLE_FLAG(report_races, "data races are a finding"),
    HEDDLE_FLAG(report_livelock, "threads that spin for ever are a finding"),
    HEDDLE_FLAG(report_misuse, "misuse of a primitive is a finding"),
    HEDDLE_FLAG(report_exit, "an exit code other than 0 of a whole program is a finding"),
    HEDDLE_FLAG(report_abort, "abort and a failed assertion are a finding; 0: of a whole program, they just end it"),
    HEDDLE_FLAG(exit_on_finding, "end the process at the first finding; 0: report, count, go on"),
    HEDDLE_CHOICE(symbolize, "source lines in reports, by llvm-symbolizer; auto: not under afl-fuzz, where nobody reads them"),
    HEDDLE_FLAG(check_watching, "for tests of heddle: make each execution without the race detector and with it, and end if they differ"),
    HEDDLE_NUMBER(features, "most features that a run reports to the engine"),
    HEDDLE_NUMBER(report_rows, "operations in a report's interleaving before the rest is left out; 0: all"),
    HEDDLE_NUMBER(report_width, "columns of a report; 0: the terminal's, or 120"),
    HEDDLE_TEXT(mode, "how inputs are made: mixed, or the name of a system that does it its own way (docs/reference/modes.md)"),
    HEDDLE_TEXT(suppressions, "file of findings that are not to be reported, in the sanitizers' format"),
    HEDDLE_TEXT(args, "arguments of a whole program, quoted as for a shell; @@ is the name of a file with the data bytes"),
    {"stdin", Type::flag, offsetof(Options, stdin_payload), sizeof(bool), "the data bytes are a whole program's standard input; 0: it is empty"},
    HEDDLE_TEXT(restore, "how a whole program is put back to its start: process, fork, or auto, which finds out"),
    HEDDLE_TEXT(program, "1: run a whole program as it is, without the engine; 0: never; auto: when a build starts it"),
    HEDDLE_TEXT(trace_path, "file for the trace of each run; the last run wins"),
    HEDDLE_TEXT(trace_text, "the same as text"),
    HEDDLE_TEXT(sites_path, "file for the table of all code positions met"),
    HEDDLE_TEXT(sites_wanted, "file of positions' numbers, in hexadecimal, that are to be in that table, met or not"),
};

[[noreturn]] void refuse(const char* what, const char* text, size_t size) {
  print_line(2, "heddle: HEDDLE_OPTIONS: %s '%.*s' (a value with ':', ',' or a space stands in quotes); HEDDLE_OPTIONS=help=1 lists the options\n", what,
             static_cast<int>(size), text);
  _exit(2);
}

void print_help(const Options& defaults) {
  print_line(1, "HEDDLE_OPTIONS=key=value:key=value, a value with ':', ',' or a space in quotes\n");
  for (const Entry& entry : kEntries) {
    const char* field = reinterpret_cast<const char*>(&defaults) + entry.offset;
    char number[16];
    const char* shown = field;
    if (entry.type == Type::choice && static_cast<Choice>(*field) == Choice::automatic) {
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
    print_line(1, "  %-16s %s (%s)\n", entry.name, entry.meaning, *shown != 0 ? shown : "none");
  }
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
      case Type::number:
        if (!parse_number(value, value_size, 999999999, number)) refuse("expected a number for", key, key_size);
        memcpy(field, &number, sizeof number);
        return;
      case Type::text:
        if (value_size >= entry.size) refuse("too long a value for", key, key_size);
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
    if (*text != '=') refuse("no value for", key, key_size);
    const char* value = ++text;
    if (*value == '\'' || *value == '"') {
      ++value;
      for (++text; *text != 0 && *text != value[-1];) ++text;
      if (*text == 0) refuse("no closing quote for", key, key_size);
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
      print_help(Options());
      _exit(0);
    }
  }
  return storage;
}

}  // namespace heddle::rt
