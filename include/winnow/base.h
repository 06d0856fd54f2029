/* SPDX-License-Identifier: MIT */
/*
 * base.h - definitions shared by all public Winnow headers: status codes, the error record,
 * attributes of exported functions.
 *
 * Every function that can fail returns a wn_status; details go to a wn_err owned by the caller. The
 * library prints nothing, keeps no "last error" and has no mutable globals.
 */
#ifndef WINNOW_BASE_H
#define WINNOW_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WN_API                          __attribute__((visibility("default")))
#define WN_MUST_CHECK                   __attribute__((warn_unused_result))
#define WN_PRINTF(fmt_index, first_arg) __attribute__((format(printf, fmt_index, first_arg)))

typedef enum wn_status {
	WN_OK = 0,
	WN_E_NOMEM = -1,    /* an allocation failed */
	WN_E_IO = -2,       /* the operating system refused an operation: open, read, write, map */
	WN_E_FORMAT = -3,   /* the bytes are not a trace, or break a validity rule beyond repair */
	WN_E_VERSION = -4,  /* a trace of a format version this build does not read */
	WN_E_EMPTY = -5,    /* a valid trace without events */
	WN_E_LIMIT = -6,    /* more grains than fit in 32-bit ids */
	WN_E_ARG = -7,      /* the caller passed an invalid argument */
	WN_E_INVARIANT = -8 /* an invariant of the graph is violated */
} wn_status;

/* Location and cause of a failure. Filled only on failure; `msg` is one line without a newline. */
typedef struct wn_err {
	wn_status code;
	uint64_t offset; /* byte in the file, or UINT64_MAX if not applicable */
	char msg[232];
} wn_err;

#define WN_NO_OFFSET UINT64_MAX

#ifdef __cplusplus
}
#endif

#endif /* WINNOW_BASE_H */
