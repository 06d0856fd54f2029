/* SPDX-License-Identifier: MIT */
/* calibration.c - reads the text of a calibration: of a profile, or of a trace's process block. */
#include "trace/trace_calibration.h"

#include "base/error.h"
#include "base/mem.h"
#include "trace/trace_private.h"

#include <stdio.h>
#include <string.h>

/* The words of one line. */
struct line {
	const char *at, *end;
	size_t number;
};

static bool
next_word(struct line *l, const char **word, size_t *n_bytes)
{
	while (l->at < l->end && *l->at == ' ')
		l->at++;
	*word = l->at;
	while (l->at < l->end && *l->at != ' ')
		l->at++;
	*n_bytes = (size_t)(l->at - *word);
	return *n_bytes > 0;
}

static bool
next_number(struct line *l, uint32_t *out)
{
	const char *word;
	size_t n_bytes;
	uint64_t value = 0;
	if (!next_word(l, &word, &n_bytes) || n_bytes > 10)
		return false;
	for (size_t i = 0; i < n_bytes; i++) {
		if (word[i] < '0' || word[i] > '9')
			return false;
		value = value * 10 + (uint64_t)(word[i] - '0');
	}
	*out = (uint32_t)value;
	return value <= WN_CALIBRATION_PS_MAX;
}

/* False if no event of this build has the name: a later one may have. */
static bool
next_event(struct line *l, unsigned *code)
{
	const char *word;
	size_t n_bytes;
	if (!next_word(l, &word, &n_bytes))
		return false;
	for (*code = 1; *code < WN_EV_N; ++*code) {
		const char *name = wn_event_name((enum wn_event_code) * code);
		if (strlen(name) == n_bytes && memcmp(name, word, n_bytes) == 0)
			return true;
	}
	return false;
}

static void
put_piece(struct wn_calibration *c, unsigned from, unsigned to, struct wn_probe_cost cost)
{
	c->piece[from][to] = cost;
	if (to == WN_EV_TASK_BEGIN)
		c->piece[from][WN_EV_TASK_BEGIN_OWN] = cost;
	if (from == WN_EV_TASK_BEGIN)
		put_piece(c, WN_EV_TASK_BEGIN_OWN, to, cost);
}

static bool
read_cost(struct line *l, struct wn_probe_cost *out)
{
	return next_number(l, &out->ps) && next_number(l, &out->sigma_ps);
}

static bool
read_piece(struct line *l, struct wn_calibration *c)
{
	struct wn_probe_cost cost;
	unsigned from, to;
	if (!next_event(l, &from) || !next_event(l, &to)) {
		l->at = l->end;
		return true;
	}
	if (!read_cost(l, &cost))
		return false;
	put_piece(c, from, to, cost);
	c->n_pieces++;
	return true;
}

/* Further ones than there is room for are skipped: a later build may have more. */
static bool
read_service(struct line *l, struct wn_calibration *c)
{
	struct wn_service s = {.n_threads = 0};
	const char *word;
	size_t n_bytes;
	if (!next_word(l, &word, &n_bytes) || !next_number(l, &s.n_threads) ||
	    !read_cost(l, &s.cost))
		return false;
	if (n_bytes >= sizeof s.name || c->n_services == WN_SERVICES_MAX)
		return true;
	memcpy(s.name, word, n_bytes);
	c->services[c->n_services++] = s;
	return true;
}

static bool
copy_rest(struct line *l, char *to, size_t to_bytes)
{
	while (l->at < l->end && *l->at == ' ')
		l->at++;
	snprintf(to, to_bytes, "%.*s", (int)(l->end - l->at), l->at);
	l->at = l->end;
	return true;
}

/* Returns false if the line is malformed; *is_end: it is the last one. */
static bool
read_line(struct line *l, struct wn_calibration *c, bool *is_end)
{
	const char *word;
	size_t n_bytes;
	bool is_ok = true;
	if (!next_word(l, &word, &n_bytes))
		return false;
#define IS(text) (n_bytes == sizeof text - 1 && memcmp(word, text, n_bytes) == 0)
	if (IS("piece"))
		is_ok = read_piece(l, c);
	else if (IS("entry"))
		is_ok = read_cost(l, &c->entry);
	else if (IS("service"))
		is_ok = read_service(l, c);
	else if (IS("rounds"))
		is_ok = next_number(l, &c->n_rounds);
	else if (IS("spread"))
		is_ok = next_number(l, &c->spread);
	else if (IS("cpu"))
		is_ok = copy_rest(l, c->cpu, sizeof c->cpu);
	else if (IS("recorder"))
		is_ok = copy_rest(l, c->recorder, sizeof c->recorder);
	else if (IS("runtime"))
		is_ok = copy_rest(l, c->runtime, sizeof c->runtime);
	else if (IS("end"))
		*is_end = true;
	else
		l->at = l->end;
#undef IS
	return is_ok && !next_word(l, &word, &n_bytes);
}

wn_status
wn_calibration_read(const char *text, size_t n_bytes, struct wn_calibration *out, wn_err *err)
{
	static const char head[] = WN_CALIBRATION_HEAD "\n";
	const char *end = text + n_bytes;
	bool is_end = false;
	memset(out, 0, sizeof *out);
	if (n_bytes < sizeof head - 1 || memcmp(text, head, sizeof head - 1) != 0)
		return wn_fail(err, WN_E_FORMAT, 0, "does not start with '%s'",
		               WN_CALIBRATION_HEAD);
	struct line l = {.end = text + sizeof head - 1, .number = 1};
	while (!is_end && l.end < end) {
		const char *begin = l.end;
		const char *stop = memchr(begin, '\n', (size_t)(end - begin));
		if (!stop || memchr(begin, '\0', (size_t)(stop - begin)))
			break;
		l = (struct line){begin, stop, l.number + 1};
		if (!read_line(&l, out, &is_end))
			return wn_fail(err, WN_E_FORMAT, (uint64_t)(begin - text),
			               "line %zu is malformed", l.number);
		l.end = stop + 1;
	}
	if (!is_end)
		return wn_fail(err, WN_E_FORMAT, n_bytes, "line %zu is the last, not 'end'",
		               l.number);
	return WN_OK;
}

wn_status
trace_calibration_add(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_calibration *c = wn_calloc(1, sizeof *c);
	if (!c)
		return wn_no_memory(err);
	if (wn_calibration_read((const char *)payload, n_bytes, c, NULL) == WN_OK) {
		wn_free(t->calibration);
		t->calibration = c;
		return WN_OK;
	}
	t->has_damaged_calibration = true;
	wn_free(c);
	return WN_OK;
}

const struct wn_calibration *
wn_trace_calibration(const struct wn_trace *t, bool *is_damaged)
{
	if (is_damaged)
		*is_damaged = t->has_damaged_calibration;
	return t->n_counters ? NULL : t->calibration; /* probes that read counters cost more */
}
