#include "analyses/report/split_variable.h"

namespace heddle::rt {
namespace {

constexpr std::string_view kBlock = ".body";

// Cuts it off. False: the text does not end so.
bool take_block(std::string_view& text) {
  const bool block = text.size() >= kBlock.size() && text.substr(text.size() - kBlock.size()) == kBlock;
  if (block) text.remove_suffix(kBlock.size());
  return block;
}

// The length without ".0", if it has such an ending.
size_t length_without_number(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  const bool numbered = last != std::string_view::npos && last != 0 && last + 1 < name.size() && name[last] == '.';
  return numbered ? last : name.size();
}

// The body of a fuzz test is the one function that a reader expects: its name would only fill the rows.
std::string_view without_body(std::string_view symbol) {
  for (const std::string_view body : {"LLVMFuzzerTestOneInput", "heddle_body_of_"}) {
    if (!symbol.starts_with(body)) continue;
    const size_t scope = symbol.find("::");
    if (scope != std::string_view::npos) return symbol.substr(scope + 2);
    if (symbol.size() > body.size() + 1 && symbol[body.size()] == '.') return symbol.substr(body.size() + 1);  // in C
  }
  return symbol;
}

}  // namespace

SplitVariable split_variable(std::string_view symbol) {
  symbol = without_body(symbol);
  if (const size_t ending = symbol.find(" (."); ending != std::string_view::npos) {
    std::string_view part = symbol.substr(ending + 2, symbol.size() - ending - 3);
    const bool block = take_block(part);
    return {symbol.substr(0, ending), part, block};
  }
  std::string_view rest = symbol;
  bool block = take_block(rest);
  size_t length = length_without_number(rest);
  if (block && length == rest.size()) {  // in C, "f.body" can be the variable `body` of the function f
    block = false;
    rest = symbol;
    length = symbol.size();
  }
  return {rest.substr(0, length), rest.substr(length), block};
}

}  // namespace heddle::rt
