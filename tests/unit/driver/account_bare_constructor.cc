#include <cstdlib>
#include <string>

std::string value(getenv("HOME") != nullptr ? "home" : "none");
int bare_with_constructor() { return static_cast<int>(value.size()); }
