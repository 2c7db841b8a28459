// What the history of a search says, as text and for the page.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/cli/campaign_log.h"
#include "harness/cli/files.h"
#include "harness/cli/markup.h"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

uint64_t number(const Json& line, const char* key) {
  const auto at = line.find(key);
  return at != line.end() && at->is_number_unsigned() ? at->get<uint64_t>() : 0;
}
double seconds(const Json& line, const char* key) {
  const auto at = line.find(key);
  return at != line.end() && at->is_number() ? std::clamp(at->get<double>(), 0.0, 1e12) : 0;
}
std::string text(const Json& line, const char* key) {
  const auto at = line.find(key);
  return at != line.end() && at->is_string() ? at->get<std::string>() : std::string();
}

void read_line(History& history, const Json& line) {
  if (line.contains("begin")) {
    History::Search search;
    search.begin = static_cast<int64_t>(number(line, "begin"));
    search.target = text(line, "target");
    search.jobs = static_cast<unsigned>(number(line, "jobs"));
    history.searches.push_back(std::move(search));
  }
  if (history.searches.empty()) return;
  History::Search& search = history.searches.back();
  if (line.contains("executions")) {
    search.points.push_back({seconds(line, "t"), number(line, "executions"), number(line, "orders"), number(line, "pairs"), number(line, "both_ways")});
    search.news = seconds(line, "news");
  } else if (line.contains("finding")) {
    search.findings.push_back({seconds(line, "t"), text(line, "signature"), text(line, "finding"), text(line, "place")});
  }
}

// What a target writes with stats_path: one point, the end.
History of_statistics(const Json& all) {
  History history;
  History::Search search;
  search.jobs = 1;
  search.points.push_back({seconds(all, "seconds"), number(all, "executions"), number(all, "orders"), number(all, "racing_pairs"), number(all, "racing_pairs_both_ways")});
  search.news = search.points[0].seconds;
  history.searches.push_back(std::move(search));
  return history;
}

std::string grouped(uint64_t n) {
  std::string out = std::to_string(n);
  for (size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

std::string duration(double time) {
  const auto whole = static_cast<uint64_t>(time);
  if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
  return whole >= 60 ? fmt::format("{} min {} s", whole / 60, whole % 60) : fmt::format("{:.1f} s", time);
}

// "2026-01-01 00:00", in UTC. (fmt's header for times would need more of fmt than fmt_functions.cc has.)
std::string minute(int64_t seconds) {
  const time_t t = seconds;
  char text[sizeof "2026-01-01 00:00"] = "";
  tm parts;
  if (gmtime_r(&t, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

}  // namespace

History read_history(const std::string& path) {
  const bool directory = std::filesystem::is_directory(path);
  const std::string file = directory ? fmt::format("{}/{}", path, kHistoryFile) : path;
  if (directory && !std::filesystem::exists(file)) {
    History history = history_of_afl(path);
    if (!history.searches.empty()) return history;
    throw Failure(kUsage, fmt::format("{} has no {}, and no fuzzer_stats of AFL++: it is no directory that heddle run or heddle fuzz has written (option -o)", path, kHistoryFile));
  }
  const auto bytes = read_file(file);
  const std::string all = valid_utf8({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const Json whole = Json::parse(all, nullptr, false);
  if (whole.is_object() && whole.contains("executions") && whole.contains("seconds")) return of_statistics(whole);
  History history;
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find('\n', begin), all.size());
    const Json line = Json::parse(all.substr(begin, end - begin), nullptr, false);
    if (line.is_object()) read_line(history, line);
    begin = end + 1;
  }
  std::erase_if(history.searches, [](const History::Search& search) { return search.points.empty(); });
  if (history.searches.empty()) throw Failure(kUsage, fmt::format("{}: no search is recorded there", file));
  return history;
}

std::string history_text(const History& history) {
  std::string out;
  for (const History::Search& search : history.searches) {
    const HistoryPoint& last = search.points.back();
    out += search.begin == 0 ? std::string("a search")
                             : fmt::format("{} UTC: {}, {} process{}", minute(search.begin), search.target, search.jobs, search.jobs == 1 ? "" : "es");
    out += fmt::format(", {}\n  executions        {}", duration(last.seconds), grouped(last.executions));
    if (last.seconds > 0) out += fmt::format(", {} a second", grouped(static_cast<uint64_t>(static_cast<double>(last.executions) / last.seconds)));
    out += "\n";
    // AFL++ does not know them.
    if (last.orders > 0) {
      out += fmt::format("  different orders  {}\n  racing pairs      {} of {} in both orders\n", grouped(last.orders), grouped(last.both_ways), grouped(last.pairs));
    }
    if (last.seconds > search.news) out += fmt::format("  last news         {} before the end\n", duration(last.seconds - search.news));
    out += fmt::format("  findings          {}\n", search.findings.size());
    for (const HistoryFinding& finding : search.findings) {
      out += fmt::format("    after {}: {} {}{}{}\n", duration(finding.seconds), finding.kind, finding.place, finding.signature.empty() ? "" : " ", finding.signature);
    }
  }
  return out;
}

std::string history_json(const History& history) {
  Json searches = Json::array();
  for (const History::Search& search : history.searches) {
    Json points = Json::array(), findings = Json::array();
    for (const HistoryPoint& p : search.points) {
      points.push_back({{"t", p.seconds}, {"executions", p.executions}, {"orders", p.orders}, {"pairs", p.pairs}, {"both_ways", p.both_ways}});
    }
    for (const HistoryFinding& f : search.findings) findings.push_back({{"t", f.seconds}, {"kind", f.kind}, {"place", f.place}, {"signature", f.signature}});
    searches.push_back({{"begin", search.begin}, {"target", search.target}, {"jobs", search.jobs}, {"news", search.news}, {"points", points}, {"findings", findings}});
  }
  return Json{{"searches", searches}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace heddle::cli
