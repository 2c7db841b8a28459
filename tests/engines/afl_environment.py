"""The environment with which afl-fuzz runs without a terminal and with any settings of the machine."""

UNATTENDED = {
    "AFL_NO_UI": "1",
    "AFL_SKIP_CPUFREQ": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
    "AFL_NO_AFFINITY": "1",
    "AFL_ALLOW_TMP": "1",
}
