/* SPDX-License-Identifier: MIT */
/* fortran.c - the entry points as Fortran calls them: small letters, an underscore behind, all
 * arguments by reference, the length of a text behind the others. The text is not ended by a zero
 * byte; a handle is assigned from a copy, once. Logical values are 4-byte integers. */
#include "pomp2_at.h"
#include "pomp2_runtime.h"

#include <stddef.h>
#include <string.h>

#define COPY_BYTES 2048

/* Where the handle has been assigned, the text is not read. */
static void
assign(POMP2_Region_handle *handle, const char *text, size_t n_bytes)
{
	char copy[COPY_BYTES];
	if (__atomic_load_n(handle, __ATOMIC_ACQUIRE))
		return;
	if (n_bytes >= sizeof copy)
		n_bytes = sizeof copy - 1;
	memcpy(copy, text, n_bytes);
	copy[n_bytes] = '\0';
	pomp2_at_assign(handle, copy);
}

#define TEXT           const char *text UNUSED, size_t n_bytes UNUSED
#define IN(type, name) const type *name
#define VALUE(name)    (*name)
#define ASSIGN         assign(handle, text, n_bytes)
#define GIVEN          NULL
#define N_TEXT_BYTES   n_bytes
#define LOCK           fortran_lock
#define TEST           fortran_test

#define POMP2_ENTRY(type, c_name, fortran_name, parameters, call)                                  \
	__attribute__((visibility("default"))) type pomp2_##fortran_name##_ parameters;            \
	type pomp2_##fortran_name##_ parameters                                                    \
	{                                                                                          \
		call;                                                                              \
	}
#define POMP2_ENTER(c_name, fortran_name, parameters, call)                                        \
	POMP2_ENTRY(void, c_name, fortran_name, parameters, ASSIGN; call)
#include "entries.def"
