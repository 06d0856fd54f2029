/* SPDX-License-Identifier: MIT */
/*
 * launch.h - starts the program and waits for it, without side effects on either, like `time`.
 *
 * The program is in the same process group and inherits stdin, stdout, stderr and the signal
 * dispositions of winnow. While it runs, SIGINT and SIGQUIT do not end winnow (the terminal sends
 * them to the program too); SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 sent to winnow are forwarded.
 */
#pragma once

#include "cli/library.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Finds the file for `name`, as a shell does. 0, or an errno (ENOENT: no such program). */
int launch_find(const char *name, char out[PATH_MAX]);

struct launch_outcome {
	int error; /* errno of the failed start */
	pid_t pid;
	int wait_status; /* as from waitpid */
	uint64_t wall_ns;
	uint64_t cpu_ns; /* CPU time of it and of the children it has waited for */
	bool is_stopped; /* it was to end: by the terminal, or by a signal to winnow */
};

/* env = NULL keeps the environment. If no second process can be started, this one becomes the
 * program, unrecorded, after a message; without becomes_program that is an error. */
void launch_program(const char *path, char **argv, const struct library_env *env,
                    bool becomes_program, struct launch_outcome *outcome);

/* Runs a program with empty input, and without its output; this process does not become it. */
void launch_unseen(const char *path, char **argv, struct launch_outcome *outcome);

/* Runs a program without its output. Returns whether it ended with status 0. */
bool launch_quietly(const char *path, char **argv);

/* 128 + n for signal n, else the program's own exit status. */
int launch_exit_code(int wait_status);
