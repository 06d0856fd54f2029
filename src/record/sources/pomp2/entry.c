/* SPDX-License-Identifier: MIT */
/* entry.c - the entry points as C and C++ call them. */
#include "pomp2_at.h"
#include "pomp2_runtime.h"

#include <string.h>

#define TEXT           const char text[] UNUSED
#define IN(type, name) type name
#define VALUE(name)    name
#define ASSIGN         pomp2_at_assign(handle, text)
#define GIVEN          text
#define N_TEXT_BYTES   strlen(text)
#define LOCK           lock
#define TEST           test

#define POMP2_ENTRY(type, c_name, fortran_name, parameters, call)                                  \
	__attribute__((visibility("default"))) type POMP2_##c_name parameters;                     \
	type POMP2_##c_name parameters                                                             \
	{                                                                                          \
		call;                                                                              \
	}
/* the pomp2_at functions assign it */
#define POMP2_ENTER(c_name, fortran_name, parameters, call)                                        \
	POMP2_ENTRY(void, c_name, fortran_name, parameters, call)
#include "entries.def"
