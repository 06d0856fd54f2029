/* SPDX-License-Identifier: MIT */
/*
 * exit.h - the exit codes of every verb. They are a contract: scripts depend on them.
 *
 * `run`, `record` and `count` are the exception: once the program has started they return its own
 * status, and 128 + n when signal n ended it; CLI_UNRECORDED where that is 0 and there is no
 * recording.
 */
#pragma once

enum cli_exit {
	CLI_OK = 0,
	CLI_FAILURE = 1, /* the verb failed */
	CLI_USAGE = 2,   /* usage error: the command line refers to something that does not exist */
	CLI_DAMAGED = 3, /* the input is damaged; the valid part was used */
	CLI_THRESHOLD = 4, /* report, diff --fail-if: a threshold is crossed */
	CLI_UNRECORDED =
	    125,          /* the program succeeded, but nothing was recorded; git bisect skips it */
	CLI_SIGNAL = 128, /* + the number of the signal that ended the program */
};
