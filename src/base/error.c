/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdio.h>

wn_status
wn_fail(wn_err *err, wn_status code, uint64_t offset, const char *fmt, ...)
{
	if (err) {
		va_list args;
		err->code = code;
		err->offset = offset;
		va_start(args, fmt);
		vsnprintf(err->msg, sizeof err->msg, fmt, args);
		va_end(args);
	}
	return code;
}

wn_status
wn_no_memory(wn_err *err)
{
	return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory");
}

wn_status
wn_no_memory_for(wn_err *err, uint64_t n, const char *things)
{
	return wn_fail(err, WN_E_NOMEM, WN_NO_OFFSET, "out of memory for %llu %s",
	               (unsigned long long)n, things);
}
