/* SPDX-License-Identifier: MIT */
/*
 * server.h - answers requests on one listening socket until stopped.
 *
 * One thread, one poll() loop, at most WN_SERVE_CONNECTIONS connections with 8 KB each. It reads
 * ranges of a file without interpreting them. A client affects only its own connection: slow or
 * silent ones are closed.
 */
#pragma once

#include "serve/answer.h"
#include "winnow/base.h"

#define WN_SERVE_CONNECTIONS 64
#define WN_SERVE_OF_ONE_PEER 48 /* per address, at a port */

struct wn_server {
	int listen_fd; /* listening, does not block; stays open */
	int stop_fd;   /* the loop ends when this is readable; it is not read */
	int run_fd;    /* a seekable file */
	struct wn_offer offer;
	/* 0: the default */
	unsigned request_ms; /* for a whole head, from its first byte or the connection; 3 s */
	unsigned idle_ms;    /* between requests on one connection; 60 s */
	unsigned stall_ms;   /* the client receives nothing; 30 s */
};

/**
 * Serves until stop_fd is readable.
 *
 * If the file becomes shorter, the connection closes in the middle of the answer, so that the
 * client detects the truncation. When all connections are used, one gives way to a new one: the one
 * idle longest, the one longest without a complete request, or one that has not received data for
 * seconds; otherwise new ones wait. At a port the connections of one address give way to each other
 * once it has WN_SERVE_OF_ONE_PEER, and never those of others.
 *
 * @return WN_OK · WN_E_NOMEM · WN_E_IO (poll fails).
 * Cost     about 800 KB.
 * Threads  one call for each listening socket.
 */
wn_status wn_serve(const struct wn_server *server, wn_err *err);
