#include "go_on_body.h"

int main() { go_on::body(); }
