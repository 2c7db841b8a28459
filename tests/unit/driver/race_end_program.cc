#include "race_end.h"

int main() { race_body(); }
