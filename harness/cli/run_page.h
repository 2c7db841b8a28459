// The page of a run: one file of HTML with everything in it.
#pragma once

#include <string>

#include "harness/cli/run_model.h"

namespace heddle::cli {

// `source`: with the lines of the program's files, as far as they can be read here.
std::string run_page(const RunModel& model, bool source);

// The page's data, without the template.
std::string run_page_data(const RunModel& model, bool source);

// A template of harness/cli/page with this title and these data in it. Neither can end the element that it is in.
std::string filled_page(std::string page, const std::string& title, const std::string& json);

// Whether these bytes begin as a page of heddle does.
bool is_page_of_heddle(std::string_view bytes);

}  // namespace heddle::cli
