#include "harness/cli/campaign_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "harness/cli/printed_report.h"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeastSeconds = 1, kPartOfTime = 0.02;  // between two lines

std::string dump(const Json& line) { return line.dump(-1, ' ', false, Json::error_handler_t::replace); }

double rounded(double seconds) { return static_cast<double>(static_cast<int64_t>(seconds * 100)) / 100; }

}  // namespace

CampaignLog::CampaignLog(const std::string& out, const std::string& target, unsigned jobs) {
  file_ = open(fmt::format("{}/{}", out, kHistoryFile).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  write(dump({{"begin", static_cast<int64_t>(std::time(nullptr))}, {"target", target}, {"jobs", jobs}}));
}

CampaignLog::~CampaignLog() {
  if (file_ >= 0) close(file_);
}

// In one call, so that the lines of two searches do not mix.
void CampaignLog::write(const std::string& line) {
  const std::string whole = line + "\n";
  if (file_ >= 0 && ::write(file_, whole.data(), whole.size()) < 0) return;
}

void CampaignLog::write_state(const CampaignState& state) {
  write(dump({{"t", rounded(state.seconds)}, {"executions", state.figures.executions}, {"orders", state.figures.orders}, {"pairs", state.figures.pairs},
              {"both_ways", state.figures.both_ways}, {"news", rounded(std::max(0.0, state.seconds - state.seconds_since_news))}}));
}

void CampaignLog::write_findings(const CampaignState& state, const std::vector<CampaignFinding>& findings) {
  for (; told_ < findings.size(); ++told_) {
    const CampaignFinding& finding = findings[told_];
    write(dump({{"t", rounded(state.seconds)}, {"finding", kind_in_summary(finding.summary)}, {"place", place_in_summary(finding.summary)}, {"signature", finding.signature}}));
  }
}

void CampaignLog::look(const CampaignState& state, const std::vector<CampaignFinding>& findings) {
  write_findings(state, findings);
  if (state.seconds < next_) return;
  write_state(state);
  next_ = state.seconds + std::max(kLeastSeconds, state.seconds * kPartOfTime);
}

void CampaignLog::end(const CampaignState& state, const std::vector<CampaignFinding>& findings) {
  write_findings(state, findings);
  write_state(state);
}

}  // namespace heddle::cli
