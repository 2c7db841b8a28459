// The pages of harness/cli/page, with their styles and scripts in them. The build makes them one file each (cmake/EmbedPages.cmake).
#pragma once

#include <string_view>

namespace heddle::cli {

// "run.html"; empty: there is none of this name.
std::string_view embedded_page(std::string_view name);

}  // namespace heddle::cli
