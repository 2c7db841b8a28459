#include "exits.h"

int main() { exits::body(); }
