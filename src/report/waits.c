/* SPDX-License-Identifier: MIT */
/* waits.c - finds code that counts as work and is none of the program's: loops that only wait for
 * another thread, and atomic updates of one variable. Samples tell how often a thread was there. */
#include "report/sampled.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer samples are chance. */
#define LEAST_SAMPLES  6u
#define LEAST_CALLING  2u /* in loops with calls, whose samples are in the runtime */
#define LEAST_IN_LOOPS 2u /* of those at locks of the C library */
/* Of all samples: addresses with fewer are not examined. */
#define LEAST_SHARE_OF_ADDRESS 0.005
/* Of the threads' time: waits that are a finding; and those beside which no bound is known. */
#define LEAST_WAIT      0.03
#define LEAST_TO_HIDE   0.05
#define LEAST_IN_ATOMIC 0.15
/* ... at locks where threads sleep for this share, or for that one in short sleeps, while the
 * kernel takes the other */
#define LEAST_LOCK  0.01
#define LEAST_SLEEP 0.1
#define LEAST_SHORT 0.03
/* ... of the work, if the updates are of an array's elements: those of many elements, which rarely
 * meet, take 40 to 70 % of a short loop by themselves. Where samples of their memory show that it
 * is little, as the bins of a histogram, they do meet: then as above. */
#define LEAST_OF_WORK 0.75
#define LITTLE_BYTES  65536u
#define LEAST_UPDATES 4u
#define BLOCKS_MAX    32u

/* Samples at one address. */
struct at_address {
	size_t begin, end;
	struct wn_code_wait code;
	struct report_owner owner;
};

/* A call of the runtime that waits is the program's. */
static wn_status
find_call(const struct wn_places *places, uint64_t addr, struct at_address *out)
{
	struct wn_place place;
	wn_status st = wn_symbols_find(places->symbols, addr, false, &place);
	if (st == WN_OK && report_is_waiting_call(place.symbol)) {
		out->owner = (struct report_owner){.is_own = true};
		out->code = (struct wn_code_wait){.kind = WN_WAIT_CALL};
	}
	return st;
}

WN_COMPARE(by_address, struct wn_trace_sample, WN_BY_FIRST(addr, WN_BY(thread)))

/* Waits at one place, [WAITS_MAX] of a search. */
#define WAITS_MAX 32
struct found_waits {
	struct wn_report_wait items[WAITS_MAX];
	size_t n;
	struct memory {                      /* [n] of the updates of each */
		uint64_t blocks[BLOCKS_MAX]; /* [n_blocks] different ones of LITTLE_BYTES */
		size_t n_blocks, n_updates;
	} memory[WAITS_MAX];
	double *thread_ns; /* [n_threads] in loops */
	double no_waits_ns;
};

/* Is it known that threads call what waits, and not where? */
static bool
is_unplaced(const struct wn_code_wait *code)
{
	return code->kind == WN_WAIT_CALL && code->addr == 0;
}

/* All locks of the C library are one, and so are all updates in a nest of loops, or in a function
 * without one; calls belong to a loop that was seen to make them. */
static bool
is_same_wait(const struct wn_report_wait *wait, const struct at_address *at)
{
	if (wait->is_library || at->owner.is_library)
		return wait->is_library && at->owner.is_library;
	if (wait->code.kind != at->code.kind)
		return false;
	if (at->code.kind == WN_WAIT_CALL && (is_unplaced(&at->code) || is_unplaced(&wait->code)))
		return true;
	return at->code.kind == WN_WAIT_ATOMIC ? wait->code.around == at->code.around
	                                       : wait->code.addr == at->code.addr;
}

/* Shows the address tell more than that which the wait has? The function that takes a lock tells
 * more than the one that waits for any. */
static bool
is_clearer(const struct wn_report_wait *wait, const struct at_address *at)
{
	bool is_update = at->code.kind == WN_WAIT_ATOMIC;
	if (is_unplaced(&at->code) != is_unplaced(&wait->code))
		return is_unplaced(&wait->code);
	if (wait->is_library && is_update != (wait->code.kind == WN_WAIT_ATOMIC))
		return is_update;
	return at->end - at->begin > wait->n_at_code;
}

/* Adds a sample to the wait that it belongs to. */
static void
add_sample(struct found_waits *found, const struct at_address *at, double ns)
{
	bool is_update = at->code.kind == WN_WAIT_ATOMIC && !at->owner.is_library;
	size_t i = 0;
	while (i < found->n && !is_same_wait(&found->items[i], at))
		i++;
	if (i == WAITS_MAX)
		return;
	if (i == found->n)
		found->items[found->n++] =
		    (struct wn_report_wait){.rule = is_update ? WN_RULE_ATOMIC : WN_RULE_BUSY_WAIT,
		                            .code = at->code,
		                            .is_library = at->owner.is_library};
	struct wn_report_wait *wait = &found->items[i];
	if (is_clearer(wait, at)) {
		wait->code = at->code;
		wait->n_at_code = at->end - at->begin;
	}
	wait->ns += ns;
	wait->n_samples++;
	wait->n_in_loops += at->code.kind != WN_WAIT_ATOMIC;
}

static void
add_memory(struct memory *memory, uint64_t address)
{
	size_t k = 0;
	memory->n_updates++;
	while (k < memory->n_blocks && memory->blocks[k] != address / LITTLE_BYTES)
		k++;
	if (k == memory->n_blocks && k < BLOCKS_MAX)
		memory->blocks[memory->n_blocks++] = address / LITTLE_BYTES;
}

/* Sets which memory the updates of each wait touch. */
static wn_status
find_memory(const struct wn_report *r, struct found_waits *found)
{
	const struct wn_trace_access *updates;
	size_t n = wn_trace_updates(r->trace, &updates);
	for (size_t i = 0; i < n; i++) {
		struct at_address at = {.owner = report_owner(&r->places, updates[i].addr)};
		size_t k = 0;
		if (!at.owner.is_own)
			continue;
		if (wn_symbols_find_wait(r->places.symbols, updates[i].addr, &at.code) != WN_OK)
			return WN_E_NOMEM;
		while (k < found->n && !is_same_wait(&found->items[k], &at))
			k++;
		if (at.code.kind == WN_WAIT_ATOMIC && k < found->n)
			add_memory(&found->memory[k], updates[i].other);
	}
	return WN_OK;
}

/* Is it known that the updates of a wait touch little memory? */
static bool
is_little(const struct memory *memory)
{
	return memory->n_updates >= LEAST_UPDATES && 2 * memory->n_blocks <= memory->n_updates;
}

/* A thread's samples outside runtimes, and those in loops that wait by calls. */
struct counted {
	uint64_t n_own, n_calling;
	double own_ns;    /* what they stand for, at least */
	double sample_ns; /* what each stands for: more than its period where samples are missing */
	double calls_ns;  /* what each of those in such loops stands for in addition: the calls */
};

/* All samples stand for the time in user code, but for that in the kernel. Where a thread waits by
 * calls of the runtime, what the samples do not show was in these. */
static void
weigh(const struct wn_report *r, struct counted *counted)
{
	double outside = wn_report_user_share(r);
	for (uint32_t i = 0; i < r->graph->n_threads; i++) {
		struct counted *c = &counted[i];
		const struct wn_thread_time *time = &r->graph->thread_time[i];
		double user_ns = outside * (double)(time->work_ns + time->serial_ns);
		double sum_ns = c->n_calling ? fmin(user_ns, c->own_ns) : user_ns;
		c->sample_ns = c->n_own ? sum_ns / (double)c->n_own : 0;
		c->calls_ns = c->n_calling ? (user_ns - sum_ns) / (double)c->n_calling : 0;
	}
}

static wn_status
look_at(const struct wn_report *r, const struct wn_trace_sample *samples, size_t n, size_t begin,
        struct at_address *out)
{
	*out = (struct at_address){.begin = begin, .end = begin};
	while (out->end < n && samples[out->end].addr == samples[begin].addr)
		out->end++;
	out->owner = report_owner(&r->places, samples[begin].addr);
	if ((double)(out->end - begin) < LEAST_SHARE_OF_ADDRESS * (double)n)
		return WN_OK;
	if (!out->owner.is_own)
		return find_call(&r->places, samples[begin].addr, out);
	return wn_symbols_find_wait(r->places.symbols, samples[begin].addr, &out->code);
}

static wn_status
find_waits(const struct wn_report *r, const struct wn_trace_sample *samples, size_t n,
           struct counted *counted, struct found_waits *found)
{
	struct at_address at;
	for (int is_second = 0; is_second < 2; is_second++) {
		for (size_t i = 0; i < n; i = at.end) {
			if (look_at(r, samples, n, i, &at) != WN_OK)
				return WN_E_NOMEM;
			for (size_t k = at.begin; k < at.end && at.owner.is_own; k++) {
				if (samples[k].thread >= r->graph->n_threads)
					continue;
				struct counted *c = &counted[samples[k].thread];
				bool is_call = at.code.kind == WN_WAIT_CALL;
				if (is_second && at.code.kind != WN_WAIT_NONE) {
					double ns = c->sample_ns + (is_call ? c->calls_ns : 0);
					add_sample(found, &at, ns);
					if (at.code.kind != WN_WAIT_ATOMIC || at.owner.is_library)
						found->thread_ns[samples[k].thread] += ns;
				} else if (is_second) {
					found->no_waits_ns += c->sample_ns;
				} else {
					c->n_own++;
					c->n_calling += is_call;
					c->own_ns += 1e3 * (double)samples[k].period_us;
				}
			}
		}
		if (!is_second)
			weigh(r, counted);
	}
	return WN_OK;
}

/* Keeps a wait if it is one of the longest. */
static void
keep_wait(struct wn_report *r, const struct wn_report_wait *wait)
{
	size_t at = r->n_waits;
	if (at == WN_REPORT_WAITS && r->waits[--at].ns >= wait->ns)
		return;
	for (; at > 0 && r->waits[at - 1].ns < wait->ns; at--)
		r->waits[at] = r->waits[at - 1];
	r->waits[at] = *wait;
	r->n_waits += r->n_waits < WN_REPORT_WAITS;
}

/* Do threads sleep so much, and so often, as those that contend for a lock do? */
static bool
sleeps_for_locks(const struct wn_report *r)
{
	double all_ns = (double)r->model.thread_ns;
	double blocked_ns = (double)r->metrics->totals.blocked_ns;
	double calls_ns = wn_model_calls_ns(&r->model);
	return blocked_ns >= LEAST_SLEEP * all_ns ||
	       (blocked_ns >= LEAST_SHORT * all_ns && calls_ns >= LEAST_SLEEP * all_ns &&
	        wn_model_sleeps_are_short(&r->model));
}

static void
keep_waits(struct wn_report *r, const struct found_waits *found)
{
	double all_ns = (double)r->model.thread_ns, sum_ns = 0;
	for (size_t i = 0; i < found->n; i++) {
		const struct wn_report_wait *wait = &found->items[i];
		bool is_loop = wait->rule == WN_RULE_BUSY_WAIT;
		sum_ns += is_loop ? wait->ns : 0;
		/* what the program's code alone has shown already is found once */
		bool is_call = wait->code.kind == WN_WAIT_CALL;
		/* a lock that is free takes time, too */
		bool is_placed = !is_unplaced(&wait->code);
		bool waits = is_loop && is_placed && wait->n_in_loops >= LEAST_IN_LOOPS;
		/* alone, a thread waits for no other; an atomic update takes time all the same */
		if (is_loop && r->model.n_threads < 2)
			continue;
		/* threads that get no lock sleep */
		bool sleeps = wait->is_library && sleeps_for_locks(r);
		double least = (sleeps  ? LEAST_LOCK
		                : waits ? LEAST_WAIT
		                        : LEAST_IN_ATOMIC) *
		               all_ns;
		if (wait->code.is_moving && !is_little(&found->memory[i]))
			least = fmax(least, LEAST_OF_WORK * (double)r->metrics->totals.work_ns);
		if (wait->n_samples >= (is_call && is_placed ? LEAST_CALLING : LEAST_SAMPLES) &&
		    wait->ns >= least && (is_loop || r->pattern.code.kind == WN_PATTERN_NONE))
			keep_wait(r, wait);
	}
	if (sum_ns >= LEAST_TO_HIDE * all_ns)
		r->model.no_bound =
		    "threads wait in loops of the program or of the C library, which "
		    "counts as work";
}

/* A thread that waits in loops may be the one for which the others wait at the end of a region:
 * without its waits, it arrives earlier, up to the time when another one is the last. And where a
 * thread has more work than others only because it waits so long, there is no imbalance. */
static void
set_late(struct wn_report *r, const struct found_waits *found)
{
	const struct wn_graph *g = r->graph;
	double idle_ns = 0, n = r->model.n_threads, most_work_ns = 0;
	uint32_t most = 0;
	for (uint32_t i = 0; i < g->n_threads; i++) {
		idle_ns += (double)g->thread_time[i].idle_empty_ns;
		most = found->thread_ns[i] > found->thread_ns[most] ? i : most;
		if ((double)g->thread_time[i].work_ns > most_work_ns) {
			most_work_ns = (double)g->thread_time[i].work_ns;
			r->busiest_waits_ns = found->thread_ns[i];
		}
	}
	double others_ns = idle_ns - (double)g->thread_time[most].idle_empty_ns;
	double late_ns =
	    fmax(0, others_ns - (n - 1) * (double)g->thread_time[most].idle_empty_ns) / n;
	if (r->waits[0].rule == WN_RULE_BUSY_WAIT)
		r->waits[0].late_ns =
		    fmin(late_ns, fmax(0, found->thread_ns[most] - r->waits[0].ns / n));
}

/* Returns the name that the program's text has for a function of the C library, whose own text
 * has it with prefixes. */
static const char *
name_in_source(const char *name)
{
	while (name && *name == '_')
		name += strncmp(name, "_GI_", 4) == 0 ? 4 : 1;
	return name && *name ? name : NULL;
}

/* Finds the loop of the program that calls what waits, in the functions in which threads were. */
static wn_status
find_caller(const struct wn_report *r, const struct wn_trace_sample *samples, size_t n,
            struct wn_code_wait *code)
{
	wn_status st = WN_OK;
	struct wn_code_wait found = {.kind = WN_WAIT_NONE};
	for (size_t i = 0; i < n && st == WN_OK && found.kind == WN_WAIT_NONE; i++) {
		struct report_owner owner = report_owner(&r->places, samples[i].addr);
		if (owner.is_own && !owner.is_library &&
		    (i == 0 || samples[i - 1].addr != samples[i].addr))
			st = wn_symbols_find_calls(r->places.symbols, samples[i].addr, &found);
	}
	if (st == WN_OK && found.kind != WN_WAIT_NONE)
		*code = found;
	return st;
}

/* Whether threads wait for a mutex of the program, and not for one of the library's own. */
static bool
is_at_mutex(const struct wn_report_wait *wait)
{
	return wait->is_library && wait->function && strncmp(wait->function, "pthread_", 8) == 0;
}

/* Is it worth to look where threads sleep? */
static bool
sleeps_much(const struct wn_report *r)
{
	bool is_any = false;
	for (size_t i = 0; i < r->n_waits; i++)
		is_any |= is_at_mutex(&r->waits[i]);
	return is_any ||
	       (double)r->metrics->totals.blocked_ns >= WN_LEAST_GAIN * (double)r->model.thread_ns;
}

/* Finds the one call in which threads may sleep, for a lock of the C library or otherwise, of the
 * program's functions in which other threads than the first one were: what that one does alone is
 * not in regions. *place is the number of its place; it is not set if there is none, or several. */
static wn_status
find_the_call(struct wn_report *r, const struct wn_trace_sample *samples, size_t n, bool is_library,
              enum wn_wait_kind *kind, uint32_t *place, wn_err *err)
{
	struct wn_code_wait at, found = {.kind = WN_WAIT_NONE};
	struct wn_place source;
	uint64_t last = 0;
	for (size_t i = 0; i < n; i++) {
		struct report_owner owner = report_owner(&r->places, samples[i].addr);
		if (!owner.is_own || owner.is_library || samples[i].thread == 0 ||
		    samples[i].addr == last)
			continue;
		last = samples[i].addr;
		if (wn_symbols_find_sleep(r->places.symbols, samples[i].addr, &at) != WN_OK)
			return wn_no_memory(err);
		if (at.kind == WN_WAIT_NONE || (at.kind == WN_WAIT_LIBRARY) != is_library)
			continue;
		if (found.kind != WN_WAIT_NONE && found.addr != at.addr)
			return WN_OK;
		found = at;
	}
	if (found.kind == WN_WAIT_NONE)
		return WN_OK;
	if (wn_symbols_find(r->places.symbols, found.addr, false, &source) != WN_OK)
		return wn_no_memory(err);
	if (report_is_of_system(&source))
		return WN_OK;
	*kind = found.kind;
	*place = (uint32_t)r->places.n;
	return wn_places_add(&r->places, &source, err);
}

/* Finds where threads sleep, and gives waits in the C library the place of the program's call. */
static wn_status
find_sleep(struct wn_report *r, const struct wn_trace_sample *samples, size_t n, wn_err *err)
{
	enum wn_wait_kind kind = WN_WAIT_NONE;
	wn_status st = WN_OK;
	uint32_t place = 0;
	bool is_in_library = false;
	r->sleep.kind = WN_WAIT_NONE;
	if (sleeps_much(r))
		st = find_the_call(r, samples, n, false, &r->sleep.kind, &r->sleep.place, err);
	for (size_t i = 0; i < r->n_waits; i++)
		is_in_library |= r->waits[i].is_library && !is_at_mutex(&r->waits[i]);
	if (st == WN_OK && is_in_library)
		st = find_the_call(r, samples, n, true, &kind, &place, err);
	for (size_t i = 0; i < r->n_waits; i++) {
		struct wn_report_wait *wait = &r->waits[i];
		if (is_at_mutex(wait) && r->sleep.kind == WN_WAIT_MUTEX)
			wait->place = r->sleep.place;
		else if (wait->is_library && !is_at_mutex(wait) && kind == WN_WAIT_LIBRARY)
			wait->place = place;
	}
	return st;
}

static wn_status
add_place(struct wn_report *r, struct wn_report_wait *wait, wn_err *err)
{
	struct wn_place source, around;
	wait->place = is_unplaced(&wait->code) ? report_busiest_place(r) : (uint32_t)r->places.n;
	if (wait->place < r->places.n)
		return WN_OK;
	if (wn_symbols_find(r->places.symbols, wait->code.addr, false, &source) != WN_OK ||
	    wn_symbols_find(r->places.symbols, wait->code.around, false, &around) != WN_OK)
		return wn_no_memory(err);
	if (wait->is_library)
		wait->function = name_in_source(source.outer);
	wait->is_count = source.is_count;
	source = report_is_of_system(&source) ? around : source;
	if (wait->is_library || report_is_of_system(&source))
		wait->place = report_busiest_place(r);
	return wait->place < r->places.n ? WN_OK : wn_places_add(&r->places, &source, err);
}

static bool
is_same_line(const struct wn_place *a, const struct wn_place *b)
{
	return a == b || (a->line > 0 && a->line == b->line && a->file == b->file);
}

/* Waits at one place are one. */
static void
merge_places(struct wn_report *r)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->n_waits; i++) {
		size_t k = 0;
		while (k < kept && (r->waits[k].rule != r->waits[i].rule ||
		                    !is_same_line(&r->places.items[r->waits[k].place].source,
		                                  &r->places.items[r->waits[i].place].source)))
			k++;
		if (k == kept) {
			r->waits[kept++] = r->waits[i];
			continue;
		}
		r->waits[k].ns += r->waits[i].ns;
		r->waits[k].late_ns += r->waits[i].late_ns;
		r->waits[k].n_samples += r->waits[i].n_samples;
	}
	r->n_waits = kept;
}

/* Samples show for how long threads wait at a lock of the program; what its updates may cost is a
 * guess beside that. */
static void
drop_updates(struct wn_report *r)
{
	for (size_t i = 0; i < r->n_waits; i++)
		if (r->pattern.code.kind == WN_PATTERN_ATOMIC &&
		    r->waits[i].rule == WN_RULE_BUSY_WAIT &&
		    is_same_line(&r->places.items[r->waits[i].place].source,
		                 &r->places.items[r->pattern.place].source))
			r->pattern.code.kind = WN_PATTERN_NONE;
}

wn_status
report_find_waits(struct wn_report *r, wn_err *err)
{
	const struct wn_trace_sample *samples;
	size_t n = wn_trace_samples(r->trace, &samples);
	struct found_waits found = {.n = 0};
	wn_status st = WN_OK;
	if (n == 0 || r->graph->imported)
		return WN_OK;
	struct counted *counted = wn_calloc(r->graph->n_threads, sizeof *counted);
	struct wn_trace_sample *sorted = wn_calloc(n, sizeof *sorted);
	found.thread_ns = wn_calloc(r->graph->n_threads, sizeof *found.thread_ns);
	if (!counted || !sorted || !found.thread_ns)
		WN_TRY(wn_no_memory(err));
	memcpy(sorted, samples, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_address);
	if (find_waits(r, sorted, n, counted, &found) != WN_OK || find_memory(r, &found) != WN_OK)
		WN_TRY(wn_no_memory(err));
	report_find_modules(r, sorted, n);
	r->no_waits_ns = found.no_waits_ns;
	keep_waits(r, &found);
	if (report_find_runtime_calls(r, sorted, n) != WN_OK ||
	    report_find_alone(r, sorted, n) != WN_OK)
		WN_TRY(wn_no_memory(err));
	if (r->n_waits)
		set_late(r, &found);
	for (size_t i = 0; st == WN_OK && i < r->n_waits; i++) {
		if (is_unplaced(&r->waits[i].code))
			st = find_caller(r, sorted, n, &r->waits[i].code);
		if (st == WN_OK)
			st = add_place(r, &r->waits[i], err);
	}
	if (st == WN_OK)
		st = find_sleep(r, sorted, n, err);
	if (st == WN_OK)
		merge_places(r);
	if (st == WN_OK)
		drop_updates(r);
out:
	WN_FREE_ALL(counted, found.thread_ns, sorted);
	return st;
}

/* What its lock costs beside the waits and the kernel's part in them is not known: at most all.
 * Threads that sleep at the same place do so until they get it. */
static void
mark_library(struct wn_report *r, struct wn_finding *f, const struct wn_report_wait *wait,
             double most_ns)
{
	uint32_t busiest = report_busiest_place(r);
	const struct wn_report_place *place =
	    &r->places.items[busiest < r->places.n ? busiest : wait->place];
	f->variant = is_at_mutex(wait) ? WN_FINDING_AT_MUTEX : WN_FINDING_IN_LIBRARY;
	uint64_t ns = report_take_findings(r, WN_RULE_BIT(BLOCKED), place, UINT64_MAX, NULL);
	if (ns)
		wn_finding_save(f, (uint64_t)fmin((double)(f->loss_ns + ns), most_ns));
	wn_finding_allow(f, f->of_ns);
}

/* Returns the waits that may be for threads that other processes kept off the CPU. More threads
 * than CPUs keep one another off them; other processes had what the CPUs did not run of this one at
 * most. */
static double
waited_for_others_ns(const struct wn_report *r)
{
	double off_ns = wn_model_waited_for_ns(&r->model);
	double others_ns = wn_model_others_ns(&r->model, r->model.n_cpus);
	if (r->model.n_cpus >= r->model.n_threads || isnan(others_ns))
		return off_ns;
	return fmin(off_ns, others_ns * (r->model.n_threads - 1));
}

/* Time off the CPU is probably that of the one call of the code in which threads may sleep. */
static void
name_sleeps(struct wn_report *r)
{
	for (size_t i = 0; r->sleep.kind != WN_WAIT_NONE && i < r->n_findings; i++) {
		struct wn_report_finding *f = &r->findings[i];
		if (f->finding.rule != WN_RULE_BLOCKED)
			continue;
		f->place = &r->places.items[r->sleep.place];
		f->finding.variant = r->sleep.kind == WN_WAIT_MUTEX   ? WN_FINDING_IN_MUTEX
		                     : r->sleep.kind == WN_WAIT_SLEEP ? WN_FINDING_IN_SLEEP
		                                                      : WN_FINDING_IN_OUTPUT;
		f->advice = wn_finding_advice(&f->finding);
	}
}

wn_status
report_add_waits(struct wn_report *r, wn_err *err)
{
	double off_ns = waited_for_others_ns(r), all_ns = 0;
	wn_status st = WN_OK;
	for (size_t i = 0; i < r->n_waits; i++)
		all_ns += r->waits[i].rule == WN_RULE_BUSY_WAIT ? r->waits[i].ns : 0;
	if (r->busiest_waits_ns > 0) /* its imbalance is no other */
		report_take_findings(r, WN_RULE_BIT(UNEVEN_REGION) | WN_RULE_BIT(UNEVEN_LOOP), NULL,
		                     (uint64_t)r->busiest_waits_ns, NULL);
	report_name_alone(r);
	name_sleeps(r);
	for (size_t i = 0; st == WN_OK && i < r->n_waits; i++) {
		const struct wn_report_wait *wait = &r->waits[i];
		double ns = fmax(0, wait->ns - off_ns);
		double calls_ns = wait->is_library ? wn_model_calls_ns(&r->model) : 0;
		struct wn_report_finding f = {.place = &r->places.items[wait->place]},
					 *added = NULL;
		off_ns = fmax(0, off_ns - wait->ns);
		f.finding = (struct wn_finding){
		    .rule = wait->rule,
		    .site = WN_NO_SITE,
		    .of_ns = r->metrics->totals.elapsed_ns,
		    .n = wait->n_samples,
		    .variant = r->n_threads < 2       ? WN_FINDING_SAMPLED_ALONE
		               : wait->is_count       ? WN_FINDING_SAMPLED_COUNT
		               : wait->code.is_moving ? WN_FINDING_SAMPLED_MOVING
		                                      : WN_FINDING_SAMPLED,
		    .value = wait->ns + calls_ns,
		    .value2 = (wait->ns + calls_ns) / (double)r->model.thread_ns};
		double loss_ns = (ns + calls_ns) / r->model.n_cpus + wait->late_ns;
		/* what is no wait remains */
		double most_ns =
		    wait->rule == WN_RULE_ATOMIC
			? INFINITY
			: fmax(0, (double)f.finding.of_ns - r->no_waits_ns / r->model.n_cpus);
		wn_finding_save(&f.finding, (uint64_t)fmin(loss_ns, most_ns));
		/* code around the updates waits for them, too, and is not needed without them */
		if (wait->rule == WN_RULE_ATOMIC)
			wn_finding_allow(&f.finding, (uint64_t)((double)r->metrics->totals.work_ns /
			                                        r->model.n_cpus));
		/* threads that wait there may be those for which others wait elsewhere */
		else if (all_ns > wait->ns)
			wn_finding_allow(&f.finding,
			                 (uint64_t)(all_ns / r->model.n_cpus + wait->late_ns));
		if (wait->is_library)
			mark_library(r, &f.finding, wait, most_ns);
		f.finding.work_ns = f.finding.gain_ns * r->n_threads;
		if ((double)f.finding.saving.expected_ns >= WN_LEAST_GAIN * (double)f.finding.of_ns)
			st = report_add_finding(r, &f, &added, err);
		if (added)
			report_add_function(added, wait->function);
	}
	return st == WN_OK ? report_add_runtime_calls(r, err) : st;
}
