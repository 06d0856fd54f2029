/* SPDX-License-Identifier: MIT */
/* record_private.h - a recording, from the command line to the end of the program. Shared by
 * record.c and record_result.c. */
#pragma once

#include "cli/engine.h"
#include "cli/event_names.h"
#include "cli/inspect.h"
#include "cli/job.h"
#include "cli/launch.h"
#include "cli/outfile.h"
#include "cli/record.h"

#define WHY_BYTES (PATH_MAX + 512)

/* State from the command line to the start of the program. */
struct recording {
	const struct record_request *request;
	char program[PATH_MAX];
	char library[PATH_MAX];
	char provider[PATH_MAX]; /* empty if not needed */
	char mpi[PATH_MAX];      /* likewise */
	char channel_path[64];
	struct outfile out;
	struct job job;
	struct inspection inspection;
	int channel_fd;
	bool is_on;
	bool is_impossible; /* it should be on */
	struct engine engine;
	char counters[EVENTS_BYTES]; /* WINNOW_COUNTERS; empty: unchanged */
};

/* Reads the recorders' report, completes the traces and prints what they contain; fills in what the
 * outcome has of them. */
void record_result(struct recording *r, const struct launch_outcome *ran,
                   struct record_outcome *outcome);
