// Variables and functions shared by the parts of the program.
#pragma once

#ifdef __cplusplus
inline int heddle_test_inline = 21;
template <class T>
int heddle_test_template = 31;
extern "C" {
#endif
extern int heddle_test_tentative;
int heddle_test_archive(void);
void heddle_test_bump_archive(void);
int heddle_test_library(void);
void heddle_test_bump_library(void);
int heddle_test_bare_library(void);
void heddle_test_bump_bare_library(void);
int heddle_test_runtime(void);
void heddle_test_bump_runtime(void);
#ifdef __cplusplus
}
#endif
