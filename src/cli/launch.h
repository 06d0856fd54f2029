/* SPDX-License-Identifier: MIT */
/*
 * launch.h - starts the program and waits for it, as invisible to both sides as `time` is.
 *
 * The program is in the same process group, keeps stdin, stdout, stderr and the signal dispositions
 * winnow was started with. While it runs, SIGINT and SIGQUIT do not end winnow (the terminal sends
 * them to the program too); SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 that a process sends to winnow are
 * passed on.
 */
#ifndef WN_CLI_LAUNCH_H
#define WN_CLI_LAUNCH_H

#include "cli/library.h"

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

/* The file that `name` starts, as a shell finds it. 0, or an errno (ENOENT: no such program). */
int launch_find(const char *name, char out[PATH_MAX]);

struct launch_outcome {
	int error; /* errno of what could not be done; then the program did not run */
	pid_t pid;
	int wait_status; /* as from waitpid */
	uint64_t wall_ns;
	uint64_t cpu_ns; /* of it and of those of its children that it has waited for */
};

/* env = NULL starts the program as it is. Where no second process can be started, this one becomes
 * the program, unrecorded, and a message by `verb` says so; verb = NULL: that is an error. */
void launch_program(const char *verb, const char *path, char **argv, const struct library_env *env,
                    struct launch_outcome *outcome);

/* 128 + n for signal n, else the program's own exit status. */
int launch_exit_code(int wait_status);

#endif /* WN_CLI_LAUNCH_H */
