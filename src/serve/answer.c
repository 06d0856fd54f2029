/* SPDX-License-Identifier: MIT */
#include "serve/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RUN_NAME "run.grains"

/* No other site may read, embed or frame our content, and nothing is cached on disk. The page has
 * its own policy; these headers set what a page itself cannot. */
#define COMMON_FIELDS                                                                              \
	"Cache-Control: no-store\r\n"                                                              \
	"X-Content-Type-Options: nosniff\r\n"                                                      \
	"X-Frame-Options: DENY\r\n"                                                                \
	"Referrer-Policy: no-referrer\r\n"                                                         \
	"Cross-Origin-Resource-Policy: same-origin\r\n"                                            \
	"Cross-Origin-Opener-Policy: same-origin\r\n"
#define PAGE_POLICY                                                                                \
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "             \
	"frame-ancestors 'none'"
#define OTHER_POLICY "default-src 'none'; frame-ancestors 'none'"

struct refusal {
	int status;
	const char *phrase;
	const char *fields;
	const char *sentence;
};

static const struct refusal not_a_request = {
    400, "Bad Request", "", "This is not an HTTP request that this server understands.\n"};
static const struct refusal no_token = {
    401, "Unauthorized", "WWW-Authenticate: Winnow\r\n",
    "The address needs the token: use the complete address that winnow view printed.\n"};
static const struct refusal not_our_host = {403, "Forbidden", "",
                                            "Open this page as localhost or 127.0.0.1.\n"};
static const struct refusal not_there = {404, "Not Found", "", "There is nothing here.\n"};
static const struct refusal not_to_read = {405, "Method Not Allowed", "Allow: GET, HEAD\r\n",
                                           "This server is read-only.\n"};
static const struct refusal outside = {416, "Range Not Satisfiable", "",
                                       "The file is not as long as that.\n"};
static const struct refusal too_long = {431, "Request Header Fields Too Large", "",
                                        "The request is longer than 8 KB.\n"};
static const struct refusal other_version = {505, "HTTP Version Not Supported", "",
                                             "This server speaks HTTP/1.1.\n"};

static void
refuse(const struct refusal *why, bool is_head, bool may_keep, const char *fields,
       struct wn_answer *out)
{
	out->status = why->status;
	out->at = out->n_bytes = 0;
	out->may_keep = may_keep;
	int n = snprintf(out->head, sizeof out->head,
	                 "HTTP/1.1 %d %s\r\n"
	                 "Content-Type: text/plain; charset=utf-8\r\n"
	                 "Content-Length: %zu\r\n"
	                 "%s%s%s"
	                 "Content-Security-Policy: " OTHER_POLICY "\r\n" COMMON_FIELDS "\r\n%s",
	                 why->status, why->phrase, strlen(why->sentence), why->fields, fields,
	                 may_keep ? "" : "Connection: close\r\n", is_head ? "" : why->sentence);
	out->head_bytes = (size_t)n;
}

/* Computes the part of `total` bytes that a range selects; false if it selects none. */
static bool
cut(const struct wn_range *range, uint64_t total, struct wn_answer *out)
{
	out->at = 0;
	out->n_bytes = total;
	if (range->kind == WN_RANGE_FROM) {
		uint64_t last = total && range->last > total - 1 ? total - 1 : range->last;
		if (range->first >= total)
			return false;
		out->at = range->first;
		out->n_bytes = last - range->first + 1;
	} else if (range->kind == WN_RANGE_LAST) {
		if (range->last == 0 || total == 0)
			return false;
		out->n_bytes = range->last < total ? range->last : total;
		out->at = total - out->n_bytes;
	}
	return true;
}

static void
grant(const struct wn_request *request, enum wn_body body, uint64_t total, struct wn_answer *out)
{
	char range[96] = "";
	if (!cut(&request->range, total, out)) {
		snprintf(range, sizeof range, "Content-Range: bytes */%" PRIu64 "\r\n", total);
		refuse(&outside, request->method == WN_METHOD_HEAD, request->may_keep, range, out);
		return;
	}
	bool is_part = request->range.kind != WN_RANGE_NONE;
	if (is_part)
		snprintf(range, sizeof range,
		         "Content-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64 "\r\n", out->at,
		         out->at + out->n_bytes - 1, total);
	out->status = is_part ? 206 : 200;
	out->may_keep = request->may_keep;
	int n =
	    snprintf(out->head, sizeof out->head,
	             "HTTP/1.1 %d %s\r\n"
	             "Content-Type: %s\r\n"
	             "Content-Length: %" PRIu64 "\r\n"
	             "Accept-Ranges: bytes\r\n"
	             "%s%s"
	             "Content-Security-Policy: %s\r\n" COMMON_FIELDS "\r\n",
	             out->status, is_part ? "Partial Content" : "OK",
	             body == WN_BODY_PAGE ? "text/html; charset=utf-8" : "application/octet-stream",
	             out->n_bytes, range, out->may_keep ? "" : "Connection: close\r\n",
	             body == WN_BODY_PAGE ? PAGE_POLICY : OTHER_POLICY);
	out->head_bytes = (size_t)n;
	if (request->method == WN_METHOD_GET)
		out->body = body;
	else
		out->n_bytes = 0;
}

/* Removes "/TOKEN" from the front of the path. Compares every byte, in constant time. */
static bool
take_token(const char *token, const char **path, size_t *n)
{
	size_t token_bytes = strlen(token);
	unsigned char difference = 0;
	if (*n < token_bytes + 1 || **path != '/')
		return false;
	for (size_t i = 0; i < token_bytes; i++)
		difference |= (unsigned char)((*path)[i + 1] ^ token[i]);
	if (difference)
		return false;
	*path += token_bytes + 1;
	*n -= token_bytes + 1;
	return true;
}

static bool
is_path(const char *path, size_t n, const char *wanted)
{
	return n == strlen(wanted) && memcmp(path, wanted, n) == 0;
}

void
wn_answer_make(enum wn_request_state state, const struct wn_request *request,
               const struct wn_offer *offer, struct wn_answer *out)
{
	out->body = WN_BODY_NONE;
	out->at = out->n_bytes = 0;
	if (state != WN_REQUEST_OK) {
		refuse(state == WN_REQUEST_LONG      ? &too_long
		       : state == WN_REQUEST_VERSION ? &other_version
		                                     : &not_a_request,
		       false, false, "", out);
		return;
	}
	bool is_head = request->method == WN_METHOD_HEAD;
	const char *path = request->path;
	size_t n = request->path_bytes;
	if (!request->host || !wn_request_host_is_ours(request->host, request->host_bytes))
		refuse(&not_our_host, is_head, false, "", out);
	else if (request->method == WN_METHOD_OTHER)
		refuse(&not_to_read, false, false, "", out);
	else if (offer->token && !take_token(offer->token, &path, &n))
		refuse(&no_token, is_head, false, "", out);
	else if (is_path(path, n, "/"))
		grant(request, WN_BODY_PAGE, offer->page_bytes, out);
	else if (is_path(path, n, "/" RUN_NAME))
		grant(request, WN_BODY_RUN, offer->run_bytes, out);
	else
		refuse(&not_there, is_head, request->may_keep, "", out);
}
