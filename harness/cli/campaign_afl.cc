// The histories that afl-fuzz leaves in its output directory: one of each instance.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "harness/cli/campaign_log.h"
#include "harness/cli/files.h"

namespace heddle::cli {
namespace fs = std::filesystem;
namespace {

double number(const std::string& text) { return std::clamp(std::strtod(text.c_str(), nullptr), 0.0, 1e15); }

// "start_time        : 1700000000" in each line.
std::map<std::string, std::string> read_pairs(const fs::path& path) {
  std::map<std::string, std::string> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (colon != line.npos) out[trimmed(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
  }
  return out;
}

// The first line of plot_data names the columns: "# relative_time, cycles_done, ...".
std::vector<HistoryPoint> read_points(const fs::path& path) {
  std::vector<HistoryPoint> out;
  std::map<std::string, size_t> columns;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> cells;
    std::stringstream rest(line.starts_with('#') ? line.substr(1) : line);
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(trimmed(cell));
    if (line.starts_with('#')) {
      for (size_t i = 0; i < cells.size(); ++i) columns[cells[i]] = i;
      continue;
    }
    const auto cell = [&](const char* name) {
      const auto at = columns.find(name);
      return at == columns.end() || at->second >= cells.size() ? 0.0 : number(cells[at->second]);
    };
    const double executions = cell("total_execs");
    if (executions > 0) out.push_back({.seconds = cell("relative_time"), .executions = static_cast<uint64_t>(executions)});
  }
  return out;
}

// The files have names such as id:000000,sig:06,src:000002,time:1234,execs:567,op:havoc,rep:2. The time is in milliseconds.
void add_findings(History::Search& search, const fs::path& directory, const char* kind) {
  std::error_code error;
  std::set<std::string> names;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) names.insert(at->path().filename());
  for (const std::string& name : names) {
    const size_t time = name.find(",time:");
    if (!name.starts_with("id:") || time == name.npos) continue;
    const fs::path instance = directory.parent_path().filename();
    search.findings.push_back({.seconds = number(name.substr(time + 6)) / 1000, .signature = {}, .kind = kind,
                               .place = (instance / directory.filename() / name.substr(0, name.find(','))).string()});
  }
}

History::Search read_instance(const fs::path& instance) {
  History::Search search;
  std::map<std::string, std::string> stats = read_pairs(instance / "fuzzer_stats");
  const double begin = number(stats["start_time"]), last_find = number(stats["last_find"]);
  search.begin = static_cast<int64_t>(begin);
  search.target = stats["afl_banner"];
  search.jobs = 1;
  search.points = read_points(instance / "plot_data");
  const HistoryPoint end = {.seconds = number(stats["run_time"]), .executions = static_cast<uint64_t>(number(stats["execs_done"]))};
  if (end.executions > 0 && (search.points.empty() || end.seconds >= search.points.back().seconds)) search.points.push_back(end);
  add_findings(search, instance / "crashes", "crash");
  add_findings(search, instance / "hangs", "hang");
  std::sort(search.findings.begin(), search.findings.end(),
            [](const HistoryFinding& a, const HistoryFinding& b) { return std::tie(a.seconds, a.place) < std::tie(b.seconds, b.place); });
  search.news = std::max(last_find > begin ? last_find - begin : 0, search.findings.empty() ? 0 : search.findings.back().seconds);
  return search;
}

}  // namespace

History history_of_afl(const std::string& directory) {
  History out;
  std::set<fs::path> instances;
  std::error_code error;
  if (fs::exists(fs::path(directory) / "fuzzer_stats", error)) instances.insert(fs::path(directory).lexically_normal());
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (fs::exists(at->path() / "fuzzer_stats", ignored)) instances.insert(at->path());
  }
  for (const fs::path& instance : instances) out.searches.push_back(read_instance(instance));
  std::erase_if(out.searches, [](const History::Search& search) { return search.points.empty(); });
  return out;
}

}  // namespace heddle::cli
