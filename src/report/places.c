/* SPDX-License-Identifier: MIT */
/* places.c - resolves sites and groups them into places. labels.c names the places. */
#include "report/places.h"

#include "base/error.h"
#include "base/mem.h"
#include "report/labels.h"

#include <stdlib.h>
#include <string.h>

/* A site before it is grouped. Strings of equal text are equal pointers. */
struct looked {
	struct wn_place source;
	uint32_t site;
	uint32_t place;
	uint8_t kind;
	bool is_foreign;
};

/* The kind of use of a site; the aux of a site depends on it. */
struct site_use {
	uint8_t kind; /* grain kind; the smallest above NONE, so tasks precede chunks */
	bool is_used;
	bool is_single; /* or masked */
};

static void
use(struct site_use *uses, uint32_t n_sites, uint32_t site, uint8_t kind)
{
	if (site >= n_sites)
		return;
	struct site_use *u = &uses[site];
	/* a task has priority: its flags determine how to read the address */
	bool is_better = u->kind == 0 || (kind >= WN_GRAIN_TASK && u->kind < WN_GRAIN_TASK);
	if (kind && is_better)
		u->kind = kind;
	u->is_used = true;
}

static void
find_uses(const struct wn_graph *g, struct site_use *uses, uint32_t n_sites)
{
	for (wn_grain id = 0; id < g->n; id++)
		if (wn_is_grain(g, id) || g->kind[id] == WN_GRAIN_IMPLICIT)
			use(uses, n_sites, g->site[id], g->kind[id]);
	for (uint32_t i = 0; i < g->n_regions; i++)
		if (g->regions[i].parent != WN_NO_GRAIN)
			use(uses, n_sites, g->regions[i].site, WN_GRAIN_IMPLICIT);
	for (size_t i = 0; i < g->n_loops; i++) {
		bool is_sections = (g->loops[i].kind_flags & WN_WORK_KIND_MASK) == WN_WORK_SECTIONS;
		use(uses, n_sites, g->loops[i].site,
		    is_sections ? WN_GRAIN_SECTION : WN_GRAIN_CHUNK);
	}
	for (size_t i = 0; i < g->n_mutexes; i++)
		use(uses, n_sites, g->mutexes[i].site, WN_GRAIN_NONE);
	for (size_t i = 0; i < g->n_mpi_calls; i++)
		use(uses, n_sites, g->mpi_calls[i].site, WN_GRAIN_NONE);
	for (size_t i = 0; i < g->n_spreads; i++) /* barriers inside regions */
		if (!g->spreads[i].is_loop)
			use(uses, n_sites, g->spreads[i].until, WN_GRAIN_NONE);
	for (size_t i = 0; i < g->n_alone; i++) {
		use(uses, n_sites, g->alone[i].site, WN_GRAIN_NONE);
		if (g->alone[i].site < n_sites)
			uses[g->alone[i].site].is_single = true;
	}
	for (size_t i = 0; i < g->n_notes; i++)
		use(uses, n_sites, g->notes[i].site, WN_GRAIN_NONE);
}

static bool
is_task_kind(uint8_t kind)
{
	return kind == WN_GRAIN_TASK || kind == WN_GRAIN_TASKLOOP;
}

/* A task's address from a runtime may lie inside the runtime; in an imported table it never does.
 */
static bool
lacks_place(const struct wn_graph *g, uint32_t site, bool is_task)
{
	const char *file;
	uint32_t line;
	struct wn_site_key key = wn_trace_site(g->trace, site);
	if (g->imported)
		return key.addr == 0 && !wn_trace_place(g->trace, site, &file, &line);
	return key.addr == 0 || (is_task && key.aux & WN_TASK_FOREIGN_SITE);
}

/* Bytes behind the call of the runtime that begins a single construct, in which its code begins. */
#define SINGLE_BYTES 16u

/* gcc gives that call the line of the statement before. The construct's code is behind a jump, so
 * the first later line there is in it. */
static wn_status
look_up_single(struct wn_places *p, uint64_t addr, struct wn_place *source)
{
	for (unsigned i = 1; i <= SINGLE_BYTES; i++) {
		struct wn_place behind;
		if (wn_symbols_find(p->symbols, addr + i, false, &behind) != WN_OK)
			return WN_E_NOMEM;
		if (behind.file == source->file && behind.outer == source->outer &&
		    behind.line > source->line) {
			*source = behind;
			return WN_OK;
		}
	}
	return WN_OK;
}

static wn_status
look_up(struct wn_places *p, const struct wn_graph *g, const struct site_use *uses,
        struct looked *looked, size_t *n_looked, wn_err *err)
{
	size_t n = 0;
	for (uint32_t site = 0; site < p->n_sites; site++) {
		if (!uses[site].is_used)
			continue;
		struct wn_site_key key = wn_trace_site(g->trace, site);
		struct looked *l = &looked[n++];
		bool is_task = is_task_kind(uses[site].kind);
		bool is_entry = is_task && key.aux & WN_TASK_SITE_FUNCTION;
		l->site = site;
		l->kind = uses[site].kind;
		if (wn_symbols_find_site(p->symbols, g->trace, site, is_entry, &l->source) != WN_OK)
			return wn_no_memory(err);
		bool is_gcc = wn_trace_header(g->trace)->sources & WN_SOURCE_LIBGOMP;
		if (uses[site].is_single && is_gcc && l->source.line > 0 &&
		    look_up_single(p, key.addr, &l->source) != WN_OK)
			return wn_no_memory(err);
		l->is_foreign = lacks_place(g, site, is_task);
	}
	*n_looked = n;
	return WN_OK;
}

static int
compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_place(const struct looked *a, const struct looked *b)
{
	int order = compare_u64(a->kind, b->kind);
	if (!order)
		order = compare_u64((uintptr_t)a->source.file, (uintptr_t)b->source.file);
	if (!order)
		order = compare_u64((uintptr_t)a->source.function, (uintptr_t)b->source.function);
	if (!order)
		order = compare_u64((uint64_t)a->source.line, (uint64_t)b->source.line);
	if (order || a->source.line > 0)
		return order;
	/* without a line, the address is the location */
	order = compare_u64((uintptr_t)a->source.module, (uintptr_t)b->source.module);
	return order ? order : compare_u64(a->source.offset, b->source.offset);
}

static int
by_place(const void *a, const void *b)
{
	const struct looked *x = a, *y = b;
	int order = compare_place(x, y);
	return order ? order : compare_u64(x->site, y->site);
}

static int
by_site(const void *a, const void *b)
{
	const struct looked *x = a, *y = b;
	return compare_u64(x->site, y->site);
}

/* Numbers places in the order of their first sites, so that numbers are reproducible. */
static wn_status
group(struct wn_places *p, struct looked *looked, size_t n, wn_err *err)
{
	uint32_t first = 0;
	qsort(looked, n, sizeof *looked, by_place);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || compare_place(&looked[i - 1], &looked[i]) != 0)
			first = looked[i].site;
		looked[i].place = first;
	}
	qsort(looked, n, sizeof *looked, by_site);
	p->items = wn_calloc(n, sizeof *p->items);
	if (!p->items)
		return wn_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		const struct looked *l = &looked[i];
		if (l->place == l->site) {
			p->of_site[l->site] = (uint32_t)p->n;
			p->items[p->n++] = (struct wn_report_place){
			    .source = l->source, .kind = l->kind, .is_foreign = l->is_foreign};
		} else {
			p->of_site[l->site] = p->of_site[l->place];
		}
	}
	return WN_OK;
}

static struct wn_report_module *
module_of(struct wn_places *p, const char *name)
{
	for (size_t i = 0; i < p->n_modules; i++)
		if (p->modules[i].name == name)
			return &p->modules[i];
	struct wn_report_module *m = &p->modules[p->n_modules++];
	m->name = name;
	return m;
}

/* Collects modules with incomplete places of grains; at most as many as the trace has. */
static wn_status
find_modules(struct wn_places *p, size_t n_trace_modules, wn_err *err)
{
	p->modules = wn_calloc(n_trace_modules + 1, sizeof *p->modules);
	if (!p->modules)
		return wn_no_memory(err);
	for (size_t i = 0; i < p->n; i++) {
		const struct wn_report_place *place = &p->items[i];
		const struct wn_place *s = &place->source;
		bool lacks = s->is_stale || s->is_missing || !s->has_debug_info;
		if (!s->module || !place->kind || place->is_foreign || s->file || !lacks)
			continue;
		struct wn_report_module *m = module_of(p, s->module);
		m->is_stale |= s->is_stale;
		m->is_missing |= s->is_missing;
		m->n_places++;
	}
	return WN_OK;
}

static void
find_static_loops(struct wn_places *p, const struct wn_module *modules, size_t n)
{
	struct wn_static_loops *all = &p->static_loops;
	all->may_hide = all->may_hide_masked = n == 0;
	for (size_t i = 0; i < n; i++) {
		struct wn_static_loops one = wn_static_loops_of(&modules[i]);
		all->may_hide |= one.may_hide;
		all->has_option |= one.may_hide && one.has_option;
		all->reports_chunks |= one.reports_chunks;
		all->may_hide_masked |= one.may_hide_masked;
		all->n_marked += one.n_marked;
		all->n_unmarked += one.n_unmarked;
	}
}

static wn_status
open_symbols(struct wn_places *p, const struct wn_trace *trace, size_t *n_modules, wn_err *err)
{
	const struct wn_trace_module *found;
	size_t n = wn_trace_modules(trace, &found);
	struct wn_module *modules = wn_calloc(n, sizeof *modules);
	if (!modules)
		return wn_no_memory(err);
	for (size_t i = 0; i < n; i++)
		modules[i] = (struct wn_module){
		    .base = found[i].base,
		    .begin = found[i].begin,
		    .end = found[i].end,
		    .build_id = found[i].build_id,
		    .build_id_bytes = found[i].build_id_bytes,
		    .path = found[i].path,
		};
	wn_status st = wn_symbols_new(modules, n, &p->symbols, err);
	if (wn_trace_header(trace)->sources & (WN_SOURCE_OMPT | WN_SOURCE_LIBGOMP))
		find_static_loops(p, modules, n);
	wn_free(modules);
	*n_modules = n;
	return st;
}

wn_status
wn_places_init(struct wn_places *out, const struct wn_graph *g, wn_err *err)
{
	struct wn_places p = {.n_sites = wn_trace_n_sites(g->trace)};
	struct site_use *uses = wn_calloc(p.n_sites, sizeof *uses);
	struct looked *looked = wn_calloc(p.n_sites, sizeof *looked);
	size_t n_looked = 0, n_modules = 0;
	wn_status st = WN_OK;
	p.of_site = wn_calloc(p.n_sites, sizeof *p.of_site);
	if (!uses || !looked || !p.of_site)
		WN_TRY(wn_no_memory(err));
	memset(p.of_site, 0xff, p.n_sites * sizeof *p.of_site);
	WN_TRY(open_symbols(&p, g->trace, &n_modules, err));
	find_uses(g, uses, p.n_sites);
	WN_TRY(look_up(&p, g, uses, looked, &n_looked, err));
	WN_TRY(group(&p, looked, n_looked, err));
	WN_TRY(labels_make(&p, err));
	WN_TRY(find_modules(&p, n_modules, err));
	*out = p;
out:
	wn_free(uses);
	wn_free(looked);
	if (st != WN_OK)
		wn_places_fini(&p);
	return st;
}

static void
free_labels(struct wn_places *p)
{
	for (size_t i = 0; p->labels && i < p->n; i++)
		wn_free(p->labels[i]);
	wn_free(p->labels);
	p->labels = NULL;
}

wn_status
wn_places_add(struct wn_places *p, const struct wn_place *source, wn_err *err)
{
	struct wn_report_place *items = wn_realloc(p->items, p->n + 1, sizeof *items);
	if (!items)
		return wn_no_memory(err);
	free_labels(p); /* the new one may make others ambiguous */
	p->items = items;
	p->items[p->n++] = (struct wn_report_place){.source = *source};
	return labels_make(p, err);
}

void
wn_places_fini(struct wn_places *p)
{
	free_labels(p);
	WN_FREE_ALL(p->items, p->of_site, p->modules);
	wn_symbols_free(p->symbols);
	*p = (struct wn_places){0};
}

const struct wn_report_place *
wn_places_of(const struct wn_places *p, uint32_t site)
{
	if (site >= p->n_sites || p->of_site[site] == WN_NO_PLACE)
		return NULL;
	return &p->items[p->of_site[site]];
}
