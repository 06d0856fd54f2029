/* SPDX-License-Identifier: MIT */
/*
 * answer.h - computes the answer to a request: a status, the head, and the range of the body. Pure;
 * server.c sends it.
 *
 * There are two resources, the page at / and the run at /run.grains. With a token both are below
 * /TOKEN, which the page does not need, as it requests "run.grains" relatively.
 */
#pragma once

#include "serve/request.h"

struct wn_offer {
	const char *page; /* HTML; borrowed */
	size_t page_bytes;
	uint64_t run_bytes;
	const char *token; /* NULL if the listener itself restricts access */
};

enum wn_body { WN_BODY_NONE = 0, WN_BODY_PAGE, WN_BODY_RUN };

#define WN_ANSWER_HEAD_MAX 1024

struct wn_answer {
	int status;
	enum wn_body body;
	uint64_t at, n_bytes; /* range of the body */
	bool may_keep;        /* the connection stays open */
	size_t head_bytes;
	char head[WN_ANSWER_HEAD_MAX]; /* includes the text of a refusal */
};

/**
 * Computes the answer to a request, valid or not.
 *
 * In this order: not a request 400, too long 431, another HTTP 505; Host is missing or not this
 * machine 403; neither GET nor HEAD 405; no token or a wrong one 401; nothing there 404; a range
 * outside 416. Then 200, or 206 with a range. All but 200, 206, 404 and 416 end the connection.
 *
 * @param request  result of wn_request_parse(); only read if `state` is WN_REQUEST_OK.
 * @param state    its result, not WN_REQUEST_MORE.
 *
 * Cost     O(head). The token is compared in time that does not depend on its value.
 * Threads  pure.
 * Source   RFC 9110 section 15, and 14.2 for ranges.
 */
void wn_answer_make(enum wn_request_state state, const struct wn_request *request,
                    const struct wn_offer *offer, struct wn_answer *out);
