/* SPDX-License-Identifier: MIT */
/* import.h - imports other tools' files as traces: the task tables and graphs of the R prototype
 * behind [P5]. */
#pragma once

#include "winnow/base.h"

#include <stdio.h>

struct wn_import_note {
	bool is_loss; /* part of the file was not used */
	char text[232];
};

struct wn_import_result {
	uint64_t n_rows; /* in the trace */
	uint64_t n_lost; /* rows of the file left out */
	bool is_ns;      /* times are nanoseconds, else cycles */
	bool is_damaged; /* some note is a loss */
	struct wn_import_note *notes;
	size_t n_notes, capacity;
};

struct wn_import_options {
	const char *instructions; /* an instruction-level file to join, or NULL */
	uint64_t hz;              /* cycles per second; 0 = unknown, times stay cycles */
};

/**
 * Reads a table (CSV) or a graph (GraphML), distinguished by the first characters, and writes it
 * as a trace.
 *
 * @param path    the file.
 * @param to      seekable; receives the trace; stays open.
 * @param result  filled in any case; release with wn_import_result_fini().
 * @return WN_OK · WN_E_IO · WN_E_FORMAT (err->msg contains file and line) · WN_E_LIMIT ·
 *         WN_E_NOMEM
 *
 * Cost     O(bytes + rows log rows); about 60 bytes a row and 8 for each cell.
 * Threads  pure.
 * Source   formats of the R prototype of [P5]; doc/metrics.md, "Imported data".
 * Oracle   tests/import/oracle.py
 */
WN_MUST_CHECK wn_status wn_import(const char *path, const struct wn_import_options *options,
                                  FILE *to, struct wn_import_result *result, wn_err *err);

/* The same for bytes in memory; `path` is used in messages. An instruction-level file is still
 * read by its name. */
WN_MUST_CHECK wn_status wn_import_bytes(const char *path, const char *bytes, size_t n,
                                        const struct wn_import_options *options, FILE *to,
                                        struct wn_import_result *result, wn_err *err);
void wn_import_result_fini(struct wn_import_result *result);
