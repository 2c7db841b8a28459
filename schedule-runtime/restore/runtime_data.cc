#include "restore/runtime_data.h"

#include <elf.h>
#include <string.h>

#include <algorithm>

#include "base/elf.h"
#include "base/reserved_array.h"
#include "base/runtime_names.h"

namespace heddle::rt {
namespace {

// Two variables with no other variable between them form one piece: the space between them is padding.
constexpr size_t kGap = 64;

struct Variable {
  uintptr_t begin, end;
  bool of_a_runtime;
};

struct Survey {
  uintptr_t load_bias;
  Variable* variables;
  size_t count = 0;
  bool in_program = false;  // harness/link/user_data_begin.c, end_of_program.c
  bool runtime_unit = false;

  void take(const RawSymbol& symbol) {
    if (symbol.type == STT_FILE) {
      runtime_unit = names_runtime_unit(symbol.name);
      return;
    }
    if (strcmp(symbol.name, "heddle_begin_of_program") == 0) in_program = true;
    if (strcmp(symbol.name, "heddle_end_of_program") == 0) in_program = false;
    if (!symbol.defined || symbol.size == 0 || (symbol.type != STT_OBJECT && symbol.type != STT_NOTYPE && symbol.type != STT_COMMON)) return;
    const bool of_its_unit = symbol.local && runtime_unit && !in_program;
    const uintptr_t begin = load_bias + symbol.start;
    variables[count++] = {begin, begin + symbol.size, of_its_unit || names_runtime_variable(symbol.name)};
  }
};

void count_symbol(const RawSymbol&, void* count) { ++*static_cast<size_t*>(count); }

}  // namespace

RuntimeData find_runtime_data(uintptr_t load_bias) {
  const Image image = map_file("/proc/self/exe");
  size_t capacity = 0;
  if (!each_symbol(image, count_symbol, &capacity) || capacity == 0) {
    unmap_file(image);
    return {.stripped = true};
  }
  const size_t bytes = capacity * sizeof(Variable);
  Survey survey{load_bias, static_cast<Variable*>(reserve_memory(bytes))};
  each_symbol(image, [](const RawSymbol& symbol, void* s) { static_cast<Survey*>(s)->take(symbol); }, &survey);
  unmap_file(image);

  Variable* const variables = survey.variables;
  std::sort(variables, variables + survey.count, [](const Variable& a, const Variable& b) { return a.begin < b.begin; });
  AddressRange* const ranges = static_cast<AddressRange*>(reserve_memory(capacity * sizeof(AddressRange)));
  size_t count = 0;
  bool follows = false;
  for (size_t i = 0; i < survey.count; ++i) {
    const Variable& v = variables[i];
    if (!v.of_a_runtime) {
      follows = false;
      continue;
    }
    if (follows && v.begin <= ranges[count - 1].end + kGap) ranges[count - 1].end = std::max(ranges[count - 1].end, v.end);
    else ranges[count++] = {v.begin, v.end};
    follows = true;
  }
  unmap_pages(variables, bytes);
  return {ranges, count};
}

}  // namespace heddle::rt
