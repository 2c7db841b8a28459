// Code that uses the header and is built without the runtime.
#include <heddle/heddle.h>

int main() { return heddle::under_control() || !heddle::payload().empty() ? 1 : 0; }
