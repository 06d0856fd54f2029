/* SPDX-License-Identifier: MIT */
/*
 * test_request.c - requests as browsers, scripts and attackers send them, and what each gets.
 */
#include "serve/answer.h"

#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define HOST  "Host: localhost:8098\r\n"
#define TOKEN "0123456789abcdef0123456789abcdef"

/* One row: what is sent, the state of the reader, the status of the answer without a token. */
struct heads {
	const char *name;
	const char *text;
	enum wn_request_state state;
	int status;
};

static const struct heads heads[] = {
    {"the page", "GET / HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 200},
    {"the page by HEAD", "HEAD / HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 200},
    {"the run", "GET /run.grains HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 200},
    {"a query is not part of the path", "GET /?a=b HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 200},
    {"names of headers in any case", "GET / HTTP/1.1\r\nhOST: localhost\r\n\r\n", WN_REQUEST_OK,
     200},
    {"blanks around a value", "GET / HTTP/1.1\r\nHost: \t 127.0.0.1:1 \t\r\n\r\n", WN_REQUEST_OK,
     200},
    {"a host of version 6", "GET / HTTP/1.1\r\nHost: [::1]:8098\r\n\r\n", WN_REQUEST_OK, 200},
    {"HTTP/1.0", "GET / HTTP/1.0\r\n" HOST "\r\n", WN_REQUEST_OK, 200},
    {"a path that is not there", "GET /page.html HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 404},
    {"steps upwards", "GET /../etc/passwd HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 404},
    {"coded steps upwards", "GET /%2e%2e/etc/passwd HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 404},
    {"a double slash", "GET //run.grains HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 404},
    {"more behind the run", "GET /run.grains/ HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 404},
    {"no host", "GET / HTTP/1.1\r\n\r\n", WN_REQUEST_OK, 403},
    {"an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", WN_REQUEST_OK, 403},
    {"somebody else's host", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", WN_REQUEST_OK, 403},
    {"a host that starts like ours", "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n",
     WN_REQUEST_OK, 403},
    {"a host that ends like ours", "GET / HTTP/1.1\r\nHost: evil.localhost\r\n\r\n", WN_REQUEST_OK,
     403},
    {"a host with a name before it", "GET / HTTP/1.1\r\nHost: evil@localhost\r\n\r\n",
     WN_REQUEST_OK, 403},
    {"a port that is none", "GET / HTTP/1.1\r\nHost: localhost:80x\r\n\r\n", WN_REQUEST_OK, 403},
    {"a port too large", "GET / HTTP/1.1\r\nHost: localhost:65536\r\n\r\n", WN_REQUEST_OK, 403},
    {"an empty port", "GET / HTTP/1.1\r\nHost: localhost:\r\n\r\n", WN_REQUEST_OK, 403},
    {"the host comes before the method", "POST / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
     WN_REQUEST_OK, 403},
    {"POST", "POST / HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabc", WN_REQUEST_OK, 405},
    {"OPTIONS", "OPTIONS * HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 405},
    {"a proxy's CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 405},
    {"get in small letters", "get / HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_OK, 405},
    {"an absolute target", "GET http://localhost/ HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"two hosts", "GET / HTTP/1.1\r\n" HOST HOST "\r\n", WN_REQUEST_BAD, 400},
    {"no version", "GET /\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"two blanks", "GET  / HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"a tab for a blank", "GET\t/ HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"a blank in the target", "GET /a b HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"an empty line first", "\r\nGET / HTTP/1.1\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"a bare LF", "GET / HTTP/1.1\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"a bare LF in a header", "GET / HTTP/1.1\r\nA: b\nHost: localhost\r\n\r\n", WN_REQUEST_BAD,
     400},
    {"a bare CR in a header", "GET / HTTP/1.1\r\nA: b\rc\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"a continued line", "GET / HTTP/1.1\r\nA: b\r\n c\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"a blank before the colon", "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", WN_REQUEST_BAD, 400},
    {"a header without a name", "GET / HTTP/1.1\r\n: b\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"a header without a colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", WN_REQUEST_BAD, 400},
    {"something else", "\x16\x03\x01\x02\r\n\r\n", WN_REQUEST_BAD, 400},
    {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", WN_REQUEST_VERSION, 505},
    {"HTTP of two digits", "GET / HTTP/1.10\r\n" HOST "\r\n", WN_REQUEST_BAD, 400},
    {"half a line", "GET / HT", WN_REQUEST_MORE, 0},
    {"no empty line yet", "GET / HTTP/1.1\r\n" HOST, WN_REQUEST_MORE, 0},
    {"nothing", "", WN_REQUEST_MORE, 0},
};

static const struct wn_offer offer = {"<p>", 3, 1000, NULL};

/* Reads a copy that ends where the text ends, so that a sanitizer sees a byte too far. */
static enum wn_request_state
read_exactly(const char *text, size_t n, const struct wn_offer *of, struct wn_answer *answer)
{
	struct wn_request request;
	char *copy = malloc(n ? n : 1);
	memcpy(copy, text, n);
	enum wn_request_state state = wn_request_parse(copy, n, &request);
	if (state != WN_REQUEST_MORE)
		wn_answer_make(state, &request, of, answer);
	free(copy);
	return state;
}

static void
test_heads(void)
{
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		const struct heads *h = &heads[i];
		struct wn_answer answer = {0};
		enum wn_request_state state =
		    read_exactly(h->text, strlen(h->text), &offer, &answer);
		ok(state == h->state && answer.status == h->status, "%s: %d", h->name, h->status);
		if (answer.status != h->status)
			note("state %d, status %d", (int)state, answer.status);
	}
}

/* Whatever is cut off: wait for more. A NUL or a control character anywhere before the empty line:
 * no answer that gives anything away. */
static void
test_cut_and_spoilt(void)
{
	static const char text[] =
	    "GET /run.grains HTTP/1.1\r\n" HOST "Range: bytes=0-9\r\nUser-Agent: a\r\n\r\n";
	size_t n = sizeof text - 1, n_waits = 0, n_refused = 0, n_spoilt = 0;
	struct wn_answer answer;
	for (size_t i = 0; i < n; i++)
		n_waits += read_exactly(text, i, &offer, &answer) == WN_REQUEST_MORE;
	ok(n_waits == n, "a request that is cut off anywhere is waited for");
	for (size_t i = 0; i < n - 4; i++)
		for (int c = 0; c < 32; c++) {
			char copy[sizeof text];
			memcpy(copy, text, sizeof text);
			if (copy[i] == (char)c || c == '\t')
				continue;
			copy[i] = (char)c;
			n_spoilt++;
			enum wn_request_state state = read_exactly(copy, n, &offer, &answer);
			n_refused += state != WN_REQUEST_OK;
		}
	ok(n_refused == n_spoilt, "control characters are refused at each of %zu places", n);
}

static void
test_length(void)
{
	static char text[WN_REQUEST_MAX + 16];
	struct wn_answer answer;
	memset(text, 'a', sizeof text);
	memcpy(text, "GET / HTTP/1.1\r\n" HOST "A: ", 41);
	ok(read_exactly(text, WN_REQUEST_MAX - 1, &offer, &answer) == WN_REQUEST_MORE,
	   "8191 bytes without an end may go on");
	ok(read_exactly(text, WN_REQUEST_MAX, &offer, &answer) == WN_REQUEST_LONG &&
	       answer.status == 431 && !answer.may_keep,
	   "8192 may not");
	memcpy(text + WN_REQUEST_MAX - 4, "\r\n\r\n", 4);
	ok(read_exactly(text, sizeof text, &offer, &answer) == WN_REQUEST_OK &&
	       answer.status == 200,
	   "a head of 8192 bytes is read");
}

struct ranges {
	const char *fields;
	int status;
	uint64_t at, n;
};

static const struct ranges ranges[] = {
    {"", 200, 0, 1000},
    {"Range: bytes=0-99\r\n", 206, 0, 100},
    {"Range: bytes=0-0\r\n", 206, 0, 1},
    {"RANGE:bytes= 10-19\r\n", 206, 10, 10},
    {"Range: Bytes=999-\r\n", 206, 999, 1},
    {"Range: bytes=900-5000\r\n", 206, 900, 100},
    {"Range: bytes=0-18446744073709551614\r\n", 206, 0, 1000},
    {"Range: bytes=-5\r\n", 206, 995, 5},
    {"Range: bytes=-5000\r\n", 206, 0, 1000},
    {"Range: bytes=1000-\r\n", 416, 0, 0},
    {"Range: bytes=18446744073709551614-\r\n", 416, 0, 0},
    {"Range: bytes=-0\r\n", 416, 0, 0},
    /* what is not understood is left out: the whole */
    {"Range: bytes=5-4\r\n", 200, 0, 1000},
    {"Range: bytes=0-1,5-6\r\n", 200, 0, 1000},
    {"Range: bytes=18446744073709551616-\r\n", 200, 0, 1000},
    {"Range: bytes=-\r\n", 200, 0, 1000},
    {"Range: bytes=+1-2\r\n", 200, 0, 1000},
    {"Range: bytes=0x1-2\r\n", 200, 0, 1000},
    {"Range: lines=1-2\r\n", 200, 0, 1000},
    {"Range: bytes=0-1\r\nRange: bytes=2-3\r\n", 200, 0, 1000},
    {"Range: bytes=0-1\r\nIf-Range: \"x\"\r\n", 200, 0, 1000},
};

static void
test_ranges(void)
{
	static const struct wn_offer empty = {"", 0, 0, NULL};
	struct wn_answer answer;
	char text[512], field[64];
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		const struct ranges *r = &ranges[i];
		int n = snprintf(text, sizeof text, "GET /run.grains HTTP/1.1\r\n" HOST "%s\r\n",
		                 r->fields);
		read_exactly(text, (size_t)n, &offer, &answer);
		ok(answer.status == r->status && answer.at == r->at && answer.n_bytes == r->n &&
		       answer.may_keep,
		   "%.*s: %d", (int)strcspn(r->fields, "\r"), r->fields, r->status);
		bool is_said = r->status == 200;
		if (r->status == 206)
			snprintf(field, sizeof field, "Content-Range: bytes %d-%d/1000\r\n",
			         (int)r->at, (int)(r->at + r->n - 1));
		else
			snprintf(field, sizeof field, "Content-Range: bytes */1000\r\n");
		ok(is_said ? !strstr(answer.head, "Content-Range")
		           : strstr(answer.head, field) != NULL,
		   "and the answer says which bytes");
	}
	int n = snprintf(text, sizeof text,
	                 "GET /run.grains HTTP/1.1\r\n" HOST "Range: bytes=0-\r\n\r\n");
	read_exactly(text, (size_t)n, &empty, &answer);
	ok(answer.status == 416, "nothing has no bytes from 0 on");
}

static void
test_head(void)
{
	struct wn_answer get, head;
	const char *by_get = "GET /run.grains HTTP/1.1\r\n" HOST "Range: bytes=3-7\r\n\r\n";
	const char *by_head = "HEAD /run.grains HTTP/1.1\r\n" HOST "Range: bytes=3-7\r\n\r\n";
	read_exactly(by_get, strlen(by_get), &offer, &get);
	read_exactly(by_head, strlen(by_head), &offer, &head);
	ok(get.body == WN_BODY_RUN && head.body == WN_BODY_NONE && head.n_bytes == 0 &&
	       get.head_bytes == head.head_bytes &&
	       memcmp(get.head, head.head, get.head_bytes) == 0,
	   "HEAD says what GET says, without the bytes");
	by_head = "HEAD /nothing HTTP/1.1\r\n" HOST "\r\n";
	read_exactly(by_head, strlen(by_head), &offer, &head);
	ok(head.status == 404 && memcmp(head.head + head.head_bytes - 4, "\r\n\r\n", 4) == 0,
	   "also where there is nothing");
}

static void
test_keeping(void)
{
	static const struct {
		const char *text;
		bool may_keep;
	} rows[] = {
	    {"GET / HTTP/1.1\r\n" HOST "\r\n", true},
	    {"GET / HTTP/1.1\r\n" HOST "Connection: x, Close\r\n\r\n", false},
	    {"GET / HTTP/1.0\r\n" HOST "Connection: keep-alive\r\n\r\n", false},
	    {"GET / HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n", true},
	    {"GET / HTTP/1.1\r\n" HOST "Content-Length: 9\r\n\r\n", false},
	    {"GET / HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n", false},
	    {"GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n", false},
	    {"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct wn_answer answer;
		read_exactly(rows[i].text, strlen(rows[i].text), &offer, &answer);
		bool is_said = strstr(answer.head, "Connection: close\r\n") != NULL;
		ok(answer.may_keep == rows[i].may_keep && is_said == !rows[i].may_keep,
		   "the connection is %s after row %zu", rows[i].may_keep ? "kept" : "closed", i);
	}
}

static void
test_token(void)
{
	static const struct wn_offer guarded = {"<p>", 3, 1000, TOKEN};
	static const struct {
		const char *path;
		int status;
	} rows[] = {
	    {"/", 401},
	    {"/run.grains", 401},
	    {"/favicon.ico", 401},
	    {"/?" TOKEN, 401},
	    {"/" TOKEN, 404},
	    {"/" TOKEN "/", 200},
	    {"/" TOKEN "/run.grains", 200},
	    {"/" TOKEN "run.grains", 404},
	    {"/" TOKEN "/other", 404},
	    {"/1123456789abcdef0123456789abcdef/", 401},
	    {"/0123456789abcdef0123456789abcdee/", 401},
	    {"/0123456789ABCDEF0123456789ABCDEF/", 401},
	    {"/0123456789abcdef", 401},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct wn_answer answer;
		char text[256];
		int n =
		    snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n" HOST "\r\n", rows[i].path);
		read_exactly(text, (size_t)n, &guarded, &answer);
		ok(answer.status == rows[i].status, "with a token, %s: %d", rows[i].path,
		   rows[i].status);
		ok(!strstr(answer.head, TOKEN), "and the token is not said");
	}
}

static void
test_policy(void)
{
	static const char *const texts[] = {"GET / HTTP/1.1\r\n" HOST "\r\n",
	                                    "GET /run.grains HTTP/1.1\r\n" HOST "\r\n",
	                                    "GET /no HTTP/1.1\r\n" HOST "\r\n", "GET\r\n\r\n"};
	static const char *const fields[] = {"\r\nX-Content-Type-Options: nosniff\r\n",
	                                     "\r\nCache-Control: no-store\r\n",
	                                     "\r\nReferrer-Policy: no-referrer\r\n",
	                                     "\r\nCross-Origin-Resource-Policy: same-origin\r\n",
	                                     "\r\nContent-Security-Policy: ",
	                                     "frame-ancestors 'none'"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct wn_answer answer;
		size_t n_said = 0;
		read_exactly(texts[i], strlen(texts[i]), &offer, &answer);
		for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
			n_said += strstr(answer.head, fields[k]) != NULL;
		ok(n_said == sizeof fields / sizeof *fields &&
		       !strstr(answer.head, "Access-Control"),
		   "an answer %d is nobody else's to read, keep or frame", answer.status);
	}
}

int
main(void)
{
	test_heads();
	test_cut_and_spoilt();
	test_length();
	test_ranges();
	test_head();
	test_keeping();
	test_token();
	test_policy();
	return done();
}
