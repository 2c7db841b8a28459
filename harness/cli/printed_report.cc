#include "harness/cli/printed_report.h"

#include <cstdlib>
#include <regex>
#include <sstream>

namespace heddle::cli {
namespace {

// Where the words after "SUMMARY: NAME: " begin.
size_t begin_of_kind(const std::string& summary) {
  constexpr char kWord[] = "SUMMARY: ";
  const size_t at = summary.find(kWord);
  const size_t colon = at == std::string::npos ? at : summary.find(": ", at + sizeof kWord - 1);
  return colon == std::string::npos ? colon : colon + 2;
}

// Of the frames that have a source line.
std::vector<std::string> places_of_frames(const std::string& frames) {
  static const std::regex kFrame("^    #\\d+ 0x[0-9a-f]+ in .* (\\S+:\\d+(:\\d+)?)$");
  std::vector<std::string> out;
  std::istringstream lines(frames);
  std::string line;
  for (std::smatch frame; std::getline(lines, line) && line.starts_with("    #");) {
    if (std::regex_match(line, frame, kFrame)) out.push_back(frame[1]);
  }
  return out;
}

}  // namespace

uint64_t signature_in(const std::string& output) {
  constexpr char kWord[] = "\nSignature: ";
  const size_t at = output.find(kWord);
  return at == std::string::npos ? 0 : std::strtoull(output.c_str() + at + sizeof kWord - 1, nullptr, 16);
}

std::string what_happened(const std::string& output) {
  const size_t header = output.find("ERROR: HeddleSanitizer: ");
  const size_t begin = header == std::string::npos ? header : output.find('\n', header);
  const size_t end = begin == std::string::npos ? begin : output.find("\n\n", begin);
  return end == std::string::npos ? std::string() : output.substr(begin + 1, end - begin);
}

std::string interleaving_of(const std::string& output) {
  const size_t begin = output.find("The interleaving, ");
  if (begin == std::string::npos) return {};
  size_t end = output.find("\nThreads:\n", begin);
  if (end == std::string::npos) end = output.find("\n\n", begin);
  return output.substr(begin, end == std::string::npos ? end : end + 1 - begin);
}

std::string without_source(std::string output) {
  const size_t begin = output.find("\nThe lines with a star:\n");
  const size_t end = begin == std::string::npos ? begin : output.find("\n\n", begin + 1);
  return end == std::string::npos ? output : output.erase(begin, end + 1 - begin);
}

std::string with_replay(std::string output, const std::string& command) {
  constexpr char kWord[] = "\nTo replay: ";
  const size_t at = output.find(kWord);
  if (at == std::string::npos) return output;
  const size_t begin = at + sizeof kWord - 1, end = output.find('\n', begin);
  return output.replace(begin, end == std::string::npos ? end : end - begin, command);
}

std::string kind_in_summary(const std::string& summary) {
  const size_t at = begin_of_kind(summary);
  return at == std::string::npos ? "failure" : summary.substr(at, summary.find(' ', at) - at);
}

std::string place_in_summary(const std::string& summary) {
  const size_t at = begin_of_kind(summary);
  const size_t space = at == std::string::npos ? at : summary.find(' ', at);
  return space == std::string::npos ? std::string() : summary.substr(space + 1);
}

std::string function_in_summary(const std::string& summary) {
  const std::string place = place_in_summary(summary);
  const size_t at = place.find(" in ");
  return at == std::string::npos ? place : place.substr(at + 4);
}

std::string free_in(const std::string& output) {
  // heddle's "main.1 freed it earlier, here:", AddressSanitizer's "freed by thread T4 (main.1) here:".
  static const std::regex kTitle("\n\\S+ freed it earlier, here:\n|\nfreed by thread [^\n]* here:\n");
  std::smatch title;
  if (!std::regex_search(output, title, kTitle)) return {};
  // Before the first frame with a source line are free() and operator delete.
  const std::vector<std::string> places = places_of_frames(title.suffix());
  return places.empty() ? std::string() : places.front();
}

std::vector<std::string> stack_in(const std::string& output) {
  const size_t at = output.find("\n    #0 ");
  return at == std::string::npos ? std::vector<std::string>() : places_of_frames(output.substr(at + 1));
}

}  // namespace heddle::cli
