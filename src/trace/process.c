/* SPDX-License-Identifier: MIT */
/* process.c - reads the process blocks: arguments and environment, loaded modules, numbers of
 * counters and unavailable counters, memory nodes, context switches, samples, facts, runtimes and
 * entry points that are not recorded; calibration. Malformed records are skipped. */
#include "base/error.h"
#include "base/mem.h"
#include "trace/trace_private.h"

#include <string.h>

static wn_status
keep_string(struct wn_trace *t, const uint8_t *bytes, size_t n_bytes, const char **out, wn_err *err)
{
	if (wn_grow(&t->strings, &t->strings_capacity, t->n_strings + 1, sizeof *t->strings) != 0)
		return wn_no_memory(err);
	char *copy = wn_calloc(n_bytes + 1, 1);
	if (!copy)
		return wn_no_memory(err);
	memcpy(copy, bytes, n_bytes);
	t->strings[t->n_strings++] = copy;
	*out = copy;
	return WN_OK;
}

static wn_status
add_module(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_module_record r;
	if (n_bytes < sizeof r)
		return WN_OK;
	memcpy(&r, payload, sizeof r);
	uint64_t need = sizeof r + (uint64_t)r.build_id_bytes + r.path_bytes;
	if (need > n_bytes || r.begin >= r.end)
		return WN_OK;
	for (size_t i = 0; i < t->n_modules; i++)
		if (t->modules[i].begin == r.begin && t->modules[i].end == r.end)
			return WN_OK;
	if (wn_grow(&t->modules, &t->modules_capacity, t->n_modules + 1, sizeof *t->modules) != 0)
		return wn_no_memory(err);
	struct wn_trace_module m = {r.base,           r.begin, r.end, payload + sizeof r,
	                            r.build_id_bytes, NULL};
	wn_status st =
	    keep_string(t, payload + sizeof r + r.build_id_bytes, r.path_bytes, &m.path, err);
	if (st == WN_OK)
		t->modules[t->n_modules++] = m;
	return st;
}

static bool
is_column_name(const uint8_t *text, size_t n_bytes)
{
	for (size_t i = 0; i < n_bytes; i++) {
		bool is_letter = ((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z') || text[i] == '_';
		if (!is_letter && (i == 0 || text[i] < '0' || text[i] > '9'))
			return false;
	}
	return n_bytes > 0;
}

static bool
has_counter(const struct wn_trace *t, const uint8_t *name, size_t n_bytes)
{
	for (size_t i = 0; i < t->n_counters; i++)
		if (t->counters[i].name && strlen(t->counters[i].name) == n_bytes &&
		    memcmp(t->counters[i].name, name, n_bytes) == 0)
			return true;
	return false;
}

/* The first record for a number is used, and the first for a name. */
static wn_status
add_counter(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_counter_record r;
	if (n_bytes < sizeof r)
		return WN_OK;
	memcpy(&r, payload, sizeof r);
	const uint8_t *name = payload + sizeof r;
	if ((size_t)r.name_bytes + r.unit_bytes + r.by_bytes > n_bytes - sizeof r ||
	    r.number >= WN_COUNTERS_MAX || !is_column_name(name, r.name_bytes) ||
	    t->counters[r.number].name || has_counter(t, name, r.name_bytes))
		return WN_OK;
	struct wn_trace_counter c;
	wn_status st = keep_string(t, name, r.name_bytes, &c.name, err);
	if (st == WN_OK)
		st = keep_string(t, name + r.name_bytes, r.unit_bytes, &c.unit, err);
	if (st == WN_OK)
		st = keep_string(t, name + r.name_bytes + r.unit_bytes, r.by_bytes, &c.by, err);
	if (st != WN_OK)
		return st;
	t->counters[r.number] = c;
	if (r.number >= t->n_counters)
		t->n_counters = (size_t)r.number + 1;
	return WN_OK;
}

#define SHARING_MAX 4096u

/* Records that cannot be are skipped. */
static wn_status
add_sharing(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_sharing_record r;
	t->is_sharing_known = true;
	for (; n_bytes >= sizeof r; payload += sizeof r, n_bytes -= (uint32_t)sizeof r) {
		memcpy(&r, payload, sizeof r);
		if (r.kind == WN_SHARING_NONE || r.kind >= WN_SHARING_KIND_N ||
		    r.place >= WN_SHARING_PLACE_N || r.n_sampled == 0 || r.distance >= 64 ||
		    t->n_sharing == SHARING_MAX)
			continue;
		if (wn_grow(&t->sharing, &t->sharing_capacity, t->n_sharing + 1,
		            sizeof *t->sharing) != 0)
			return wn_no_memory(err);
		t->sharing[t->n_sharing++] = r;
	}
	return WN_OK;
}

/* Appends the text to the lines of one kind. */
static wn_status
add_line(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, const char ***lines,
         size_t *n, size_t *capacity, wn_err *err)
{
	if (wn_grow(lines, capacity, *n + 1, sizeof **lines) != 0)
		return wn_no_memory(err);
	wn_status st = keep_string(t, payload, n_bytes, &(*lines)[*n], err);
	if (st == WN_OK)
		(*n)++;
	return st;
}

/* More are of no use to a reader. */
#define ENTRIES_MAX  256u
#define RUNTIMES_MAX 64u

static bool
has_text(const uint8_t *bytes, size_t n_bytes, const char *text)
{
	return strlen(text) == n_bytes && memcmp(text, bytes, n_bytes) == 0;
}

/* The first record for a name is used. */
static wn_status
add_entry(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_entry_record r;
	if (n_bytes < sizeof r || t->n_entries == ENTRIES_MAX)
		return WN_OK;
	memcpy(&r, payload, sizeof r);
	const uint8_t *name = payload + sizeof r;
	size_t text_bytes = n_bytes - sizeof r;
	if (r.name_bytes == 0 || r.name_bytes > text_bytes)
		return WN_OK;
	for (size_t i = 0; i < t->n_entries; i++)
		if (has_text(name, r.name_bytes, t->entries[i].name))
			return WN_OK;
	if (wn_grow(&t->entries, &t->entries_capacity, t->n_entries + 1, sizeof *t->entries) != 0)
		return wn_no_memory(err);
	struct wn_trace_entry e = {.is_known = r.kind == WN_ENTRY_KIND_UNSEEN};
	wn_status st = keep_string(t, name, r.name_bytes, &e.name, err);
	if (st == WN_OK)
		st = keep_string(t, name + r.name_bytes, text_bytes - r.name_bytes, &e.path, err);
	if (st == WN_OK)
		t->entries[t->n_entries++] = e;
	return st;
}

static wn_status
add_runtime(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	for (size_t i = 0; i < t->n_runtimes; i++)
		if (has_text(payload, n_bytes, t->runtimes[i]))
			return WN_OK;
	if (n_bytes == 0 || t->n_runtimes == RUNTIMES_MAX)
		return WN_OK;
	return add_line(t, payload, n_bytes, &t->runtimes, &t->n_runtimes, &t->runtimes_capacity,
	                err);
}

/* Rule V15. */
static void
take_fact(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes)
{
	struct wn_fact_record r;
	if (n_bytes < sizeof r)
		return;
	memcpy(&r, payload, sizeof r);
	if (r.kind == 0 || r.kind >= WN_FACT_N || r.value > WN_NS_MAX)
		return;
	t->facts[r.kind] = r.value;
	t->facts_known |= 1u << r.kind;
}

#define SPEEDS_MAX 1024u

/* Rule V17. */
static wn_status
add_speeds(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes, wn_err *err)
{
	struct wn_cpu_speed_record r;
	for (uint32_t at = 0; n_bytes - at >= sizeof r && t->n_speeds < SPEEDS_MAX;
	     at += (uint32_t)sizeof r) {
		size_t i = 0;
		memcpy(&r, payload + at, sizeof r);
		while (i < t->n_speeds && t->speeds[i].cpu != r.cpu)
			i++;
		if (i < t->n_speeds || r.per_mille == 0 || r.per_mille > 1000)
			continue;
		if (wn_grow(&t->speeds, &t->speeds_capacity, i + 1, sizeof *t->speeds) != 0)
			return wn_no_memory(err);
		t->speeds[t->n_speeds++] = r;
	}
	return WN_OK;
}

/* A rank that cannot be is unknown. */
static void
take_mpi(struct wn_trace *t, const uint8_t *payload, uint32_t n_bytes)
{
	struct wn_mpi_record r;
	if (n_bytes < sizeof r)
		return;
	memcpy(&r, payload, sizeof r);
	if (r.rank < 0 || r.size <= r.rank)
		r.rank = r.size = -1;
	if (r.abi >= WN_MPI_ABI_N)
		r.abi = WN_MPI_ABI_UNKNOWN;
	t->mpi = r;
	t->has_mpi = true;
}

wn_status
process_read(struct wn_trace *t, const uint8_t *p, const uint8_t *end, wn_err *err)
{
	wn_status st = WN_OK;
	while (st == WN_OK && (size_t)(end - p) >= sizeof(struct wn_process_record)) {
		struct wn_process_record r;
		memcpy(&r, p, sizeof r);
		p += sizeof r;
		if (r.bytes > (size_t)(end - p))
			break;
		if (r.type == WN_PROCESS_MODULE) {
			st = add_module(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_ENV) {
			st = add_line(t, p, r.bytes, &t->env, &t->n_env, &t->env_capacity, err);
		} else if (r.type == WN_PROCESS_COUNTER) {
			st = add_counter(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_NODES) {
			st = trace_nodes_add(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_COUNTER_MISSING) {
			st = add_line(t, p, r.bytes, &t->missing, &t->n_missing,
			              &t->missing_capacity, err);
		} else if (r.type == WN_PROCESS_ENTRY) {
			st = add_entry(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_RUNTIME) {
			st = add_runtime(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_SHARING) {
			st = add_sharing(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_SWITCHES) {
			st = trace_switches_add(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_SAMPLES) {
			st = trace_samples_add(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_FAULTS) {
			st = trace_accesses_add(&t->faults, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_UPDATES) {
			st = trace_accesses_add(&t->updates, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_CPU_SPEEDS) {
			st = add_speeds(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_RUN_QUEUE || r.type == WN_PROCESS_CPU_WAIT) {
			st = trace_queue_add(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_SWITCHES_MISSING) {
			st = add_line(t, p, r.bytes, &t->unswitched, &t->n_unswitched,
			              &t->unswitched_capacity, err);
		} else if (r.type == WN_PROCESS_FACT) {
			take_fact(t, p, r.bytes);
		} else if (r.type == WN_PROCESS_MPI) {
			take_mpi(t, p, r.bytes);
		} else if (r.type == WN_PROCESS_CALIBRATION) {
			st = trace_calibration_add(t, p, r.bytes, err);
		} else if (r.type == WN_PROCESS_ARGV && !t->argv) {
			t->argv = (const char *)p;
			t->argv_bytes = r.bytes;
		}
		size_t padded_bytes = ((size_t)r.bytes + 7) & ~(size_t)7;
		if (padded_bytes > (size_t)(end - p))
			break;
		p += padded_bytes;
	}
	return st;
}

void
process_free(struct wn_trace *t)
{
	for (size_t i = 0; i < t->n_strings; i++)
		wn_free(t->strings[i]);
	WN_FREE_ALL(t->strings, t->env, t->missing, t->entries, t->sharing, t->runtimes,
	            t->switches, t->queues, t->samples, t->faults.items, t->updates.items,
	            t->speeds, t->unswitched, t->calibration, t->nodes, t->modules);
}

size_t
wn_trace_modules(const struct wn_trace *t, const struct wn_trace_module **modules)
{
	*modules = t->modules;
	return t->n_modules;
}

const char *
wn_trace_argv(const struct wn_trace *t, size_t *n_bytes)
{
	*n_bytes = t->argv_bytes;
	return t->argv;
}

size_t
wn_trace_env(const struct wn_trace *t, const char *const **lines)
{
	*lines = t->env;
	return t->n_env;
}

const char *
wn_trace_setting(const struct wn_trace *t, const char *name)
{
	size_t n_bytes = strlen(name);
	for (size_t i = 0; i < t->n_env; i++)
		if (strncmp(t->env[i], name, n_bytes) == 0 && t->env[i][n_bytes] == '=')
			return t->env[i] + n_bytes + 1;
	return NULL;
}

size_t
wn_trace_counters(const struct wn_trace *t, const struct wn_trace_counter **counters)
{
	*counters = t->counters;
	return t->n_counters;
}

size_t
wn_trace_counters_missing(const struct wn_trace *t, const char *const **lines)
{
	*lines = t->missing;
	return t->n_missing;
}

size_t
wn_trace_entries(const struct wn_trace *t, const struct wn_trace_entry **entries)
{
	*entries = t->entries;
	return t->n_entries;
}

bool
wn_trace_sharing(const struct wn_trace *t, const struct wn_sharing_record **records, size_t *n)
{
	*records = t->sharing;
	*n = t->n_sharing;
	return t->is_sharing_known;
}

size_t
wn_trace_runtimes(const struct wn_trace *t, const char *const **names)
{
	*names = t->runtimes;
	return t->n_runtimes;
}

const struct wn_mpi_record *
wn_trace_mpi(const struct wn_trace *t)
{
	return t->has_mpi ? &t->mpi : NULL;
}

size_t
wn_trace_cpu_speeds(const struct wn_trace *t, const struct wn_cpu_speed_record **speeds)
{
	*speeds = t->speeds;
	return t->n_speeds;
}

bool
wn_trace_fact(const struct wn_trace *t, enum wn_fact kind, uint64_t *value)
{
	*value = t->facts[kind];
	return t->facts_known >> kind & 1;
}
