/* SPDX-License-Identifier: MIT */
/* html.c - writes the page with a run inside: run.grains in pieces of base64, each in an element
 * that browsers do not execute, followed by the script that reads it (viewer/README.md). */
#include "base/error.h"
#include "base/mem.h"
#include "view/page_html.h"
#include "view/served.h"
#include "view/view_private.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define LINE_BYTES 49152u /* bytes encoded at once: a multiple of 3 */

/* The page split at its markers: the text before each of them, and the rest. */
#define PARTS_N 5
static const char *const markers[PARTS_N - 1] = {"@CONNECT@", "@TOLD@", "@FIRST@", "@DATA@"};

struct page {
	FILE *to;
	const char *part[PARTS_N];
	size_t part_bytes[PARTS_N];
	int n_written; /* written parts */
	uint64_t at;   /* position in run.grains */
	bool is_open;  /* an element is open */
	uint8_t rest[3];
	size_t n_rest; /* bytes that do not fill a group of three yet */
	char *coded;
};

static wn_status
put(struct page *p, const char *bytes, size_t n, wn_err *err)
{
	errno = 0;
	if (fwrite(bytes, 1, n, p->to) == n)
		return WN_OK;
	return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", errno ? strerror(errno) : "write error");
}

size_t
view_base64(const uint8_t *in, size_t n, char *out)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t at = 0, i = 0;
	for (; i + 3 <= n; i += 3, at += 4) {
		uint32_t three = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];
		out[at] = digits[three >> 18];
		out[at + 1] = digits[three >> 12 & 63];
		out[at + 2] = digits[three >> 6 & 63];
		out[at + 3] = digits[three & 63];
	}
	if (i < n) {
		uint32_t two = (uint32_t)in[i] << 8 | (i + 1 < n ? in[i + 1] : 0);
		out[at++] = digits[two >> 10];
		out[at++] = digits[two >> 4 & 63];
		out[at++] = i + 1 < n ? digits[two << 2 & 63] : '=';
		out[at++] = '=';
	}
	return at;
}

static wn_status
put_coded(struct page *p, const uint8_t *bytes, size_t n, wn_err *err)
{
	return put(p, p->coded, view_base64(bytes, n, p->coded), err);
}

static wn_status
put_markup(void *user, const void *bytes, size_t n, wn_err *err)
{
	return put(user, bytes, n, err);
}

static wn_status
open_piece(struct page *p, wn_err *err)
{
	char text[100];
	int n = snprintf(text, sizeof text,
	                 "<script type=\"application/x-winnow\" data-at=\"%" PRIu64 "\">", p->at);
	p->is_open = true;
	return put(p, text, (size_t)n, err);
}

static wn_status
page_write(void *user, const void *bytes, size_t n, wn_err *err)
{
	struct page *p = user;
	const uint8_t *in = bytes;
	wn_status st = WN_OK;
	if (n && !p->is_open)
		WN_TRY(open_piece(p, err));
	p->at += n;
	while (n && p->n_rest % 3 != 0) {
		p->rest[p->n_rest++] = *in++;
		n--;
	}
	if (p->n_rest == 3) {
		WN_TRY(put_coded(p, p->rest, 3, err));
		p->n_rest = 0;
	}
	for (; n >= 3; n -= n < LINE_BYTES ? n / 3 * 3 : LINE_BYTES) {
		size_t some = n < LINE_BYTES ? n / 3 * 3 : LINE_BYTES;
		WN_TRY(put_coded(p, in, some, err));
		in += some;
	}
	for (; n; n--)
		p->rest[p->n_rest++] = *in++;
out:
	return st;
}

static wn_status
put_part(struct page *p, wn_err *err)
{
	int k = p->n_written++;
	return put(p, p->part[k], p->part_bytes[k], err);
}

static wn_status
page_cut(void *user, wn_err *err)
{
	static const char end[] = "</script><script>K()</script>\n";
	struct page *p = user;
	wn_status st = WN_OK;
	if (p->is_open) {
		WN_TRY(put_coded(p, p->rest, p->n_rest, err));
		WN_TRY(put(p, end, sizeof end - 1, err));
	}
	p->n_rest = 0;
	p->is_open = false;
	if (p->n_written < PARTS_N - 1)
		st = put_part(p, err); /* the data for the first drawing is complete */
out:
	return st;
}

static const char *
find_marker(const char *from, const char *end, const char *marker)
{
	return memmem(from, (size_t)(end - from), marker, strlen(marker));
}

static wn_status
take_apart(struct page *p, wn_err *err)
{
	const char *at = (const char *)wn_page_html, *end = at + wn_page_html_bytes;
	for (int i = 0; i < PARTS_N; i++) {
		const char *stop = i < PARTS_N - 1 ? find_marker(at, end, markers[i]) : end;
		if (!stop)
			return wn_fail(err, WN_E_INVARIANT, WN_NO_OFFSET,
			               "the page that this winnow was built with lacks %s",
			               markers[i]);
		p->part[i] = at;
		p->part_bytes[i] = (size_t)(stop - at);
		at = stop + (i < PARTS_N - 1 ? strlen(markers[i]) : 0);
	}
	return WN_OK;
}

wn_status
wn_view_served_page(char **out, size_t *n, wn_err *err)
{
	static const char connect[] = " connect-src 'self';";
	struct page p = {0};
	wn_status st = take_apart(&p, err);
	if (st != WN_OK)
		return st;
	char *text = wn_calloc(wn_page_html_bytes + sizeof connect, 1);
	if (!text)
		return wn_no_memory(err);
	size_t at = 0;
	for (int i = 0; i < PARTS_N; i++) {
		memcpy(text + at, p.part[i], p.part_bytes[i]);
		at += p.part_bytes[i];
		if (i == 0) {
			memcpy(text + at, connect, sizeof connect - 1);
			at += sizeof connect - 1;
		}
	}
	*out = text;
	*n = at;
	return WN_OK;
}

wn_status
wn_page_data_write_page(struct wn_page_data *v, FILE *to, wn_err *err)
{
	struct page p = {.to = to};
	struct wn_grains_sink sink = {page_write, page_cut, &p};
	struct wn_grains_sink markup = {.write = put_markup, .user = &p};
	wn_status st = WN_OK;
	p.coded = wn_calloc(LINE_BYTES / 3 * 4, 1);
	if (!p.coded)
		return wn_no_memory(err);
	WN_TRY(take_apart(&p, err));
	WN_TRY(put_part(&p, err)); /* a file needs no connections: @CONNECT@ is empty */
	WN_TRY(put_part(&p, err));
	WN_TRY(view_prerender(v, err));
	WN_TRY(view_put_prerendered(v, &markup, err));
	WN_TRY(put_part(&p, err));
	WN_TRY(view_write(v, &sink, err));
	if (p.is_open || p.n_written < PARTS_N - 1)
		WN_TRY(page_cut(&p, err));
	WN_TRY(put_part(&p, err));
	errno = 0;
	if (fflush(to) != 0)
		st = wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s",
		             errno ? strerror(errno) : "write error");
out:
	wn_free(p.coded);
	return st;
}
