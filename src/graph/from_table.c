/* SPDX-License-Identifier: MIT */
#include "graph/from_table.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OWN_N       2 /* columns added by the graph: root_dist, depth */
#define SUM_MAX     4e18
#define INSTANT_MAX (UINT64_C(1) << 62)

#define COLUMN(g, name, count) ((g)->name = wn_calloc((count), sizeof *(g)->name))

wn_status
table_no_memory(struct table_maker *t)
{
	return wn_no_memory_for(t->err, t->table->n_rows, "rows");
}

/* Reads a column into t->row, all NAN if there is none of that name. */
static uint64_t
read_numbers(struct table_maker *t, const char *name)
{
	uint32_t column = wn_table_find(t->table, name);
	if (column != WN_NO_COLUMN && t->table->columns[column].cell == WN_CELL_NUMBER)
		return wn_table_numbers(t->g->trace, column, t->row);
	for (uint64_t row = 0; row < t->table->n_rows; row++)
		t->row[row] = (double)NAN;
	return 0;
}

static uint64_t
read_texts(struct table_maker *t, const char *name)
{
	uint32_t column = wn_table_find(t->table, name);
	if (column != WN_NO_COLUMN && t->table->columns[column].cell == WN_CELL_TEXT)
		return wn_table_texts(t->g->trace, column, t->texts);
	for (uint64_t row = 0; row < t->table->n_rows; row++)
		t->texts[row] = WN_NO_TEXT;
	return 0;
}

/* Returns a column indexed by grain; NULL when memory ran out. */
static double *
spread_numbers(struct table_maker *t, const char *name)
{
	double *values = wn_calloc(t->g->n, sizeof *values);
	read_numbers(t, name);
	for (uint32_t id = 0; values && id < t->g->n; id++)
		values[id] = (double)NAN;
	for (uint64_t row = 0; values && row < t->table->n_rows; row++)
		if (t->id_of[row] != WN_NO_GRAIN)
			values[t->id_of[row]] = t->row[row];
	return values;
}

/* Larger times are rejected: the sum of a column must fit 63 bits. */
static double
time_limit(const struct table_maker *t)
{
	double sum = 0;
	for (uint64_t row = 0; row < t->table->n_rows; row++)
		sum += t->row[row] > 0 ? t->row[row] : 0;
	return sum < SUM_MAX ? SUM_MAX : floor(SUM_MAX / (double)t->table->n_rows);
}

static uint64_t
as_time(double value, double limit)
{
	return value > 0 ? (uint64_t)(value < limit ? value : limit) : 0;
}

static bool
is_id(double value)
{
	return value >= 1 && value < UINT32_MAX - 2 && value == floor(value);
}

/* Counts the ids, and assigns them to rows. */
static wn_status
number_rows(struct table_maker *t)
{
	uint64_t n = t->table->n_rows;
	double most = 0;
	if (n >= UINT32_MAX - 2)
		return wn_fail(t->err, WN_E_LIMIT, WN_NO_OFFSET, "the table has too many rows");
	t->id_of = wn_calloc(n, sizeof *t->id_of);
	t->row = wn_calloc(n, sizeof *t->row);
	t->texts = wn_calloc(n, sizeof *t->texts);
	if (!t->id_of || !t->row || !t->texts)
		return table_no_memory(t);
	read_numbers(t, "task");
	for (uint64_t row = 0; row < n; row++)
		most = t->row[row] > most ? t->row[row] : most;
	bool is_dense = most < 2.0 * (double)n + 1024;
	t->g->n = is_dense ? (uint32_t)most + 1 : (uint32_t)n + 1;
	if (!COLUMN(t->g, kind, t->g->n))
		return table_no_memory(t);
	t->g->kind[0] = WN_GRAIN_INITIAL;
	for (uint64_t row = 0; row < n; row++) {
		bool is_good = is_dense ? is_id(t->row[row]) : t->row[row] >= 1;
		uint32_t id = is_dense && is_good ? (uint32_t)t->row[row] : (uint32_t)row + 1;
		is_good = is_good && !t->g->kind[id];
		t->id_of[row] = is_good ? id : WN_NO_GRAIN;
		if (is_good)
			t->g->kind[id] = WN_GRAIN_TASK;
		t->g->anomalies.n_lost += !is_good;
	}
	return WN_OK;
}

struct known_task {
	double task;
	uint32_t id;
};

WN_COMPARE(by_task, struct known_task, WN_BY(task))

/* Maps parents by task number, where task numbers are not ids. */
static wn_status
find_sparse_parents(struct table_maker *t)
{
	uint64_t n = t->table->n_rows;
	size_t n_known = 0;
	struct known_task *known = wn_calloc(n, sizeof *known);
	if (!known)
		return table_no_memory(t);
	read_numbers(t, "task");
	for (uint64_t row = 0; row < n; row++)
		if (t->id_of[row] != WN_NO_GRAIN)
			known[n_known++] = (struct known_task){t->row[row], t->id_of[row]};
	qsort(known, n_known, sizeof *known, by_task);
	read_numbers(t, "parent");
	for (uint64_t row = 0; row < n; row++) {
		struct known_task key = {t->row[row], 0};
		const struct known_task *found =
		    isnan(key.task) ? NULL : bsearch(&key, known, n_known, sizeof *known, by_task);
		bool is_top = key.task >= 0 && key.task <= 0;
		if (t->id_of[row] != WN_NO_GRAIN)
			t->g->parent[t->id_of[row]] = found ? found->id : is_top ? 0 : WN_NO_GRAIN;
	}
	wn_free(known);
	return WN_OK;
}

static wn_status
find_parents(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	bool is_dense = true;
	read_numbers(t, "task");
	for (uint64_t row = 0; row < t->table->n_rows; row++)
		if (t->id_of[row] != WN_NO_GRAIN)
			is_dense &=
			    !(t->row[row] < t->id_of[row]) && !(t->row[row] > t->id_of[row]);
	if (!is_dense)
		return find_sparse_parents(t);
	read_numbers(t, "parent");
	for (uint64_t row = 0; row < t->table->n_rows; row++) {
		double parent = t->row[row];
		bool is_top = parent >= 0 && parent <= 0;
		bool is_there = is_id(parent) && parent < g->n && g->kind[(uint32_t)parent];
		if (t->id_of[row] != WN_NO_GRAIN)
			g->parent[t->id_of[row]] = is_there ? (uint32_t)parent
			                           : is_top ? 0
			                                    : WN_NO_GRAIN;
	}
	return WN_OK;
}

static wn_status
make_columns(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	size_t n = g->n;
	g->n_threads = 1;
	if (!COLUMN(g, flags, n) || !COLUMN(g, cpu, n) || !COLUMN(g, thread, n) ||
	    !COLUMN(g, parent, n) || !COLUMN(g, child_number, n) || !COLUMN(g, context, n) ||
	    !COLUMN(g, fj, n) || !COLUMN(g, site, n) || !COLUMN(g, n_children, n) ||
	    !COLUMN(g, range, n) || !COLUMN(g, after_join, n) || !COLUMN(g, last_join, n) ||
	    !COLUMN(g, begin_ns, n) || !COLUMN(g, end_ns, n) || !wn_times_init(&g->work, n) ||
	    !wn_times_init(&g->made, n) || !wn_times_init(&g->creation, n) ||
	    !wn_times_init(&g->sync, n) || !COLUMN(g, instant_ns, n) || !COLUMN(g, exec_ns, n))
		return table_no_memory(t);
	memset(g->parent, 0xff, n * sizeof *g->parent);
	memset(g->fj, 0xff, n * sizeof *g->fj);
	memset(g->site, 0xff, n * sizeof *g->site);
	memset(g->after_join, 0xff, n * sizeof *g->after_join);
	memset(g->last_join, 0xff, n * sizeof *g->last_join);
	memset(g->cpu, 0xff, n * sizeof *g->cpu);
	wn_free(g->first_id);
	wn_free(g->first_region);
	g->first_id = g->first_region = NULL;
	if (!COLUMN(g, first_id, 2) || !COLUMN(g, first_region, 2))
		return table_no_memory(t);
	g->first_id[1] = g->n;
	return WN_OK;
}

/* Reads times of single grains. Missing ones count as 0, and are reported. */
static wn_status
take_own_times(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	uint64_t n = t->table->n_rows;
	double limit;
	read_numbers(t, "exec_cycles");
	limit = time_limit(t);
	for (uint64_t row = 0; row < n; row++) {
		wn_grain id = t->id_of[row];
		if (id == WN_NO_GRAIN)
			continue;
		g->exec_ns[id] = as_time(t->row[row], limit);
		g->flags[id] = isnan(t->row[row]) ? 0 : WN_GF_STARTED | WN_GF_COMPLETED;
	}
	read_numbers(t, "work_cycles");
	limit = time_limit(t);
	for (uint64_t row = 0; row < n; row++) {
		wn_grain id = t->id_of[row];
		if (id == WN_NO_GRAIN)
			continue;
		uint64_t work_ns = as_time(t->row[row], limit);
		if (wn_times_set(&g->work, id, work_ns) != 0)
			return table_no_memory(t);
		g->imported->n_negative_work += t->row[row] < 0;
		g->imported->n_unmeasured += isnan(t->row[row]) ? 1 : 0;
		if (!isnan(t->row[row])) {
			bool has_exec = g->flags[id] & WN_GF_STARTED;
			g->flags[id] |= WN_GF_STARTED | WN_GF_COMPLETED;
			if (!has_exec)
				g->exec_ns[id] = work_ns;
		}
	}
	return WN_OK;
}

/* Adds what a grain's creation took to its parent; the rest of the parent's overhead are its waits.
 */
static wn_status
take_overheads(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	uint64_t n = t->table->n_rows;
	double limit;
	read_numbers(t, "creation_cycles");
	limit = time_limit(t);
	for (uint64_t row = 0; row < n; row++) {
		wn_grain id = t->id_of[row];
		if (id == WN_NO_GRAIN || isnan(t->row[row]))
			continue;
		uint64_t ns = as_time(t->row[row], limit);
		bool has_parent = g->parent[id] != WN_NO_GRAIN && g->parent[id] != 0;
		if (wn_times_set(&g->creation, id, ns) != 0 ||
		    (has_parent && wn_times_add(&g->made, g->parent[id], ns) != 0))
			return table_no_memory(t);
		g->flags[id] |= WN_GF_CREATION_KNOWN;
	}
	read_numbers(t, "overhead_cycles");
	limit = time_limit(t);
	for (uint64_t row = 0; row < n; row++) {
		wn_grain id = t->id_of[row];
		uint64_t overhead = as_time(t->row[row], limit);
		if (id != WN_NO_GRAIN && overhead > wn_made_ns(g, id) &&
		    wn_times_set(&g->sync, id, overhead - wn_made_ns(g, id)) != 0)
			return table_no_memory(t);
	}
	return WN_OK;
}

static void
take_ends(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	uint64_t n = t->table->n_rows;
	double limit;
	read_numbers(t, "exec_end_instant");
	limit = time_limit(t);
	for (uint64_t row = 0; row < n; row++)
		if (t->id_of[row] != WN_NO_GRAIN)
			g->end_ns[t->id_of[row]] = as_time(t->row[row], limit);
	read_numbers(t, "cpu_id");
	for (uint64_t row = 0; row < n; row++)
		if (t->id_of[row] != WN_NO_GRAIN && t->row[row] >= 0 && t->row[row] < UINT16_MAX)
			g->cpu[t->id_of[row]] = (uint16_t)t->row[row];
}

static void
add_waits(void *user, uint64_t row, uint64_t first, const uint64_t *values, size_t n)
{
	struct table_maker *t = user;
	wn_grain id = row < t->table->n_rows ? t->id_of[row] : WN_NO_GRAIN;
	(void)first;
	(void)values;
	if (id != WN_NO_GRAIN)
		t->wait_first[id + 1] += n;
}

static void
put_waits(void *user, uint64_t row, uint64_t first, const uint64_t *values, size_t n)
{
	struct table_maker *t = user;
	wn_grain id = row < t->table->n_rows ? t->id_of[row] : WN_NO_GRAIN;
	if (id == WN_NO_GRAIN)
		return;
	uint64_t room = t->wait_first[id + 1] - t->wait_first[id];
	for (size_t i = 0; i < n; i++)
		if (first + i < room)
			t->waits[t->wait_first[id] + first + i] =
			    values[i] < INSTANT_MAX ? values[i] : INSTANT_MAX;
}

static wn_status
take_waits(struct table_maker *t)
{
	uint32_t column = wn_table_find(t->table, "wait_instants");
	bool has_lists = column != WN_NO_COLUMN && t->table->columns[column].cell == WN_CELL_LIST;
	t->wait_first = wn_calloc((size_t)t->g->n + 1, sizeof *t->wait_first);
	if (!t->wait_first)
		return table_no_memory(t);
	if (has_lists)
		wn_table_lists(t->g->trace, column, add_waits, t);
	for (uint32_t id = 0; id < t->g->n; id++)
		t->wait_first[id + 1] += t->wait_first[id];
	t->waits = wn_calloc(t->wait_first[t->g->n], sizeof *t->waits);
	if (!t->waits)
		return table_no_memory(t);
	if (has_lists)
		wn_table_lists(t->g->trace, column, put_waits, t);
	return WN_OK;
}

/* "chunk_0_8": iterations [0, 8). */
static bool
is_iterations(const char *text, struct wn_range *range)
{
	char *end;
	if (strncmp(text, "chunk_", 6) != 0 || !strchr(text + 6, '_'))
		return false;
	long long low = strtoll(text + 6, &end, 10);
	long long high = *end == '_' ? strtoll(end + 1, NULL, 10) : low;
	*range = (struct wn_range){low > 0 ? (uint64_t)low : 0,
	                           high > low && low >= 0 ? (uint64_t)(high - low) : 0, 0};
	return true;
}

static wn_status
take_kinds(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	read_texts(t, "tag");
	for (uint64_t row = 0; row < t->table->n_rows; row++) {
		const char *tag = t->texts[row] == WN_NO_TEXT ? "" : t->table->texts[t->texts[row]];
		bool is_implicit =
		    strcmp(tag, "GOMP_parallel_task") == 0 || strcmp(tag, "idle_task") == 0;
		if (t->id_of[row] != WN_NO_GRAIN && is_implicit)
			g->kind[t->id_of[row]] = WN_GRAIN_IMPLICIT;
		g->imported->has_loops |= strncmp(tag, "GOMP_for_", 9) == 0;
	}
	read_texts(t, "metadata");
	for (uint64_t row = 0; row < t->table->n_rows; row++) {
		struct wn_range range;
		wn_grain id = t->id_of[row];
		g->imported->has_loops |= t->texts[row] != WN_NO_TEXT &&
		                          strncmp(t->table->texts[t->texts[row]], "chunk_", 6) == 0;
		if (id == WN_NO_GRAIN || t->texts[row] == WN_NO_TEXT ||
		    !is_iterations(t->table->texts[t->texts[row]], &range))
			continue;
		if (wn_grow(&g->ranges, &g->ranges_capacity, g->n_ranges + 1, sizeof range) != 0)
			return table_no_memory(t);
		g->ranges[g->n_ranges++] = range;
		g->range[id] = (uint32_t)g->n_ranges;
		g->kind[id] = WN_GRAIN_CHUNK;
	}
	return WN_OK;
}

/* Splits "fib.c:12" into file and line; 0 if the line is unknown. */
static char *
split_place(const char *text, uint32_t *line)
{
	const char *colon = strrchr(text, ':');
	char *end;
	*line = 0;
	if (!colon || colon == text || colon[1] < '0' || colon[1] > '9')
		return NULL;
	unsigned long number = strtoul(colon + 1, &end, 10); /* "12 (discriminator 3)" */
	size_t n = (size_t)(colon - text);
	char *file = wn_calloc(n + 1, 1);
	if (file)
		memcpy(file, text, n);
	*line = number < INT32_MAX ? (uint32_t)number : 0;
	return file;
}

/* Parses "0x401700", or "4200192" where R has read it as a number; 0 = malformed. */
static uint64_t
address_of(const char *text)
{
	char *end;
	bool is_decimal = text[strspn(text, "0123456789")] == '\0';
	uint64_t address = strtoull(text, &end, is_decimal ? 10 : 16);
	return end != text && *end == '\0' ? address : 0;
}

/* Creates one site per distinct text, indexed by the number of the text. */
static wn_status
sites_of_texts(struct table_maker *t, const char *name, bool is_place)
{
	struct wn_graph *g = t->g;
	if (read_texts(t, name) == 0)
		return WN_OK;
	uint32_t *site_of = wn_calloc(t->table->n_texts, sizeof *site_of);
	if (!site_of)
		return table_no_memory(t);
	memset(site_of, 0xff, t->table->n_texts * sizeof *site_of);
	wn_status st = WN_OK;
	for (uint64_t row = 0; st == WN_OK && row < t->table->n_rows; row++) {
		uint32_t text = t->texts[row], line = 0;
		wn_grain id = t->id_of[row];
		if (id == WN_NO_GRAIN || text == WN_NO_TEXT ||
		    (!is_place && g->site[id] != WN_NO_SITE))
			continue;
		if (site_of[text] == WN_NO_SITE) {
			const char *words = t->table->texts[text];
			char *file = is_place ? split_place(words, &line) : NULL;
			uint64_t address = is_place ? 0 : address_of(words);
			if (is_place && (!file || line == 0)) { /* "??:0", "fib.c:0" */
				wn_free(file);
				continue;
			}
			site_of[text] = wn_trace_add_site(g->trace, address, text + 1, file, line);
			wn_free(file);
			if (site_of[text] == WN_NO_SITE)
				st = table_no_memory(t);
		}
		g->site[id] = site_of[text];
	}
	wn_free(site_of);
	return st;
}

/* Creates the site of a function, in a file if the text has one: "fib.c:0" and 4203591 become
 * fib.c+0x402447. */
static uint32_t
site_of_function(struct table_maker *t, double address, uint32_t text)
{
	uint32_t line = 0;
	const char *words = text == WN_NO_TEXT ? "" : t->table->texts[text];
	char *file = split_place(words, &line);
	bool is_named = file && strcmp(file, "??") != 0;
	uint32_t site = wn_trace_add_site(t->g->trace, (uint64_t)address, is_named ? text + 1 : 0,
	                                  is_named ? file : NULL, 0);
	wn_free(file);
	return site;
}

/* Reads where grains come from: the source line, else the function, else the tag. */
static wn_status
take_sites(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	wn_status st = sites_of_texts(t, "source_line", true);
	if (st != WN_OK)
		return st;
	read_numbers(t, "outline_function");
	read_texts(t, "source_line");
	for (uint64_t row = 0; row < t->table->n_rows; row++) {
		wn_grain id = t->id_of[row];
		bool is_address = t->row[row] > 0 && t->row[row] < 1e19;
		if (id == WN_NO_GRAIN || g->site[id] != WN_NO_SITE || !is_address)
			continue;
		g->site[id] = site_of_function(t, t->row[row], t->texts[row]);
		if (g->site[id] == WN_NO_SITE)
			return table_no_memory(t);
	}
	if ((st = sites_of_texts(t, "outline_function", false)) != WN_OK)
		return st;
	return sites_of_texts(t, "tag", false);
}

/* Reads all numeric columns except those that define the graph itself. */
static wn_status
take_extras(struct table_maker *t)
{
	static const char *const structure[] = {"parent", "joins_at", "child_number",
	                                        "num_children", "leaf"};
	struct wn_graph *g = t->g;
	g->extras = wn_calloc((size_t)t->table->n_columns + OWN_N, sizeof *g->extras);
	if (!g->extras)
		return table_no_memory(t);
	for (uint32_t i = 0; i < t->table->n_columns; i++) {
		const struct wn_table_column *c = &t->table->columns[i];
		bool is_extra = c->name && *c->name && c->cell == WN_CELL_NUMBER;
		for (size_t k = 0; is_extra && k < sizeof structure / sizeof *structure; k++)
			is_extra = strcmp(c->name, structure[k]) != 0;
		if (!is_extra || wn_graph_extra(g, c->name))
			continue;
		struct wn_extra *e = &g->extras[g->n_extras];
		*e = (struct wn_extra){c->name, c->unit, spread_numbers(t, c->name), c->is_derived};
		if (!e->values)
			return table_no_memory(t);
		g->n_extras++;
	}
	return WN_OK;
}

const double *
wn_graph_extra(const struct wn_graph *g, const char *name)
{
	for (size_t i = 0; i < g->n_extras; i++)
		if (strcmp(g->extras[i].name, name) == 0)
			return g->extras[i].values;
	return NULL;
}

/* The file's critical path takes precedence. */
static void
take_critical(struct wn_graph *g)
{
	const double *given = wn_graph_extra(g, "on_crit_path");
	bool is_given = false;
	for (wn_grain id = 0; given && id < g->n; id++)
		is_given |= given[id] > 0;
	for (wn_grain id = 0; is_given && id < g->n; id++) {
		g->flags[id] &= (uint16_t)~WN_GF_CRITICAL;
		if (given[id] > 0)
			g->flags[id] |= WN_GF_CRITICAL;
	}
}

static wn_status
build(struct table_maker *t)
{
	struct wn_graph *g = t->g;
	wn_status st;
	WN_TRY(number_rows(t));
	WN_TRY(make_columns(t));
	WN_TRY(find_parents(t));
	if (!(t->joins_at = spread_numbers(t, "joins_at")) ||
	    !(t->child_number = spread_numbers(t, "child_number")))
		WN_TRY(table_no_memory(t));
	WN_TRY(table_link(t));
	for (uint64_t row = 0; row < t->table->n_rows; row++) /* unconnected rows are left out */
		if (t->id_of[row] != WN_NO_GRAIN && !g->kind[t->id_of[row]])
			t->id_of[row] = WN_NO_GRAIN;
	WN_TRY(take_kinds(t));
	WN_TRY(take_own_times(t));
	WN_TRY(take_overheads(t));
	take_ends(t);
	WN_TRY(take_sites(t));
	WN_TRY(take_extras(t));
	if (!(t->instant = spread_numbers(t, "create_instant")) ||
	    !(t->loop_key = spread_numbers(t, "idle_join")))
		WN_TRY(table_no_memory(t));
	for (wn_grain id = 0; id < g->n; id++)
		if (t->instant[id] > (double)INSTANT_MAX)
			t->instant[id] = (double)NAN;
	uint32_t instants = wn_table_find(t->table, "create_instant");
	g->imported->has_fragments = /* the prototype cuts no programs of loops */
	    !g->imported->has_loops && instants != WN_NO_COLUMN &&
	    wn_table_find(t->table, "exec_cycles") != WN_NO_COLUMN;
	WN_TRY(take_waits(t));
	WN_TRY(table_groups(t));
	WN_TRY(table_spans(t));
	wn_graph_mark_critical(g);
	take_critical(g);
	g->n_events = t->table->n_rows;
out:
	return st;
}

wn_status
table_build(struct wn_graph *g, wn_err *err)
{
	struct table_maker t = {.g = g, .table = wn_trace_table(g->trace), .err = err};
	if (t.table->n_rows == 0)
		return wn_fail(err, WN_E_EMPTY, WN_NO_OFFSET, "the table has no rows");
	g->detail = WN_DETAIL_WHOLE; /* less would save nothing */
	g->imported = wn_calloc(1, sizeof *g->imported);
	if (!g->imported)
		return table_no_memory(&t);
	g->imported->table = t.table;
	wn_status st = build(&t);
	void *scratch[] = {t.id_of,   t.row,      t.texts,      t.joins_at, t.child_number,
	                   t.instant, t.waits,    t.wait_first, t.children, t.first_child,
	                   t.order,   t.first_fj, t.loop_key};
	for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
		wn_free(scratch[i]);
	return st;
}
