#include "analyses/report/split_variable.h"

namespace heddle::rt {
namespace {

constexpr std::string_view kBlock = ".body";

bool ends_with(std::string_view text, std::string_view end) { return text.size() > end.size() && text.substr(text.size() - end.size()) == end; }

// Without ".0", if it has such an ending.
std::string_view without_number(std::string_view name) {
  const size_t last = name.find_last_not_of("0123456789");
  const bool numbered = last != std::string_view::npos && last != 0 && last + 1 < name.size() && name[last] == '.';
  return numbered ? name.substr(0, last) : name;
}

}  // namespace

SplitVariable split_variable(std::string_view symbol) {
  if (const size_t ending = symbol.find(" (."); ending != std::string_view::npos) {
    const std::string_view parts = symbol.substr(ending + 2, symbol.size() - ending - 3);
    const bool block = parts == kBlock || ends_with(parts, kBlock);
    return {symbol.substr(0, ending), !block, block};
  }
  // In C, "f.body" can be the variable `body` of the function f.
  const bool block = ends_with(symbol, kBlock) && without_number(symbol.substr(0, symbol.size() - kBlock.size())).size() + kBlock.size() < symbol.size();
  const std::string_view name = without_number(block ? symbol.substr(0, symbol.size() - kBlock.size()) : symbol);
  return {name, !block && name.size() < symbol.size(), block};
}

}  // namespace heddle::rt
