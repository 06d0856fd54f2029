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
