/* SPDX-License-Identifier: MIT */
/*
 * serve.h - what `winnow view --serve` does once there is a file of grains: a listener is opened,
 * how to get to it is printed, and requests are answered until Ctrl-C.
 */
#ifndef WN_CLI_SERVE_H
#define WN_CLI_SERVE_H

#include <stdbool.h>

struct serve_options {
	bool is_asked;           /* --serve */
	bool has_no_browser;     /* --no-open */
	const char *socket_path; /* --socket, or NULL */
	const char *port;        /* --port, or NULL */
};

/* Do these go together, and with -o? Says what does not. */
bool serve_check(const struct serve_options *given, const char *output);

/* Serves the file, which is called `name`, until SIGINT, SIGTERM or SIGHUP. Says what went wrong.
 * Returns the exit code. */
int serve_run(const struct serve_options *given, const char *name, int run_fd);

#endif /* WN_CLI_SERVE_H */
