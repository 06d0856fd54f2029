/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "symbols/object.h"
#include "symbols/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct loaded {
	struct wn_module module; /* with its own copies of path and build id */
	const char *name;        /* last part of the path */
	struct wn_object object;
};

struct answer {
	uint64_t addr;
	bool is_used;
	bool is_return_address;
	struct wn_place place;
};

struct wn_symbols {
	struct wn_place_maker maker;
	struct loaded *modules;
	uint8_t *build_ids; /* all of them, concatenated */
	size_t n_modules;
	struct wn_spans ranges; /* payload: index in modules */
	struct answer *answers; /* open addressing, capacity a power of two */
	size_t n_answers;
	size_t answer_capacity;
};

static wn_status
module_add(wn_symbols *symbols, const struct wn_module *module, size_t *id_bytes)
{
	if (!module->path || !*module->path || module->begin >= module->end)
		return WN_OK;
	struct loaded *loaded = &symbols->modules[symbols->n_modules];
	loaded->module = *module;
	loaded->module.path = wn_strings_intern(&symbols->maker.strings, module->path, SIZE_MAX);
	loaded->module.build_id = NULL;
	if (!loaded->module.path)
		return WN_E_NOMEM;
	const char *slash = strrchr(loaded->module.path, '/');
	loaded->name = slash && slash[1] ? slash + 1 : loaded->module.path;
	if (module->build_id && module->build_id_bytes > 0) {
		uint8_t *copy = symbols->build_ids + *id_bytes;
		memcpy(copy, module->build_id, module->build_id_bytes);
		loaded->module.build_id = copy;
		*id_bytes += module->build_id_bytes;
	} else {
		loaded->module.build_id_bytes = 0;
	}
	return wn_spans_add(&symbols->ranges, module->begin, module->end,
	                    (uint32_t)symbols->n_modules++, 0)
	           ? WN_E_NOMEM
	           : WN_OK;
}

wn_status
wn_symbols_new(const struct wn_module *modules, size_t n, wn_symbols **out, wn_err *err)
{
	wn_status st = WN_E_NOMEM;
	size_t id_bytes = 0;
	wn_symbols *symbols = wn_calloc(1, sizeof *symbols);
	if (!symbols)
		goto out;
	for (size_t i = 0; i < n; i++)
		id_bytes += modules[i].build_id_bytes;
	symbols->modules = wn_calloc(n, sizeof *symbols->modules);
	symbols->build_ids = wn_calloc(id_bytes, 1);
	if (!symbols->modules || !symbols->build_ids)
		goto out;
	id_bytes = 0;
	for (size_t i = 0; i < n; i++)
		WN_TRY(module_add(symbols, &modules[i], &id_bytes));
	wn_spans_sort(&symbols->ranges);
	*out = symbols;
	return WN_OK;
out:
	wn_symbols_free(symbols);
	return wn_fail(err, st, WN_NO_OFFSET, "no memory for %zu modules", n);
}

void
wn_symbols_free(wn_symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->n_modules; i++)
		wn_object_fini(&symbols->modules[i].object);
	wn_free(symbols->modules);
	wn_free(symbols->build_ids);
	wn_spans_fini(&symbols->ranges);
	wn_free(symbols->answers);
	wn_place_maker_fini(&symbols->maker);
	wn_free(symbols);
}

static struct answer *
answer_slot(struct answer *answers, size_t capacity, uint64_t addr, bool is_return_address)
{
	uint64_t hash = (addr << 1 | is_return_address) * 0x9e3779b97f4a7c15u;
	size_t i = (size_t)(hash ^ hash >> 32) & (capacity - 1);
	while (answers[i].is_used &&
	       (answers[i].addr != addr || answers[i].is_return_address != is_return_address))
		i = (i + 1) & (capacity - 1);
	return &answers[i];
}

static wn_status
answers_grow(wn_symbols *symbols)
{
	size_t capacity = symbols->answer_capacity ? symbols->answer_capacity * 2 : 256;
	struct answer *wider = wn_calloc(capacity, sizeof *wider);
	if (!wider)
		return WN_E_NOMEM;
	for (size_t i = 0; i < symbols->answer_capacity; i++) {
		const struct answer *held = &symbols->answers[i];
		if (held->is_used)
			*answer_slot(wider, capacity, held->addr, held->is_return_address) = *held;
	}
	wn_free(symbols->answers);
	symbols->answers = wider;
	symbols->answer_capacity = capacity;
	return WN_OK;
}

static wn_status
place_find(wn_symbols *symbols, uint64_t addr, bool is_return_address, struct wn_place *out)
{
	wn_status st = WN_OK;
	uint64_t code = is_return_address && addr > 0 ? addr - 1 : addr;
	const struct wn_span *range = wn_spans_find(&symbols->ranges, code);
	*out = (struct wn_place){.offset = addr};
	if (!range)
		return WN_OK;

	struct loaded *loaded = &symbols->modules[range->payload];
	struct wn_object *object = &loaded->object;
	WN_TRY(wn_object_open(object, &loaded->module));
	out->module = loaded->name;
	out->module_path = loaded->module.path;
	out->offset = addr - loaded->module.base;
	out->is_stale = object->state == WN_OBJECT_STALE;
	out->is_missing = object->state == WN_OBJECT_MISSING;
	if (object->state != WN_OBJECT_OPEN)
		return WN_OK;
	WN_TRY(wn_object_read_units(object));
	out->has_debug_info = object->units.n > 0;
	WN_TRY(wn_place_make(&symbols->maker, object, code - loaded->module.base, is_return_address,
	                     out));
out:
	return st;
}

const char *
wn_symbols_module(const wn_symbols *symbols, uint64_t addr)
{
	const struct wn_span *range = wn_spans_find(&symbols->ranges, addr);
	return range ? symbols->modules[range->payload].name : NULL;
}

wn_status
wn_symbols_find(wn_symbols *symbols, uint64_t addr, bool is_return_address, struct wn_place *out)
{
	wn_status st = WN_OK;
	if (2 * symbols->n_answers >= symbols->answer_capacity)
		WN_TRY(answers_grow(symbols));
	struct answer *answer =
	    answer_slot(symbols->answers, symbols->answer_capacity, addr, is_return_address);
	if (!answer->is_used) {
		WN_TRY(place_find(symbols, addr, is_return_address, &answer->place));
		answer->addr = addr;
		answer->is_return_address = is_return_address;
		answer->is_used = true;
		symbols->n_answers++;
	}
	*out = answer->place;
out:
	return st;
}

/* A file's zeroed memory may lie behind its mappings: the module that begins last before it. */
static struct loaded *
module_before(wn_symbols *symbols, uint64_t addr)
{
	struct loaded *found = NULL;
	for (size_t i = 0; i < symbols->n_modules; i++) {
		struct loaded *loaded = &symbols->modules[i];
		if (loaded->module.begin <= addr &&
		    (!found || loaded->module.begin > found->module.begin))
			found = loaded;
	}
	return found;
}

wn_status
wn_symbols_find_variable(wn_symbols *symbols, uint64_t addr, const char **name, uint64_t *offset)
{
	wn_status st = WN_OK;
	char text[256];
	*name = NULL;
	struct loaded *loaded = module_before(symbols, addr);
	if (!loaded)
		return WN_OK;
	WN_TRY(wn_object_open(&loaded->object, &loaded->module));
	if (loaded->object.state != WN_OBJECT_OPEN)
		return WN_OK;
	const char *symbol =
	    wn_object_variable(&loaded->object, addr - loaded->module.base, offset);
	if (!symbol)
		return WN_OK;
	size_t n = strcspn(symbol, "."); /* local ones have a number behind their name */
	n = n > 0 ? n : strlen(symbol);
	bool is_shown = wn_name_demangle(&symbols->maker.demangler, symbol, n, text, sizeof text);
	*name = wn_strings_intern(&symbols->maker.strings, is_shown ? text : symbol,
	                          is_shown ? strlen(text) : n);
	st = *name ? WN_OK : WN_E_NOMEM;
out:
	return st;
}

wn_status
wn_symbols_find_pattern(wn_symbols *symbols, uint64_t addr, const struct wn_pattern_of *of,
                        struct wn_access_pattern *out)
{
	wn_status st = WN_OK;
	const struct wn_span *range = wn_spans_find(&symbols->ranges, addr);
	struct loaded *loaded = range ? &symbols->modules[range->payload] : NULL;
	struct wn_access_pattern found = {0};
	if (loaded)
		WN_TRY(wn_object_open(&loaded->object, &loaded->module));
	if (loaded && loaded->object.state == WN_OBJECT_OPEN &&
	    wn_pattern_find(&loaded->object, addr - loaded->module.base, of, &found))
		return WN_E_NOMEM;
	if (found.kind != WN_PATTERN_NONE) {
		found.addr += loaded->module.base;
		found.variable += found.variable ? loaded->module.base : 0;
	}
	*out = found;
out:
	return st;
}

static wn_status
find_wait_by(wn_wait_finder *find, wn_symbols *symbols, uint64_t addr, struct wn_code_wait *out)
{
	wn_status st = WN_OK;
	const struct wn_span *range = wn_spans_find(&symbols->ranges, addr);
	struct loaded *loaded = range ? &symbols->modules[range->payload] : NULL;
	struct wn_code_wait found = {.kind = WN_WAIT_NONE};
	if (loaded)
		WN_TRY(wn_object_open(&loaded->object, &loaded->module));
	if (loaded && loaded->object.state == WN_OBJECT_OPEN &&
	    find(&loaded->object, addr - loaded->module.base, &found))
		return WN_E_NOMEM;
	if (found.kind != WN_WAIT_NONE) {
		found.addr += loaded->module.base;
		found.around += loaded->module.base;
	}
	*out = found;
out:
	return st;
}

wn_status
wn_symbols_find_wait(wn_symbols *symbols, uint64_t addr, struct wn_code_wait *out)
{
	return find_wait_by(wn_wait_find, symbols, addr, out);
}

wn_status
wn_symbols_find_calls(wn_symbols *symbols, uint64_t addr, struct wn_code_wait *out)
{
	return find_wait_by(wn_wait_find_calls, symbols, addr, out);
}

wn_status
wn_symbols_find_sleep(wn_symbols *symbols, uint64_t addr, struct wn_code_wait *out)
{
	return find_wait_by(wn_wait_find_sleep, symbols, addr, out);
}

/* If the call before `addr` is of a function that ends by a jump to the runtime: finds the place
 * of the jump. *out is the place of the call, and is otherwise unchanged. */
static wn_status
follow_tail_call(wn_symbols *symbols, uint64_t addr, struct wn_place *out)
{
	wn_status st = WN_OK;
	struct wn_call call;
	const struct wn_span *range = addr > 0 ? wn_spans_find(&symbols->ranges, addr - 1) : NULL;
	struct loaded *loaded = range ? &symbols->modules[range->payload] : NULL;
	if (!loaded || loaded->object.state != WN_OBJECT_OPEN)
		return WN_OK;
	out->is_merged_call = out->line > 0 && !out->is_exact;
	uint64_t base = loaded->module.base;
	if (wn_call_find(&loaded->object, addr - base, &call))
		return WN_E_NOMEM;
	if (call.kind == WN_CALL_JUMP)
		return wn_symbols_find(symbols, call.addr + base + 1, true, out);
	if (call.kind == WN_CALL_FUNCTION)
		st = wn_symbols_find(symbols, call.addr + base, false, out);
	out->is_tail_call = call.kind != WN_CALL_PLAIN;
	return st;
}

static wn_status
find_call_or_entry(wn_symbols *symbols, uint64_t addr, bool is_entry, struct wn_place *out)
{
	struct wn_place entry;
	wn_status st = wn_symbols_find(symbols, addr, false, &entry);
	if (st == WN_OK && !is_entry)
		st = wn_symbols_find(symbols, addr, true, out);
	if (st != WN_OK)
		return st;
	if (is_entry || (entry.is_outlined && entry.symbol != out->symbol)) {
		*out = entry;
		return WN_OK;
	}
	return follow_tail_call(symbols, addr, out);
}

wn_status
wn_symbols_find_site(wn_symbols *symbols, const struct wn_trace *trace, uint32_t site,
                     bool is_entry, struct wn_place *out)
{
	const char *file;
	uint32_t line;
	wn_status st = find_call_or_entry(symbols, wn_trace_site(trace, site).addr, is_entry, out);
	if (st != WN_OK || !wn_trace_place(trace, site, &file, &line))
		return st;
	file = wn_strings_intern(&symbols->maker.strings, file, strlen(file));
	if (line == 0) { /* a source file replaces the module */
		out->module = file;
		out->offset = wn_trace_site(trace, site).addr;
		out->has_debug_info = true; /* -g would not add anything */
		return file ? WN_OK : WN_E_NOMEM;
	}
	out->file = file;
	out->line = (int)line;
	out->is_exact = true;
	return file ? WN_OK : WN_E_NOMEM;
}

void
wn_place_text(const struct wn_place *place, char *out, size_t out_bytes)
{
	if (!place->file) {
		wn_place_offset_text(place, out, out_bytes);
		return;
	}
	snprintf(out, out_bytes, "%s:%d", wn_base_name(place->file), place->line);
}

void
wn_place_offset_text(const struct wn_place *place, char *out, size_t out_bytes)
{
	snprintf(out, out_bytes, "%s%s0x%" PRIx64, place->module ? place->module : "",
	         place->module ? "+" : "", place->offset);
}
