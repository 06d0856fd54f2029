/* SPDX-License-Identifier: MIT */
/*
 * request.h - parses the head of one HTTP/1.1 request from untrusted bytes.
 *
 * The parser is strict, since all clients are browsers: lines must end with CR LF; continued lines,
 * control characters and targets that do not start with '/' are rejected. Nothing is decoded or
 * copied: results point into the bytes. answer.c checks the permissions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_REQUEST_MAX 8192 /* bytes of a head */

enum wn_request_state {
	WN_REQUEST_OK = 0,
	WN_REQUEST_MORE,    /* no empty line yet */
	WN_REQUEST_BAD,     /* not a request */
	WN_REQUEST_LONG,    /* no empty line in WN_REQUEST_MAX bytes */
	WN_REQUEST_VERSION, /* not HTTP/1.x */
};

enum wn_method { WN_METHOD_GET = 0, WN_METHOD_HEAD, WN_METHOD_OTHER };

enum wn_range_kind {
	WN_RANGE_NONE = 0,
	WN_RANGE_FROM, /* bytes first to last; last is UINT64_MAX if open */
	WN_RANGE_LAST, /* the last `last` bytes */
};

struct wn_range {
	enum wn_range_kind kind;
	uint64_t first, last;
};

struct wn_request {
	enum wn_method method;
	const char *path; /* the target before '?', not terminated */
	size_t path_bytes;
	const char *host; /* the value of Host, not terminated; NULL if there is none */
	size_t host_bytes;
	struct wn_range range; /* no range either if there are several, or an invalid one */
	bool may_keep;         /* the connection may stay open */
	size_t head_bytes;     /* including the empty line */
};

/**
 * Reads the request that starts at bytes[0].
 *
 * @param out  written only when WN_REQUEST_OK is returned; borrows from `bytes`.
 * @return a state; after WN_REQUEST_MORE call again with more bytes, all from the start.
 *
 * Cost     O(n).
 * Threads  pure.
 * Source   RFC 9112 sections 2 to 6, RFC 9110 sections 7.2 (Host) and 14 (ranges). Stricter than
 * required: no bare LF, no empty line before a request, no absolute target. Two Hosts are bad.
 */
enum wn_request_state wn_request_parse(const char *bytes, size_t n, struct wn_request *out);

/* Tests whether the value of Host names this machine: localhost, 127.0.0.1 or [::1], with any port
 * or none (ssh forwards from a port of its choice). Rejects foreign names that resolve to this
 * machine. */
bool wn_request_host_is_ours(const char *host, size_t n);
