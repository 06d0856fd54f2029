/* SPDX-License-Identifier: MIT */
#include "export/out.h"

#include "base/digits.h"
#include "base/error.h"
#include "base/markup.h"
#include "base/mem.h"

#include <errno.h>
#include <string.h>

void
wn_out_begin(struct wn_out *o, FILE *to)
{
	o->to = to;
	o->n = 0;
	o->error = 0;
	o->kept = NULL;
	o->n_kept = o->kept_capacity = 0;
}

static void
keep(struct wn_out *o)
{
	if (!o->error && wn_grow(&o->kept, &o->kept_capacity, o->n_kept + o->n, 1) != 0)
		o->error = ENOMEM;
	if (!o->error) {
		memcpy(o->kept + o->n_kept, o->buffer, o->n);
		o->n_kept += o->n;
	}
	o->n = 0;
}

static void
drain(struct wn_out *o)
{
	if (!o->to) {
		keep(o);
		return;
	}
	errno = 0;
	if (!o->error && o->n && fwrite(o->buffer, 1, o->n, o->to) != o->n)
		o->error = errno ? errno : EIO;
	o->n = 0;
}

void
wn_out_pass(struct wn_out *o, struct wn_out *from)
{
	if (!o->error)
		o->error = from->error;
	wn_out_bytes(o, from->kept, from->n_kept);
	wn_out_bytes(o, from->buffer, from->n);
	from->n_kept = from->n = 0;
}

wn_status
wn_out_status(const struct wn_out *o)
{
	return o->error ? WN_E_IO : WN_OK;
}

wn_status
wn_out_end(struct wn_out *o, wn_err *err)
{
	drain(o);
	errno = 0;
	if (!o->error && o->to && fflush(o->to) != 0)
		o->error = errno ? errno : EIO;
	errno = o->error;
	if (o->error)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", strerror(o->error));
	return WN_OK;
}

/* Returns space for the next n bytes; n is small. */
static char *
room(struct wn_out *o, size_t n)
{
	if (WN_OUT_BYTES - o->n < n)
		drain(o);
	return o->buffer + o->n;
}

void
wn_out_bytes(struct wn_out *o, const char *bytes, size_t n)
{
	while (n > 0) {
		size_t room = WN_OUT_BYTES - o->n;
		size_t take = n < room ? n : room;
		memcpy(o->buffer + o->n, bytes, take);
		o->n += take;
		bytes += take;
		n -= take;
		if (o->n == WN_OUT_BYTES)
			drain(o);
	}
}

void
wn_out_text(struct wn_out *o, const char *text)
{
	wn_out_bytes(o, text, strlen(text));
}

void
wn_out_u64(struct wn_out *o, uint64_t value)
{
	o->n += wn_digits_u64(value, room(o, WN_DIGITS_BYTES));
}

void
wn_out_hex(struct wn_out *o, uint64_t value)
{
	o->n += wn_digits_hex(value, room(o, WN_DIGITS_BYTES));
}

void
wn_out_double(struct wn_out *o, double value)
{
	o->n += wn_digits_double(value, room(o, WN_DIGITS_BYTES));
}

void
wn_out_format(struct wn_out *o, const char *fmt, ...)
{
	char text[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	wn_out_text(o, text);
}

static const char *
dot_escape(uint32_t code)
{
	switch (code) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	default:
		return wn_is_control(code) ? WN_REPLACEMENT : NULL;
	}
}

void
wn_out_xml(struct wn_out *o, const char *text)
{
	const char *bytes;
	for (size_t left = strlen(text), n; left > 0;) {
		size_t taken = wn_markup(WN_MARKUP_XML, text, left, &bytes, &n);
		wn_out_bytes(o, bytes, n);
		text += taken;
		left -= taken;
	}
}

void
wn_out_dot(struct wn_out *o, const char *text)
{
	for (size_t left = strlen(text); left > 0;) {
		uint32_t code;
		size_t n = wn_utf8(text, left, &code);
		const char *instead = n ? dot_escape(code) : WN_REPLACEMENT;
		if (instead)
			wn_out_text(o, instead);
		else
			wn_out_bytes(o, text, n);
		text += n ? n : 1;
		left -= n ? n : 1;
	}
}
