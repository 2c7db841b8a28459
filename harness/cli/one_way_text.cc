#include "harness/cli/one_way_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "harness/cli/condition_text.h"
#include "harness/cli/data_text.h"
#include "harness/cli/named_lines.h"

namespace heddle::cli {
namespace {

std::string heading(const Explanation& e) {
  const char* const whose = ", as in the minimized schedule (heddle minimize shows its run):\n";
  if (e.is_chain()) return std::string("All of this") + whose;
  if (!e.nonpreemptive && e.one_way.empty()) return "heddle minimize shows one way to it.\n";
  std::string out = std::string("One way to it") + whose;
  if (e.nonpreemptive)
    out += "  each thread runs until it has to wait" +
           std::string(e.one_way.empty() ? "" : ", but") + "\n";
  return out;
}

std::string counts_text(const Explanation& e) {
  std::string out = "\nCounted in executions under random schedules:\n" +
                    counted_row("all of this demanded, and it came so", e.one_way_held);
  for (size_t i = 0; i < e.one_way_without.size(); ++i) {
    if (e.one_way_without[i].runs != 0)
      out += counted_row(fmt::format("all but [{0}] demanded, and [{0}] was not so", i + 1),
                         e.one_way_without[i]);
  }
  return out;
}

}  // namespace

std::string counted_row(const std::string& what, const Tally& tally) {
  return fmt::format("  {:<44}{:>6} of {} have the finding\n", what, tally.findings, tally.runs);
}

std::string one_way_text(const Explanation& e, const SiteNames& names,
                         const OperationPlaces& places) {
  const bool chain = e.is_chain();
  const size_t kMostLines = chain ? kMaxDelays : 12;
  std::string out = heading(e);
  std::vector<std::string> named;
  for (size_t i = 0; i < std::min(e.one_way.size(), kMostLines); ++i) {
    OperationWords own(names, places);
    const std::string mark = chain ? fmt::format("[{}]", i + 1) : "-";
    out += fmt::format("  {} {}\n", mark, condition_text(e.one_way[i], false, own));
    named.insert(named.end(), own.named().begin(), own.named().end());
  }
  if (e.one_way.size() > kMostLines)
    out += fmt::format("  and {} more\n", e.one_way.size() - kMostLines);
  if (chain && e.each_is_needed)
    out +=
        "Each of them is needed: if one is not demanded, there are executions without the "
        "finding.\n";
  out += named_lines_text(named);
  if (chain) out += counts_text(e);
  if (e.same_order_passes && e.random.empty()) {
    out +=
        "The same operations in the same order also came without the finding. So the seed of the "
        "schedule decides, too: it\n"
        "draws the random bytes that the program gets, and other things that are no operations.\n";
  }
  if (e.same_order_passes && !e.random.empty())
    out += "The same operations in the same order also came without the finding.\n";
  return out + random_text(e) + "\n";
}

}  // namespace heddle::cli
