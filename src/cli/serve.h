/* SPDX-License-Identifier: MIT */
/* serve.h - implements `winnow view --serve` for a file of grains: opens a listener, prints how to
 * connect, and answers requests until Ctrl-C. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct serve_options {
	bool is_asked;           /* --serve */
	bool has_no_browser;     /* --no-open */
	const char *socket_path; /* --socket, or NULL */
	const char *port;        /* --port, or NULL */
};

/* Checks the options against each other and -o, with a message for a conflict. */
bool serve_check(const struct serve_options *given, const char *output);

/* Serves the file, named `name`, until SIGINT, SIGTERM or SIGHUP. Prints errors. Returns the exit
 * code. */
int serve_run(const struct serve_options *given, const char *name, int run_fd);
/* The same for a page that needs nothing else. */
int serve_page(const struct serve_options *given, const char *name, const char *page,
               size_t n_bytes);
