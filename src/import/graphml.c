/* SPDX-License-Identifier: MIT */
#include "import/frame.h"

#include "base/error.h"

wn_status
graphml_read(struct frame *f, const char *bytes, size_t n, wn_err *err)
{
	(void)bytes;
	(void)n;
	return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "%s:1: not a CSV file", f->path);
}
