/* SPDX-License-Identifier: MIT */
#include "cli/pfm.h"

#include "base/load.h"

#include <perfmon/pfmlib_perf_event.h>
#include <string.h>

static struct pfm {
	__typeof__(pfm_initialize) *initialize;
	__typeof__(pfm_get_os_event_encoding) *encode;
	__typeof__(pfm_strerror) *error_text;
} pfm;

static const struct wn_load_function functions[] = {
    {"pfm_initialize", offsetof(struct pfm, initialize)},
    {"pfm_get_os_event_encoding", offsetof(struct pfm, encode)},
    {"pfm_strerror", offsetof(struct pfm, error_text)},
    {NULL, 0},
};
static const struct wn_load_library pfm_library = {"libpfm4", "libpfm.so.4", "libpfm4", functions};

const char *
pfm_missing(void)
{
	static bool is_tried;
	static wn_err err;
	static const char *why;
	static void *handle; /* until the end of the process */
	if (is_tried)
		return why;
	is_tried = true;
	if (wn_load(&pfm_library, &pfm, &handle, &err) != WN_OK) {
		why = err.msg;
	} else {
		int error = pfm.initialize();
		why = error == PFM_SUCCESS ? NULL : pfm.error_text(error);
	}
	return why;
}

bool
pfm_find(const char *name, struct perf_event_attr *attr, const char **why)
{
	*why = pfm_missing();
	if (*why)
		return false;
	pfm_perf_encode_arg_t arg;
	memset(attr, 0, sizeof *attr);
	memset(&arg, 0, sizeof arg);
	attr->size = sizeof *attr;
	arg.attr = attr;
	arg.size = sizeof arg;
	int error = pfm.encode(name, PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (error == PFM_SUCCESS)
		return true;
	*why = pfm.error_text(error);
	return false;
}
