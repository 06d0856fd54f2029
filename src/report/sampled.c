/* SPDX-License-Identifier: MIT */
/* sampled.c - what samples of code show beside waits: calls of the runtime without an event, which
 * count as work, and the function in which one thread is alone. */
#include "report/sampled.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fewer samples are chance. */
#define LEAST_SAMPLES            6u
#define LEAST_SAMPLES_IN_RUNTIME 10u
/* Of the threads' time: time in the runtime, beyond what is known of it. */
#define LEAST_IN_RUNTIME 0.1
/* Of the time of one thread alone: samples of the function that is named. The rest is in what it
 * calls; more is other code of one thread. */
#define LEAST_ALONE 0.25
#define MOST_ALONE  1.25
/* A call of the runtime costs this much of its time there: the program's code around it cannot keep
 * values in registers, nor use vectors. */
#define CALLS_COST 1.4

/* Does the module's name begin with one of a list, which ends with NULL? */
static bool
is_one_of(const char *module, const char *const *names)
{
	for (; *names; names++)
		if (strncmp(module, *names, strlen(*names)) == 0)
			return true;
	return false;
}

struct report_owner
report_owner(const struct wn_places *places, uint64_t addr)
{
	static const char *const runtimes[] = {"libgomp", "libomp", "libiomp", NULL};
	static const char *const winnow[] = {"libwinnow", NULL};
	static const char *const library[] = {"libc.so", "libc-", "libpthread", "ld-", NULL};
	const char *module = wn_symbols_module(places->symbols, addr);
	bool is_runtime = module && is_one_of(module, runtimes);
	return (struct report_owner){.is_own = module && !is_runtime && !is_one_of(module, winnow),
	                             .is_runtime = is_runtime,
	                             .is_library = module && is_one_of(module, library),
	                             .is_loader = module && strncmp(module, "ld-", 3) == 0};
}

double
wn_report_user_share(const struct wn_report *r)
{
	uint64_t kernel_ns, cpu_ns;
	bool is_known = wn_trace_fact(r->trace, WN_FACT_KERNEL_NS, &kernel_ns) &&
	                wn_trace_fact(r->trace, WN_FACT_CPU_NS, &cpu_ns) && kernel_ns < cpu_ns;
	return is_known ? 1 - (double)kernel_ns / (double)cpu_ns : 1;
}

bool
report_is_waiting_call(const char *symbol)
{
	static const char *const calls[] = {"__kmpc_flush", "omp_test_lock", "gomp_test_lock_30"};
	for (size_t i = 0; symbol && i < sizeof calls / sizeof *calls; i++)
		if (strcmp(symbol, calls[i]) == 0)
			return true;
	return false;
}

/* Samples by function, or by file. */
#define FUNCTIONS_MAX 256u
struct functions {
	struct of_function {
		const char *name;
		size_t n;
		uint32_t thread;
		bool has_others; /* samples of other threads */
	} items[FUNCTIONS_MAX];
	size_t n;
};

static void
count_sample(struct functions *functions, const char *name, uint32_t thread)
{
	size_t k = functions->n; /* samples of one function follow one another */
	while (k > 0 && strcmp(functions->items[k - 1].name, name) != 0)
		k--;
	if (k == 0 && functions->n == FUNCTIONS_MAX)
		return;
	if (k == 0) {
		k = ++functions->n;
		functions->items[k - 1] = (struct of_function){.name = name, .thread = thread};
	}
	functions->items[k - 1].n++;
	functions->items[k - 1].has_others |= functions->items[k - 1].thread != thread;
}

/* Returns the one with most samples, of those of one thread alone or of all; NULL: there is none.
 */
static struct of_function *
most_sampled(struct functions *functions, bool is_alone)
{
	struct of_function *most = NULL;
	for (size_t k = 0; k < functions->n; k++) {
		struct of_function *f = &functions->items[k];
		if (f->n > (most ? most->n : 0) && !(is_alone && f->has_others))
			most = f;
	}
	return most;
}

/* Finds the time in the runtime that counts as work: the part of the CPU time outside the kernel
 * that the samples show there, as rings lose samples, beyond all time that threads were known to be
 * in it, or may have been, without a standard deviation of chance.
 * The loader counts as far as the runtime may have called it. */
wn_status
report_find_runtime_calls(struct wn_report *r, const struct wn_trace_sample *samples, size_t n)
{
	double work_ns = (double)r->metrics->totals.work_ns;
	struct functions functions = {.n = 0};
	size_t n_in_runtime = 0, n_in_loader = 0;
	uint64_t span_ns, cpu_ns;
	for (size_t i = 0; i < n; i++) {
		struct report_owner owner = report_owner(&r->places, samples[i].addr);
		struct wn_place place;
		n_in_loader += owner.is_loader;
		if (!owner.is_runtime)
			continue;
		if (wn_symbols_find(r->places.symbols, samples[i].addr, false, &place) != WN_OK)
			return WN_E_NOMEM;
		n_in_runtime += !report_is_waiting_call(place.symbol);
		if (place.symbol && !report_is_waiting_call(place.symbol))
			count_sample(&functions, place.symbol, samples[i].thread);
	}
	if (n_in_runtime < LEAST_SAMPLES_IN_RUNTIME ||
	    !wn_trace_fact(r->trace, WN_FACT_SPAN_NS, &span_ns) ||
	    !wn_trace_fact(r->trace, WN_FACT_CPU_NS, &cpu_ns))
		return WN_OK;
	size_t n_in = n_in_runtime + (n_in_loader < n_in_runtime ? n_in_loader : n_in_runtime);
	double share = (double)n_in / (double)n, user_ns = wn_report_user_share(r) * (double)cpu_ns;
	double known_ns = fmax(0, r->model.n_threads * (double)span_ns - work_ns);
	double chance_ns = sqrt(share * (1 - share) / (double)n) * user_ns;
	double ns = share * user_ns - known_ns;
	if (ns - chance_ns < LEAST_IN_RUNTIME * (double)r->model.thread_ns)
		return WN_OK;
	const struct of_function *most = most_sampled(&functions, false);
	r->runtime_calls = (struct wn_report_wait){.rule = WN_RULE_RUNTIME_CALLS,
	                                           .ns = fmin(ns, work_ns),
	                                           .n_samples = n_in_runtime,
	                                           .function = most ? most->name : NULL};
	return WN_OK;
}

/* Is it code of a library that comes with the compiler? */
static bool
is_of_language(const struct wn_places *places, uint64_t addr)
{
	static const char *const libraries[] = {"libm.so",     "libm-",    "libstdc++", "libc++",
	                                        "libgfortran", "libgcc_s", NULL};
	const char *module = wn_symbols_module(places->symbols, addr);
	return module && is_one_of(module, libraries);
}

/* More statements are not told apart. */
#define STATEMENTS_MAX 64u

/* Samples by statement. */
struct statements {
	struct {
		struct wn_place source;
		size_t n;
	} items[STATEMENTS_MAX];
	size_t n, most;
};

static void
count_statement(struct statements *s, const struct wn_place *source)
{
	size_t k = 0;
	while (k < s->n &&
	       (s->items[k].source.line != source->line || s->items[k].source.file != source->file))
		k++;
	if (k == STATEMENTS_MAX)
		return;
	if (k == s->n) {
		s->items[s->n].source = *source;
		s->items[s->n++].n = 0;
	}
	s->items[k].n++;
	s->most = s->items[k].n > s->items[s->most].n ? k : s->most;
}

/* Finds the line of that function with most samples. */
static wn_status
find_line_alone(struct wn_report *r, const struct wn_trace_sample *samples, size_t n)
{
	struct statements lines = {.n = 0};
	for (size_t i = 0; i < n; i++) {
		struct wn_place place;
		if (wn_symbols_find(r->places.symbols, samples[i].addr, false, &place) != WN_OK)
			return WN_E_NOMEM;
		if (place.function && strcmp(place.function, r->alone.function) == 0 &&
		    place.line > 0)
			count_statement(&lines, &place);
	}
	if (lines.n > 0) {
		r->alone.file = lines.items[lines.most].source.file;
		r->alone.line = lines.items[lines.most].source.line;
	}
	return WN_OK;
}

wn_status
report_find_alone(struct wn_report *r, const struct wn_trace_sample *samples, size_t n)
{
	struct functions functions = {.n = 0};
	uint64_t cpu_ns;
	for (size_t i = 0; i < n; i++) {
		struct report_owner owner = report_owner(&r->places, samples[i].addr);
		struct wn_place place;
		if (!owner.is_own || owner.is_library ||
		    is_of_language(&r->places, samples[i].addr))
			continue;
		if (wn_symbols_find(r->places.symbols, samples[i].addr, false, &place) != WN_OK)
			return WN_E_NOMEM;
		if (place.function && !place.is_outlined)
			count_sample(&functions, place.function, samples[i].thread);
	}
	const struct of_function *most = most_sampled(&functions, true);
	if (most && most->n >= LEAST_SAMPLES && wn_trace_fact(r->trace, WN_FACT_CPU_NS, &cpu_ns)) {
		r->alone.function = most->name;
		r->alone.ns =
		    wn_report_user_share(r) * (double)cpu_ns * (double)most->n / (double)n;
		return find_line_alone(r, samples, n);
	}
	return WN_OK;
}

void
report_add_function(struct wn_report_finding *f, const char *function)
{
	size_t used = strlen(f->message);
	if (function && used < sizeof f->message)
		snprintf(f->message + used, sizeof f->message - used, ", mostly in %s()", function);
}

void
report_find_modules(struct wn_report *r, const struct wn_trace_sample *samples, size_t n)
{
	struct functions files = {.n = 0};
	for (size_t i = 0; i < n; i++) {
		const char *name = wn_symbols_module(r->places.symbols, samples[i].addr);
		if (name)
			count_sample(&files, name, samples[i].thread);
	}
	r->n_samples = n;
	for (r->n_modules = 0; r->n_modules < WN_REPORT_MODULES; r->n_modules++) {
		struct of_function *most = most_sampled(&files, false);
		if (!most)
			return;
		r->modules[r->n_modules].name = most->name;
		r->modules[r->n_modules].n_samples = most->n;
		most->n = 0;
	}
}

/* Of the sampled page faults: those of the function that is named. */
#define LEAST_OF_FAULTS 0.4

bool
report_is_of_system(const struct wn_place *source)
{
	return source->file && strncmp(source->file, "/usr/", 5) == 0;
}

/* Looks up the program's code that has a page fault: of functions like memset() the call. function
 * is NULL if that is unknown. */
static wn_status
find_toucher(const struct wn_report *r, const struct wn_trace_access *fault, struct wn_place *out)
{
	struct report_owner at = report_owner(&r->places, fault->addr);
	struct report_owner caller = report_owner(&r->places, fault->other);
	bool is_direct = at.is_own && !at.is_library;
	bool is_called = at.is_library && caller.is_own && !caller.is_library;
	*out = (struct wn_place){.function = NULL};
	if (!is_direct && !is_called)
		return WN_OK;
	wn_status st = wn_symbols_find(r->places.symbols, is_direct ? fault->addr : fault->other,
	                               is_called, out);
	if (st == WN_OK && report_is_of_system(out))
		out->function = NULL;
	return st;
}

/* Finds the statement with most of the page faults of a function. */
static wn_status
find_statement(const struct wn_report *r, const char *function, struct wn_place *out)
{
	struct statements statements = {.n = 0};
	const struct wn_trace_access *faults;
	size_t n = wn_trace_faults(r->trace, &faults);
	for (size_t i = 0; i < n; i++) {
		struct wn_place place;
		if (find_toucher(r, &faults[i], &place) != WN_OK)
			return WN_E_NOMEM;
		if (place.function && strcmp(place.function, function) == 0)
			count_statement(&statements, &place);
	}
	*out = statements.items[statements.most].source;
	return WN_OK;
}

wn_status
report_find_touched(struct wn_report *r, wn_err *err)
{
	struct functions functions = {.n = 0};
	const struct wn_trace_access *faults;
	size_t n = wn_trace_faults(r->trace, &faults);
	struct wn_place place;
	r->touched = WN_NO_PLACE;
	for (size_t i = 0; i < n; i++) {
		if (find_toucher(r, &faults[i], &place) != WN_OK)
			return wn_no_memory(err);
		if (place.function)
			count_sample(&functions, place.function, faults[i].thread);
	}
	const struct of_function *most = most_sampled(&functions, false);
	if (!most || most->n < LEAST_SAMPLES || (double)most->n < LEAST_OF_FAULTS * (double)n)
		return WN_OK;
	if (find_statement(r, most->name, &place) != WN_OK)
		return wn_no_memory(err);
	r->touched = (uint32_t)r->places.n;
	return wn_places_add(&r->places, &place, err);
}

void
report_place_faults(struct wn_report *r)
{
	for (size_t i = 0; r->touched < r->places.n && i < r->n_findings; i++)
		if (r->findings[i].finding.rule == WN_RULE_PAGE_FAULTS && !r->findings[i].place)
			r->findings[i].place = &r->places.items[r->touched];
}

/* Appends the function in which one thread was alone, if it accounts for that time of one thread.
 */
static void
add_alone(const struct wn_report *r, struct wn_report_finding *f, double ns)
{
	if (r->alone.ns < LEAST_ALONE * ns || r->alone.ns > MOST_ALONE * ns)
		return;
	report_add_function(f, r->alone.function);
	size_t used = strlen(f->message);
	const char *slash = r->alone.file ? strrchr(r->alone.file, '/') : NULL;
	if (r->alone.file && used < sizeof f->message)
		snprintf(f->message + used, sizeof f->message - used, " at %s:%d",
		         slash ? slash + 1 : r->alone.file, r->alone.line);
}

void
report_name_alone(struct wn_report *r)
{
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct wn_finding *f = &r->findings[i].finding;
		double of_others = (double)f->loss_ns / (1 - 1 / (double)r->n_threads);
		if (f->rule == WN_RULE_SERIAL)
			add_alone(r, &r->findings[i], (double)r->metrics->totals.serial_ns);
		if (f->rule == WN_RULE_UNEVEN_REGION && f->variant == WN_FINDING_ALONE)
			add_alone(r, &r->findings[i], of_others);
	}
}

uint32_t
report_busiest_place(const struct wn_report *r)
{
	const struct wn_graph *g = r->graph;
	uint64_t *work_ns = wn_calloc(r->places.n + 1, sizeof *work_ns), most_ns = 0;
	uint32_t busiest = (uint32_t)r->places.n;
	for (wn_grain id = 0; work_ns && id < g->n; id++)
		if (wn_places_of(&r->places, g->site[id]))
			work_ns[r->places.of_site[g->site[id]]] += wn_work_ns(g, id);
	for (uint32_t place = 0; work_ns && place < r->places.n; place++)
		if (work_ns[place] > most_ns) {
			most_ns = work_ns[place];
			busiest = place;
		}
	wn_free(work_ns);
	return busiest;
}

uint64_t
report_take_findings(struct wn_report *r, uint64_t rules, const struct wn_report_place *place,
                     uint64_t most_ns, struct wn_finding *largest)
{
	size_t kept = 0;
	uint64_t loss_ns = 0;
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct wn_finding *f = &r->findings[i].finding;
		bool is_taken = rules >> f->rule & 1 && f->loss_ns <= most_ns &&
		                (!place || r->findings[i].place == place);
		if (is_taken && f->loss_ns >= loss_ns) {
			loss_ns = f->loss_ns;
			if (largest)
				*largest = *f;
		}
		if (!is_taken)
			r->findings[kept++] = r->findings[i];
	}
	r->n_near = kept < r->n_findings ? 0 : r->n_near;
	r->n_findings = kept;
	return loss_ns;
}

/* Rules whose findings are calls of the runtime. */
#define OF_RUNTIME                                                                                 \
	(WN_RULE_BIT(SMALL_TASKS) | WN_RULE_BIT(SMALL_CHUNKS) | WN_RULE_BIT(MANY_REGIONS) |        \
	 WN_RULE_BIT(MANY_BARRIERS) | WN_RULE_BIT(CREATION) | WN_RULE_BIT(TASK_QUEUE))

/* Its place is that of the grains with most work, as samples lack the callers; a finding about
 * calls of the runtime there tells more. */
wn_status
report_add_runtime_calls(struct wn_report *r, wn_err *err)
{
	struct wn_report_wait *calls = &r->runtime_calls;
	if (calls->ns <= 0)
		return WN_OK;
	calls->place = report_busiest_place(r);
	if (calls->place == r->places.n)
		return WN_OK;
	struct wn_report_finding f = {.place = &r->places.items[calls->place]}, *added = NULL;
	uint64_t calls_ns = (uint64_t)(calls->ns / r->model.n_cpus);
	uint64_t most_ns = (uint64_t)((double)r->metrics->totals.work_ns / r->model.n_cpus);
	uint64_t ns = report_take_findings(r, OF_RUNTIME, f.place, UINT64_MAX, &f.finding);
	if (ns) { /* of which the events have a part */
		wn_finding_save(&f.finding, ns + calls_ns);
		wn_finding_allow(&f.finding, most_ns + ns);
		f.finding.work_ns = f.finding.gain_ns * r->n_threads;
		return report_add_finding(r, &f, &added, err);
	}
	f.finding = (struct wn_finding){.rule = calls->rule,
	                                .site = WN_NO_SITE,
	                                .of_ns = r->metrics->totals.elapsed_ns,
	                                .n = calls->n_samples,
	                                .value = calls->ns,
	                                .value2 = calls->ns / (double)r->model.thread_ns};
	wn_finding_save(&f.finding, (uint64_t)(CALLS_COST * (double)calls_ns));
	wn_finding_allow(&f.finding, most_ns);
	f.finding.loss_ns = calls_ns;
	f.finding.work_ns = f.finding.gain_ns * r->n_threads;
	wn_status st = report_add_finding(r, &f, &added, err);
	if (added)
		report_add_function(added, calls->function);
	return st;
}
