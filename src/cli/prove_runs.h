/* SPDX-License-Identifier: MIT */
/* prove_runs.h - runs a recorded program again, without recording, with other settings of the
 * environment, and measures how long each run takes. */
#pragma once

#include "simulate/proofs.h"
#include "trace/trace_reader.h"

#include <stdbool.h>

#define PROVE_RUNS_MAX     100u
#define PROVE_SETTINGS_MAX 64u

struct prove_setting {
	char text[128];       /* as shown: "OMP_SCHEDULE=dynamic,4" */
	const char *variable; /* of the environment; NULL: as recorded */
	char value[64];
	enum wn_proof_kind kind;
	uint32_t n_threads;
	uint64_t wall_ns[PROVE_RUNS_MAX]; /* of the runs, as measured */
};

struct prove_program {
	const char *file;             /* the recording */
	const struct wn_trace *trace; /* its environment is that of the runs */
	char **argv;                  /* NULL-terminated */
};

/* Returns the recorded command as argument vector, to be released with free(); NULL after a
 * message. */
char **prove_command(const char *file, const struct wn_trace *trace);

/* Runs the program n_runs times with each setting, in turn, every other round in opposite order, so
 * that a machine that becomes slower favours none; before that once, uncounted. Standard output and
 * error are discarded, input is empty. Sets wall_ns. False after a message: the program cannot be
 * run, or does not end as it was recorded to. */
bool prove_run(const struct prove_program *program, struct prove_setting *settings,
               size_t n_settings, unsigned n_runs);
