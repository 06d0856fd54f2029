/* SPDX-License-Identifier: MIT */
#include "trace/trace_calibrate.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ROUNDS   3u
#define SIGMA_MAX      0.20 /* of the median, by it: more rounds make it less ... */
#define SIGMA_LEAST    1.0  /* ... unless it is less, in ns */
#define OUTLIER        20   /* times the median: an interrupt, or a window that was written */
#define SPLIT_UNKNOWN  0.29 /* standard deviation of an equal split, by the part: uniform */
#define FIT_ROUNDS     100
#define UNSEEN_LEAST   2.0 /* ns: standard deviation of a piece that was not measured */
#define MEASURED_LEAST 1.0 /* ns: of one that was: what the empty program itself does */

struct pair {
	double ns[WN_CALIBRATE_ROUNDS_MAX]; /* NAN: not in this round */
	bool is_seen;
};

struct wn_calibrate {
	size_t n_rounds;
	double entry_ns[WN_CALIBRATE_ROUNDS_MAX];
	struct pair pair[WN_EV_N][WN_EV_N];
};

/* The pieces of one pair of events in one phase. */
struct sample {
	uint32_t *ns;
	size_t n, capacity;
};

static enum wn_event_code
plain_code(enum wn_event_code code)
{
	return code == WN_EV_TASK_BEGIN_OWN ? WN_EV_TASK_BEGIN : code;
}

static bool
is_in(enum wn_event_code code, const enum wn_event_code *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == code)
			return true;
	return false;
}

/* MUTEX_RELEASED is no begin of user code: the mutex is released after its clock read. */
static bool
is_user_code(enum wn_event_code from, enum wn_event_code to)
{
	static const enum wn_event_code begins[] = {
	    WN_EV_TASK_BEGIN,     WN_EV_CREATE_END,     WN_EV_SYNC_END,   WN_EV_CHUNK_BEGIN,
	    WN_EV_SECTION_BEGIN,  WN_EV_STATIC_BEGIN,   WN_EV_REGION_END, WN_EV_GROUP_BEGIN,
	    WN_EV_MUTEX_ACQUIRED, WN_EV_IMPLICIT_BEGIN,
	};
	static const enum wn_event_code ends[] = {
	    WN_EV_TASK_END,    WN_EV_TASK_CREATE,  WN_EV_SYNC_BEGIN,
	    WN_EV_CHUNK_END,   WN_EV_MUTEX_WAIT,   WN_EV_MUTEX_RELEASED,
	    WN_EV_GROUP_BEGIN, WN_EV_REGION_BEGIN, WN_EV_LOOP_BEGIN,
	};
	return is_in(from, begins, sizeof begins / sizeof *begins) &&
	       is_in(to, ends, sizeof ends / sizeof *ends);
}

struct wn_calibrate *
wn_calibrate_new(void)
{
	return wn_calloc(1, sizeof(struct wn_calibrate));
}

void
wn_calibrate_free(struct wn_calibrate *c)
{
	wn_free(c);
}

/* --- one round -------------------------------------------------------------------------------- */

/* The pieces of one phase, by pair of events. */
struct round {
	struct sample sample[WN_EV_N][WN_EV_N];
};

static void
samples_free(struct round *r)
{
	for (unsigned from = 0; from < WN_EV_N; from++)
		for (unsigned to = 0; to < WN_EV_N; to++)
			wn_free(r->sample[from][to].ns);
	memset(r, 0, sizeof *r);
}

static wn_status
sample_add(struct sample *s, uint64_t ns, wn_err *err)
{
	if (wn_grow(&s->ns, &s->capacity, s->n + 1, sizeof *s->ns) != 0)
		return wn_no_memory(err);
	s->ns[s->n++] = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
	return WN_OK;
}

/* Reads the pieces of the first thread that lie in a phase. */
static wn_status
read_phase(struct wn_trace *trace, const struct wn_calibrate_phase *phase, struct round *out,
           wn_err *err)
{
	uint64_t start_ns = wn_trace_header(trace)->start_mono_ns;
	struct wn_cursor cursor;
	struct wn_event event;
	enum wn_event_code last = WN_EV_NONE;
	uint64_t last_ns = 0;
	wn_status st = WN_OK;
	int got = 0;
	wn_cursor_init(&cursor, trace, 0);
	while (st == WN_OK && (got = wn_cursor_next(&cursor, &event)) == 1) {
		if (!wn_event_has_time(event.code))
			continue;
		uint64_t ns = start_ns + wn_trace_ns(trace, event.tick);
		enum wn_event_code code = plain_code(event.code);
		if (ns < phase->begin_ns || ns > phase->end_ns) {
			last = WN_EV_NONE;
		} else {
			if (last != WN_EV_NONE && ns > last_ns)
				st = sample_add(&out->sample[last][code], ns - last_ns, err);
			last = code;
		}
		last_ns = ns;
	}
	return got < 0 ? wn_no_memory(err) : st;
}

/* The mean without outliers. */
static double
typical(struct sample *s)
{
	double sum = 0;
	size_t n = 0;
	qsort(s->ns, s->n, sizeof *s->ns, wn_compare_u32);
	while (n < s->n && s->ns[n] <= (uint64_t)OUTLIER * (s->ns[s->n / 2] + 1))
		sum += s->ns[n++];
	return sum / (double)n;
}

/* A pair in several phases has the mean of them. */
static void
put(struct wn_calibrate *c, unsigned from, unsigned to, double ns)
{
	struct pair *p = &c->pair[from][to];
	double *at = &p->ns[c->n_rounds];
	*at = isnan(*at) ? ns : (*at + ns) / 2;
	p->is_seen = true;
}

static void
add_phase(struct wn_calibrate *c, struct round *r, double longer_ns)
{
	double entry_ns = c->entry_ns[c->n_rounds];
	double n_runtime = 0;
	for (unsigned from = 1; from < WN_EV_N; from++) {
		for (unsigned to = 1; to < WN_EV_N; to++) {
			struct sample *s = &r->sample[from][to];
			if (s->n == 0)
				continue;
			if (!is_user_code(from, to)) {
				n_runtime += (double)s->n;
				continue;
			}
			double ns = fmax(0, typical(s) - entry_ns);
			longer_ns -= ns * (double)s->n;
			if (s->n >= 8)
				put(c, from, to, ns);
		}
	}
	for (unsigned from = 1; from < WN_EV_N; from++)
		for (unsigned to = 1; to < WN_EV_N; to++)
			if (r->sample[from][to].n >= 8 && !is_user_code(from, to))
				put(c, from, to, fmax(0, longer_ns / n_runtime));
}

static double
length_of(const struct wn_calibrate_phase *p)
{
	return (double)(p->end_ns - p->begin_ns);
}

wn_status
wn_calibrate_add(struct wn_calibrate *c, struct wn_trace *trace,
                 const struct wn_calibrate_run *plain, const struct wn_calibrate_run *recorded,
                 wn_err *err)
{
	struct round *r = wn_calloc(1, sizeof *r);
	wn_status st = WN_OK;
	if (!r)
		return wn_no_memory(err);
	if (c->n_rounds == WN_CALIBRATE_ROUNDS_MAX)
		WN_TRY(wn_fail(err, WN_E_LIMIT, WN_NO_OFFSET, "too many rounds"));
	for (unsigned from = 0; from < WN_EV_N; from++)
		for (unsigned to = 0; to < WN_EV_N; to++)
			c->pair[from][to].ns[c->n_rounds] = NAN;
	for (size_t i = 0; st == WN_OK && i < plain->n_phases; i++) {
		const struct wn_calibrate_phase *a = &plain->phases[i], *b = &recorded->phases[i];
		if (plain->n_phases != recorded->n_phases || strcmp(a->name, b->name) != 0 ||
		    a->n != b->n || a->n == 0 || a->end_ns < a->begin_ns ||
		    b->end_ns < b->begin_ns) {
			st = wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the runs do not fit together");
		} else if (strcmp(a->name, "entry") == 0) {
			c->entry_ns[c->n_rounds] = fmin(length_of(a), length_of(b)) / (double)a->n;
		} else if ((st = read_phase(trace, b, r, err)) == WN_OK) {
			add_phase(c, r, length_of(b) - length_of(a));
			samples_free(r);
		}
	}
	c->n_rounds += st == WN_OK;
out:
	samples_free(r);
	wn_free(r);
	return st;
}

/* --- all rounds ------------------------------------------------------------------------------- */

struct result {
	double ns, sigma_ns, quartiles_ns;
};

static struct result
median_of(const double *values, size_t n_rounds)
{
	double sorted[WN_CALIBRATE_ROUNDS_MAX];
	size_t n = 0;
	for (size_t i = 0; i < n_rounds; i++)
		if (!isnan(values[i]))
			sorted[n++] = values[i];
	if (n == 0)
		return (struct result){NAN, 0, 0};
	qsort(sorted, n, sizeof *sorted, wn_compare_double);
	struct result r = {.ns = sorted[n / 2],
	                   .quartiles_ns = sorted[n - 1 - n / 4] - sorted[n / 4]};
	/* of the median of a normal distribution, by its quartiles */
	r.sigma_ns = 1.2533 * r.quartiles_ns / 1.349 / sqrt((double)n);
	return r;
}

static bool
is_unsteady(const struct result *r)
{
	return r->sigma_ns > SIGMA_LEAST && r->sigma_ns > SIGMA_MAX * r->ns;
}

static struct wn_probe_cost
cost_of(double ns, double sigma_ns)
{
	double most = WN_CALIBRATION_PS_MAX;
	return (struct wn_probe_cost){(uint32_t)fmin(most, 1000 * ns),
	                              (uint32_t)fmin(most, 1000 * sigma_ns)};
}

/* Fits b + a to the measured pieces of user code, and computes the others from it. */
static void
fill_user_code(struct wn_calibration *out)
{
	double after[WN_EV_N] = {0}, before[WN_EV_N] = {0}, sum2 = 0;
	size_t n_after[WN_EV_N] = {0}, n_before[WN_EV_N] = {0}, n = 0;
	bool is_known[WN_EV_N][WN_EV_N];
	for (unsigned i = 0; i < WN_EV_N; i++) {
		for (unsigned j = 0; j < WN_EV_N; j++) {
			is_known[i][j] = out->piece[i][j].sigma_ps && is_user_code(i, j);
			n_after[i] += is_known[i][j];
			n_before[j] += is_known[i][j];
		}
	}
	for (int k = 0; k < 2 * FIT_ROUNDS; k++) {
		double *side = k % 2 ? before : after, *other = k % 2 ? after : before;
		for (unsigned i = 0; i < WN_EV_N; i++) {
			double sum = 0;
			for (unsigned j = 0; j < WN_EV_N; j++) {
				unsigned from = k % 2 ? j : i, to = k % 2 ? i : j;
				if (is_known[from][to])
					sum += out->piece[from][to].ps / 1000.0 - other[j];
			}
			size_t n_of = k % 2 ? n_before[i] : n_after[i];
			side[i] = n_of ? sum / (double)n_of : 0;
		}
	}
	for (unsigned i = 0; i < WN_EV_N; i++)
		for (unsigned j = 0; j < WN_EV_N; j++)
			if (is_known[i][j]) {
				double off = out->piece[i][j].ps / 1000.0 - after[i] - before[j];
				sum2 += off * off;
				n++;
			}
	double sigma_ns = fmax(UNSEEN_LEAST, n ? sqrt(sum2 / (double)n) : 0);
	for (unsigned i = 0; i < WN_EV_N; i++)
		for (unsigned j = 0; j < WN_EV_N; j++)
			if (!is_known[i][j] && n_after[i] && n_before[j] && is_user_code(i, j) &&
			    after[i] + before[j] > 0)
				out->piece[i][j] = cost_of(after[i] + before[j], sigma_ns);
}

wn_status
wn_calibrate_solve(const struct wn_calibrate *c, struct wn_calibration *out, wn_err *err)
{
	struct result body = median_of(c->pair[WN_EV_TASK_BEGIN][WN_EV_TASK_END].ns, c->n_rounds);
	struct result entry = median_of(c->entry_ns, c->n_rounds);
	memset(out, 0, sizeof *out);
	if (c->n_rounds < LEAST_ROUNDS || isnan(body.ns))
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "too few rounds");
	if (is_unsteady(&body))
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "an empty task took %.0f ns, and %.0f ns more or less from run to "
		               "run: the machine is too busy to measure it",
		               body.ns, body.quartiles_ns);
	out->n_rounds = (uint32_t)c->n_rounds;
	out->entry = cost_of(entry.ns, fmax(entry.sigma_ns, entry.ns / 4));
	for (unsigned from = 1; from < WN_EV_N; from++) {
		for (unsigned to = 1; to < WN_EV_N; to++) {
			struct result r = {.ns = NAN};
			if (c->pair[from][to].is_seen)
				r = median_of(c->pair[from][to].ns, c->n_rounds);
			out->n_unsteady += !isnan(r.ns) && is_unsteady(&r);
			if (isnan(r.ns) || is_unsteady(&r))
				continue;
			double split = is_user_code(from, to) ? 0 : SPLIT_UNKNOWN * r.ns;
			out->piece[from][to] =
			    cost_of(r.ns, sqrt(r.sigma_ns * r.sigma_ns + split * split +
			                       MEASURED_LEAST * MEASURED_LEAST));
		}
	}
	fill_user_code(out);
	return WN_OK;
}

size_t
wn_calibration_write(const struct wn_calibration *c, char *out, size_t out_bytes)
{
	size_t used = 0;
#define ADD(...)                                                                                   \
	do {                                                                                       \
		int n = snprintf(out + used, out_bytes - used, __VA_ARGS__);                       \
		if (n < 0 || (size_t)n >= out_bytes - used)                                        \
			return 0;                                                                  \
		used += (size_t)n;                                                                 \
	} while (0)
	ADD("%s\ncpu %s\nrecorder %s\nruntime %s\nrounds %u\nentry %u %u\n", WN_CALIBRATION_HEAD,
	    c->cpu, c->recorder, c->runtime, c->n_rounds, c->entry.ps, c->entry.sigma_ps);
	if (c->spread > 0)
		ADD("spread %u\n", c->spread);
	for (unsigned from = 1; from < WN_EV_N; from++)
		for (unsigned to = 1; to < WN_EV_N; to++)
			if (c->piece[from][to].sigma_ps && from != WN_EV_TASK_BEGIN_OWN &&
			    to != WN_EV_TASK_BEGIN_OWN)
				ADD("piece %s %s %u %u\n", wn_event_name((enum wn_event_code)from),
				    wn_event_name((enum wn_event_code)to), c->piece[from][to].ps,
				    c->piece[from][to].sigma_ps);
	for (unsigned i = 0; i < c->n_services; i++)
		ADD("service %s %u %u %u\n", c->services[i].name, c->services[i].n_threads,
		    c->services[i].cost.ps, c->services[i].cost.sigma_ps);
	ADD("end\n");
#undef ADD
	return used;
}
