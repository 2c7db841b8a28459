#include "heddle/heddle.h"

HEDDLE_KEEP_EVERYTHING()
