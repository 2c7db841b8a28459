// keeps_state.cc as a whole program.
#define LLVMFuzzerTestOneInput test_one_input
#include "keeps_state.cc"

int main() { return test_one_input(nullptr, 0); }
