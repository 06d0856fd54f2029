/* SPDX-License-Identifier: MIT */
/*
 * server.h - answers requests on one listening socket, until it is told to stop.
 *
 * One thread, one poll() loop, at most WN_SERVE_CONNECTIONS connections with 8 KB each. It reads
 * ranges of a file and never looks at what they mean. A client can cost its connection, nothing
 * more: what is too slow or silent too long is hung up on.
 */
#ifndef WN_SERVE_SERVER_H
#define WN_SERVE_SERVER_H

#include "serve/answer.h"
#include "winnow/base.h"

#define WN_SERVE_CONNECTIONS 64
#define WN_SERVE_OF_ONE_PEER 48 /* at a port: of one address */

struct wn_server {
	int listen_fd; /* listening, does not block; stays open */
	int stop_fd;   /* the loop ends when there is something to read here; it is not read */
	int run_fd;    /* a file that can be read at any place */
	struct wn_offer offer;
	/* 0: as below */
	unsigned request_ms; /* for a whole head, from its first byte or the connection; 3 s */
	unsigned idle_ms;    /* between requests on one connection; 60 s */
	unsigned stall_ms;   /* the client takes nothing of what is sent; 30 s */
};

/**
 * Serves until stop_fd is readable.
 *
 * A file that has become shorter ends the connection in the middle of the answer, so that nobody
 * takes a part for the whole. When all connections are taken, one gives way to a new one: the one
 * idle longest, the one that is longest without a whole request, or one that takes nothing of its
 * answer for seconds; while there is none, new ones wait. At a port the connections of one address
 * give way to each other once it has WN_SERVE_OF_ONE_PEER, and never those of others.
 *
 * @return WN_OK · WN_E_NOMEM · WN_E_IO (poll fails).
 * Cost     about 800 KB.
 * Threads  one call for each listening socket.
 */
wn_status wn_serve(const struct wn_server *server, wn_err *err);

#endif /* WN_SERVE_SERVER_H */
