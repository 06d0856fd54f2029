/* SPDX-License-Identifier: MIT */
#include "ranks/manifest_read.h"

#include "base/error.h"
#include "job/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads at most WN_MANIFEST_BYTES, so that a foreign file costs nothing. */
static wn_status
load(const char *path, const char *schema, json_t **out, wn_err *err)
{
	char text[WN_MANIFEST_BYTES + 1];
	json_error_t error;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
	int reason = errno;
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(reason));
	json_t *json = json_loadb(text, (size_t)n, 0, &error);
	const char *its = json_string_value(json_object_get(json, "schema"));
	if (!its || strcmp(its, schema) != 0) {
		json_decref(json);
		return wn_fail(err, WN_E_FORMAT, WN_NO_OFFSET, "damaged, or not of schema %s",
		               schema);
	}
	*out = json;
	return WN_OK;
}

static const char *
text_of(const json_t *json, const char *key)
{
	return json_string_value(json_object_get(json, key));
}

static void
join_arguments(const json_t *list, char *out, size_t out_bytes)
{
	size_t used = 0;
	for (size_t i = 0; i < json_array_size(list) && used < out_bytes; i++) {
		const char *word = json_string_value(json_array_get(list, i));
		used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", i ? " " : "",
		                         word ? word : "");
	}
}

/* A launcher's own words are not the program's: `mpirun -n 4 ./app`; the ranks know theirs. */
static uint64_t
size_of(const json_t *json)
{
	json_int_t size = json_integer_value(json_object_get(json, "size"));
	return size > 0 && size <= (json_int_t)WN_RANK_MAX ? (uint64_t)size : 0;
}

wn_status
wn_job_file_read(const char *path, struct wn_job_file *out, wn_err *err)
{
	json_t *json;
	wn_status st = load(path, WN_JOB_SCHEMA, &json, err);
	if (st != WN_OK)
		return st;
	*out = (struct wn_job_file){.json = json, .key = text_of(json, "job_key")};
	out->size = size_of(json);
	join_arguments(json_object_get(json, "command"), out->command_text,
	               sizeof out->command_text);
	out->command = *out->command_text ? out->command_text : NULL;
	return WN_OK;
}

void
wn_job_file_fini(struct wn_job_file *file)
{
	json_decref(file->json);
	memset(file, 0, sizeof *file);
}

/* The length of a list such as "0-1,3". */
static uint32_t
count_list(const char *list)
{
	uint32_t n = 0;
	while (list && *list >= '0' && *list <= '9') {
		char *end;
		unsigned long from = strtoul(list, &end, 10), to = from;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (to < from || to - from > UINT16_MAX || n > UINT16_MAX)
			return 0;
		n += (uint32_t)(to - from + 1);
		list = *end == ',' ? end + 1 : end;
	}
	return n;
}

wn_status
wn_rank_manifest_read(const char *path, struct wn_rank_manifest *out, wn_err *err)
{
	json_t *json;
	wn_status st = load(path, WN_MANIFEST_SCHEMA, &json, err);
	if (st != WN_OK)
		return st;
	const json_t *end = json_object_get(json, "end");
	*out = (struct wn_rank_manifest){
	    .json = json,
	    .key = text_of(json, "job_key"),
	    .state = text_of(json, "state"),
	    .reason = text_of(json, "reason"),
	    .host = text_of(json, "host"),
	    .boot_id = text_of(json, "boot_id"),
	    .cpus = text_of(json, "cpus"),
	    .size = size_of(json),
	    .n_sockets = count_list(text_of(json, "sockets")),
	    .mono_offset_ns = json_integer_value(json_object_get(json, "mono_offset_ns")),
	    .has_end = json_is_object(end),
	};
	json_int_t number = json_integer_value(json_object_get(end, "signal"));
	out->signal = number > 0 && number < 128 ? (int)number : 0;
	return WN_OK;
}

void
wn_rank_manifest_fini(struct wn_rank_manifest *manifest)
{
	json_decref(manifest->json);
	memset(manifest, 0, sizeof *manifest);
}
