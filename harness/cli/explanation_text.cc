#include "harness/cli/explanation_text.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "harness/cli/condition_text.h"
#include "harness/cli/data_text.h"
#include "harness/cli/named_lines.h"
#include "harness/cli/one_way_text.h"
#include "harness/cli/operation_words.h"

namespace heddle::cli {
namespace {

bool is_about_happening(const Explanation& e, size_t n) { return n < e.happens.size() && e.happens[n]; }

// The n-th condition.
std::string condition_text(const Explanation& e, size_t n, OperationWords& words) {
  if (is_about_happening(e, n) && !is_interruption(e.conditions[n])) return words(std::get<Order>(e.conditions[n]).first) + " happens";
  const bool skipped = n < e.skipped.size() && e.skipped[n];
  return condition_text(e.conditions[n], n < e.timed.size() && e.timed[n], words) + (skipped ? ", which then does not come" : "");
}

// "y comes between x and z" for x before y and y before z; else one after the other.
std::string all_text(const Explanation& e, OperationWords& words) {
  const std::vector<Condition>& conditions = e.conditions;
  std::vector<bool> said(conditions.size());
  std::vector<std::string> parts;
  const auto order = [&](size_t i) { return std::get_if<Order>(&conditions[i]); };
  for (size_t i = 0; i < conditions.size(); ++i) {
    for (size_t j = 0; j < conditions.size() && !said[i]; ++j) {
      if (i == j || said[j] || order(i) == nullptr || order(j) == nullptr || is_about_happening(e, i) || is_about_happening(e, j) ||
          !(order(i)->second == order(j)->first))
        continue;
      if (order(i)->first.thread != order(j)->second.thread) continue;
      const std::string y = words(order(j)->first), x = words(order(i)->first);
      parts.push_back(fmt::format("{} comes between {} and {}", y, x, words(order(j)->second)));
      said[i] = said[j] = true;
    }
  }
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (!said[i]) parts.push_back(condition_text(e, i, words));
  }
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? "" : i + 1 == parts.size() ? ", and " : ", ") + parts[i];
  return out;
}

std::string counts_text(const Explanation& e) {
  std::string without;
  if ((e.assumes & kNoSpuriousWakes) != 0) without = "spurious wake-ups";
  if ((e.assumes & kPatientTimeouts) != 0)
    without += (without.empty() ? "" : " and ") + std::string("early time-outs");
  std::string out = fmt::format("Counted in executions under random schedules{}{}:\n",
                                without.empty() ? "" : " without ", without);
  const auto& row = counted_row;
  if (e.conditions.empty()) return out + row("nothing demanded", e.with);
  const char* const this_order =
      e.conditions.size() == 1 ? "this demanded" : "all of this demanded";
  if (can_be_demanded(e.conditions)) out += row(this_order, e.enforced);
  if (e.demanded != e.enforced.runs)
    out += fmt::format("    (in {} more it was demanded, and did not come about)\n", e.demanded - e.enforced.runs);
  for (size_t i = 0; i < e.conditions.size(); ++i) {
    const std::string which = e.conditions.size() == 1 ? "" : fmt::format(" of [{}]", i + 1);
    if (!can_be_demanded(e.conditions[i])) continue;
    if (e.opposite[i].runs != 0)
      out += row(fmt::format("the opposite{} demanded", which), e.opposite[i]);
    else if (has_opposite(e.conditions[i]))
      out += fmt::format("  the opposite{} never came about\n", which);
    else
      out += fmt::format("  no schedule can demand the opposite{}\n", which);
  }
  out += row("nothing demanded, and it came so by chance", e.with);
  out += row("nothing demanded, and it did not", e.without);
  if (!can_be_demanded(e.conditions)) out += "  (no schedule can demand it)\n";
  return out;
}

// Of all that is counted.
size_t findings_elsewhere(const Explanation& e) {
  size_t n = e.enforced.elsewhere + e.with.elsewhere + e.without.elsewhere;
  for (const Tally& tally : e.opposite) n += tally.elsewhere;
  return n;
}

std::string verdict(const Explanation& e, OperationWords& words) {
  if (e.is_chain()) return fmt::format("The finding comes if {} conditions hold together. No few of them decide.\n", e.one_way.size());
  if (!e.found && !e.random.empty()) return "A random byte decides. No order of operations was found that does.\n";
  if (!e.found) {
    return "No few conditions were found that decide whether the finding comes.\n";
  }
  const Tally all = e.held();
  const std::string what = e.conditions.empty() ? "" : all_text(e, words);
  if (all.runs == 0) {
    return fmt::format(
        "Perhaps the finding comes if {}. This did not come about again, so it is a "
        "guess.\n",
        what);
  }
  if (all.findings != all.runs) {
    return fmt::format(
        "The finding mostly comes{}{}: in {} of {} executions in which this was "
        "so.\n",
        what.empty() ? "" : " if ", what, all.findings, all.runs);
  }
  if (all.runs == 1) {
    return fmt::format("The finding came in the only execution {}. This is not sure.\n",
                       what.empty() ? "that there was time for, in no special order" : "in which " + what);
  }
  if (e.conditions.empty() && all.runs < e.kEnough) {
    return fmt::format(
        "The finding came in all of {} executions, in any order. They are few, so this is not sure.\n",
        all.runs);
  }
  if (e.conditions.empty()) {
    return fmt::format(
        "The finding does not depend on the order: it came in all of {} "
        "executions.\n",
        all.runs);
  }
  if (all.runs < e.kEnough) {
    return fmt::format(
        "The finding came in all of {} executions in which {}. They are few, so this "
        "is not sure.\n",
        all.runs, what);
  }
  if (e.necessary()) return fmt::format("The finding comes if and only if {}.\n", what);
  return fmt::format(
      "The finding comes if {}. There are other ways to it: it also came where this "
      "is not so.\n",
      what);
}

// What is true of few runs without the finding decides little.
std::string mostly_text(const Explanation& e) {
  constexpr size_t kMostOfTen = 8;
  if (!e.found || e.conditions.empty() || e.without.runs < e.kEnough || e.without.findings * 10 < e.without.runs * kMostOfTen) return {};
  return fmt::format("The finding comes in most orders: in {} of {} random schedules. So look first at what the threads do, and then at their order.\n",
                     e.with.findings + e.without.findings, e.with.runs + e.without.runs);
}

// Threads that do the same are only told apart by their names.
std::string same_code_text(const Explanation& e) {
  std::map<std::pair<SiteId, Kind>, std::set<ThreadId>> doers;
  for (const Condition& condition : e.conditions) {
    const Order* const order = std::get_if<Order>(&condition);
    if (order == nullptr || !is_exact(*order)) continue;
    for (const Element& element : {order->first, order->second}) doers[{element.site, element.kind}].insert(element.thread);
  }
  for (const auto& [operation, threads] : doers) {
    if (threads.size() < 2) continue;
    std::string out;
    for (const ThreadId thread : threads) out += (out.empty() ? "" : thread == *threads.rbegin() ? " and " : ", ") + thread_name(thread);
    return out + " run the same code: note which of them each part names.\n";
  }
  return {};
}

}  // namespace

std::vector<std::string> untried_words(const Explanation& e, size_t runs) {
  std::vector<std::string> out;
  for (const Untried what : e.untried) {
    switch (what) {
      case Untried::orders: out.emplace_back("which order decides"); break;
      case Untried::causes: out.emplace_back("whether what is named follows from something else"); break;
      case Untried::others: out.emplace_back("other conditions"); break;
      case Untried::races: out.emplace_back("the order of accesses to ordinary variables"); break;
      case Untried::data: out.emplace_back("all values of the data bytes"); break;
      case Untried::executions: out.push_back(fmt::format("{} executions for each count", runs)); break;
    }
  }
  return out;
}

std::vector<SiteId> sites_in(const Explanation& explanation) {
  std::unordered_set<SiteId> sites;
  for (const std::vector<Condition>* conditions : {&explanation.conditions, &explanation.one_way}) {
    for (const Condition& condition : *conditions) add_sites(condition, sites);
  }
  return {sites.begin(), sites.end()};
}

std::string explanation_text(const Explanation& e, const SiteNames& names,
                             const OperationPlaces& places) {
  OperationWords words(names, places);
  std::string out = mostly_text(e) + verdict(e, words);
  if (e.for_some_threads) out += "The same can happen with other threads in these roles.\n";
  out += same_code_text(e);
  std::string otherwise;
  size_t others = 0;
  for (size_t i = 0; i < e.differs.size(); ++i) {
    others += e.differs[i];
    if (e.differs[i]) otherwise += fmt::format("{}[{}]", otherwise.empty() ? "" : ", ", i + 1);
  }
  if (e.conditions.size() > 1) {
    for (size_t i = 0; i < e.conditions.size(); ++i) {
      OperationWords own(names, places);
      out += fmt::format("  [{}] {}\n", i + 1, condition_text(e, i, own));
    }
  }
  if (!otherwise.empty() && e.conditions.size() > 1)
    out += fmt::format("In the most similar run without the finding, {} {} not so.\n", otherwise, others == 1 ? "is" : "are");
  if (e.found && e.necessary() && e.sure()) {
    out += e.conditions.size() > 1 ? "Each of them is needed: a repair makes one of them impossible, or harmless.\n"
                                   : "A repair makes this impossible, or harmless.\n";
  }
  out += named_lines_text(words.named());
  for (const std::string& object : words.objects()) out += fmt::format("  {}\n", object);
  if (e.found) out += "\n" + counts_text(e);
  if (!e.sure() && (!e.found || !e.one_way.empty())) out += (e.found ? "\n" : "") + one_way_text(e, names, places);
  if (const size_t n = findings_elsewhere(e); n != 0)
    out += fmt::format("  {} of these findings {} of the same kind at another place\n", n, n == 1 ? "is" : "are");
  if (e.other_findings != 0)
    out +=
        e.other_findings == 1
            ? "  1 execution had another finding, and is not counted\n"
            : fmt::format("  {} executions had another finding, and are not counted\n",
                          e.other_findings);
  return out + data_text(e);
}

}  // namespace heddle::cli
