#include "harness/cli/campaign.h"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <csignal>

#include <fmt/format.h>

#include "harness/cli/printed_report.h"
#include "harness/cli/target_process.h"

namespace heddle::cli {
namespace {

volatile std::sig_atomic_t stopped = 0;

constexpr unsigned kMostUseless = 5;  // processes in a row, for one place
constexpr double kSoon = 2;           // seconds
constexpr int kLook = 250;            // milliseconds
constexpr double kGraceSeconds = 10;  // to end after SIGINT
constexpr const char* kSaved = "Test unit written to ";

// libFuzzer's exit code after SIGINT.
constexpr int kInterrupted = 72;

bool has_option(const std::vector<std::string>& words, const char* beginning) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.starts_with(beginning); });
}

}  // namespace

void Campaign::stop() { stopped = 1; }

Campaign::Campaign(CampaignOptions options)
    : options_(std::move(options)),
      known_path_(options_.out + "/known.txt"),
      seen_path_(options_.out + "/races.txt"),
      artifacts_(options_.out + "/findings/") {
  stopped = 0;
  if (!options_.known.empty()) {
    const auto bytes = read_file(options_.known);
    known_text_.assign(bytes.begin(), bytes.end());
    if (!known_text_.empty() && known_text_.back() != '\n') known_text_ += '\n';
  }
  write_known();
  write_file(seen_path_, "", 0);
  for (unsigned i = 0; i < options_.jobs; ++i) {
    places_.emplace_back();
    places_.back().worker = std::make_unique<Worker>(fmt::format("{}/figures-{}", options_.out, i),
                                                     fmt::format("{}/log-{}.txt", options_.out, i), seen_path_);
  }
}

// What the processes take for known: the user's file, and what this campaign has found.
void Campaign::write_known() const {
  std::string text = known_text_;
  for (const CampaignFinding& finding : findings_) {
    if (!finding.signature.empty())
      text += fmt::format("{}  # {}\n", finding.signature, finding.summary);
  }
  write_file(known_path_, text.data(), text.size());
}

unsigned Campaign::seconds_left() const {
  const auto gone = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begun_).count();
  return gone < options_.seconds ? options_.seconds - static_cast<unsigned>(gone) : 0;
}

bool Campaign::over() const {
  return stopped != 0 || (options_.seconds != 0 && seconds_left() == 0) ||
         (options_.findings != 0 && findings_.size() >= options_.findings) ||
         std::all_of(places_.begin(), places_.end(), [](const Place& place) { return place.done; });
}

void Campaign::start(size_t number) {
  Place& place = places_[number];
  // Each process searches with another seed, also after a start.
  const unsigned seed =
      options_.seed + static_cast<unsigned>(number) + options_.jobs * place.starts++;
  std::vector<std::string> words = {runnable_path(options_.target),
                                    "-artifact_prefix=" + artifacts_,
                                    fmt::format("-seed={}", seed)};
  if (options_.seconds != 0)
    words.push_back(fmt::format("-max_total_time={}", std::max(1u, seconds_left())));
  if (!has_option(options_.words, "-timeout="))
    words.emplace_back("-timeout=60");  // libFuzzer's own limit is 20 minutes
  words.insert(words.end(), options_.words.begin(), options_.words.end());
  words.push_back(options_.out + "/corpus");
  words.insert(words.end(), options_.seeds.begin(), options_.seeds.end());
  place.saved.clear();
  place.worker->start(words, joined_options("known='" + known_path_ + "'"));
}

void Campaign::read_line(Place& place, const std::string& line) {
  const size_t saved = line.find(kSaved);
  if (saved != std::string::npos)
    place.saved.push_back(line.substr(saved + std::char_traits<char>::length(kSaved)));
  if (line.starts_with("#") && line.find("\tNEW ") != std::string::npos) news_ = Clock::now();
}

// True: it is a new one.
bool Campaign::note_finding(const Place& place) {
  const std::string& output = place.worker->output();
  const uint64_t signature = signature_in(output);
  const std::string name = signature != 0 ? fmt::format("{:016x}", signature) : std::string();
  std::string summary = summary_line(output);
  if (summary.empty()) summary = last_line(output);
  const auto same = [&](const CampaignFinding& f) {
    return f.signature == name && (!name.empty() || f.summary == summary);
  };
  auto finding = std::find_if(findings_.begin(), findings_.end(), same);
  const bool is_new = finding == findings_.end();
  if (is_new) finding = findings_.insert(finding, {name, summary, 0, {}});
  ++finding->count;
  finding->files.insert(finding->files.end(), place.saved.begin(), place.saved.end());
  if (is_new) {
    news_ = Clock::now();
    write_known();
  }
  return is_new;
}

void Campaign::ended(size_t number) {
  Place& place = places_[number];
  const Worker& worker = *place.worker;
  const int code = worker.exit_code();
  // At the end of the time, a process may not have come so far that libFuzzer handles the signal.
  const bool by_our_signal = ending_ && (code == 128 + SIGINT || code == 128 + SIGKILL);
  if (code == 0 || code == kInterrupted || stopped != 0 || by_our_signal) {
    place.done = true;
    return;
  }
  const bool saved = !place.saved.empty();
  if (!saved && signature_in(worker.output()) ==
                    0) {  // it did not search: a wrong option, a program without control
    place.done = true;
    failure_ = fmt::format("{} ended with exit code {}: {}", options_.target, code,
                           last_line(worker.output()));
    return;
  }
  const bool is_new = note_finding(place);
  place.useless = is_new || worker.seconds() > kSoon ? 0 : place.useless + 1;
  place.done = place.useless >= kMostUseless;
}

void Campaign::wait_for_output(const std::function<void(const Campaign&)>& show) {
  std::vector<pollfd> ready;
  std::vector<size_t> numbers;
  for (size_t i = 0; i < places_.size(); ++i) {
    if (!places_[i].worker->running()) continue;
    ready.push_back({places_[i].worker->descriptor(), POLLIN, 0});
    numbers.push_back(i);
  }
  poll(ready.data(), ready.size(), kLook);
  for (size_t i = 0; i < ready.size(); ++i) {
    Place& place = places_[numbers[i]];
    if (ready[i].revents != 0 &&
        !place.worker->read_output([&](const std::string& line) { read_line(place, line); }))
      ended(numbers[i]);
  }
  show(*this);
}

void Campaign::end_workers() {
  ending_ = true;
  for (const Place& place : places_) place.worker->interrupt(SIGINT);
  const Clock::time_point end =
      Clock::now() + std::chrono::milliseconds(static_cast<int>(kGraceSeconds * 1000));
  const auto running = [&] {
    return std::any_of(places_.begin(), places_.end(),
                       [](const Place& place) { return place.worker->running(); });
  };
  while (running() && Clock::now() < end) wait_for_output([](const Campaign&) {});
  for (const Place& place : places_) place.worker->interrupt(SIGKILL);
}

void Campaign::run(const std::function<void(const Campaign&)>& show) {
  while (!over()) {
    for (size_t i = 0; i < places_.size(); ++i) {
      if (!places_[i].done && !places_[i].worker->running()) start(i);
    }
    wait_for_output(show);
  }
  end_workers();
}

std::string Campaign::seen() const {
  const std::vector<uint8_t> bytes = read_file(seen_path_);
  return {bytes.begin(), bytes.end()};
}

CampaignState Campaign::state() const {
  CampaignState out = {};
  for (const Place& place : places_) {
    const LiveFigures figures = place.worker->total();
    out.figures.executions += figures.executions;
    out.figures.orders = std::max(out.figures.orders, figures.orders);
    out.figures.pairs = std::max(out.figures.pairs, figures.pairs);
    out.figures.both_ways = std::max(out.figures.both_ways, figures.both_ways);
    out.searching += place.worker->running();
  }
  const auto since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  out.seconds = since(begun_);
  out.seconds_since_news = since(news_);
  out.executions_a_second =
      out.seconds > 0 ? static_cast<double>(out.figures.executions) / out.seconds : 0;
  return out;
}

}  // namespace heddle::cli
