/* SPDX-License-Identifier: MIT */
/*
 * fuzz_request.c - the input is what a client sends: requests, one behind the other. What is read
 * lies within the bytes; an answer fits its room, is what it claims to be, and gives bytes of the
 * run to those only who name this machine and, where there is one, the token.
 */
#include "fuzz/harness.h"
#include "serve/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e"

static bool
is_inside(const char *at, size_t n, const char *bytes, size_t size)
{
	return at >= bytes && n <= size && (size_t)(at - bytes) <= size - n;
}

static void
check_request(const struct wn_request *r, const char *bytes, size_t n)
{
	if (r->head_bytes > n || r->head_bytes > WN_REQUEST_MAX ||
	    memcmp(bytes + r->head_bytes - 4, "\r\n\r\n", 4) != 0)
		harness_give_up("a request", "does not end with an empty line");
	if (!is_inside(r->path, r->path_bytes, bytes, r->head_bytes) ||
	    (r->host && !is_inside(r->host, r->host_bytes, bytes, r->head_bytes)))
		harness_give_up("a request", "reaches beyond its bytes");
	if (r->method != WN_METHOD_OTHER && (r->path_bytes == 0 || *r->path != '/'))
		harness_give_up("a path", "does not start with '/'");
	if (r->range.kind == WN_RANGE_FROM && r->range.first > r->range.last)
		harness_give_up("a range", "ends before it starts");
}

/* One head, lines of CR LF, the length it says, and no byte of the request in it. */
static void
check_answer(const struct wn_answer *a, const struct wn_offer *offer)
{
	char said[64];
	const char *end = memmem(a->head, a->head_bytes, "\r\n\r\n", 4);
	if (a->head_bytes >= sizeof a->head || strlen(a->head) != a->head_bytes || !end)
		harness_give_up("an answer", "is not one head");
	snprintf(said, sizeof said, "HTTP/1.1 %d ", a->status);
	if (memcmp(a->head, said, strlen(said)) != 0)
		harness_give_up("an answer", "says another status");
	uint64_t whole = a->body == WN_BODY_PAGE ? offer->page_bytes : offer->run_bytes;
	if (a->body == WN_BODY_NONE ? a->n_bytes != 0 : a->at > whole || a->n_bytes > whole - a->at)
		harness_give_up("an answer", "has bytes that are not there");
	if (a->body != WN_BODY_NONE && a->status != 200 && a->status != 206)
		harness_give_up("a refusal", "gives something");
	if (!a->may_keep != (strstr(a->head, "\r\nConnection: close\r\n") != NULL))
		harness_give_up("an answer", "says otherwise whether more may follow");
	snprintf(said, sizeof said, "\r\nContent-Length: %llu\r\n", (unsigned long long)a->n_bytes);
	if (a->body != WN_BODY_NONE && !strstr(a->head, said))
		harness_give_up("an answer", "says another length");
}

static void
check_right(const struct wn_answer *a, const struct wn_request *r, const struct wn_offer *offer)
{
	if (a->body == WN_BODY_NONE)
		return;
	if (!r->host || !wn_request_host_is_ours(r->host, r->host_bytes) ||
	    r->method != WN_METHOD_GET)
		harness_give_up("an answer", "to the wrong one");
	if (offer->token && (r->path_bytes < 33 || memcmp(r->path + 1, offer->token, 32) != 0))
		harness_give_up("an answer", "without the token");
}

static void
answer_all(const char *bytes, size_t n, const struct wn_offer *offer)
{
	for (size_t at = 0;;) {
		struct wn_request request;
		struct wn_answer answer;
		enum wn_request_state state = wn_request_parse(bytes + at, n - at, &request);
		if (state == WN_REQUEST_MORE)
			return;
		memset(&answer, 0x5a, sizeof answer);
		wn_answer_make(state, &request, offer, &answer);
		check_answer(&answer, offer);
		if (state != WN_REQUEST_OK)
			return;
		check_request(&request, bytes + at, n - at);
		check_right(&answer, &request, offer);
		at += request.head_bytes;
		if (!answer.may_keep)
			return;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	static const struct wn_offer open = {"<p>page", 7, 1000, NULL};
	static const struct wn_offer guarded = {"<p>page", 7, UINT64_MAX / 2, TOKEN};
	/* size_bytes may be 0 with no bytes at all */
	const char *text = size_bytes ? (const char *)bytes : "";
	answer_all(text, size_bytes, &open);
	answer_all(text, size_bytes, &guarded);
	return 0;
}
