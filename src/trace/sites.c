/* SPDX-License-Identifier: MIT */
/* sites.c - numbers the code addresses of grains and regions in order of occurrence, and stores
 * the names and source places that the program gives for them. */
#include "base/mem.h"
#include "trace/trace_private.h"

#include <string.h>

#define NAME_BYTES_MAX 4096u /* longer names are truncated */

void
sites_free(struct wn_trace *t)
{
	for (size_t i = 0; i < t->n_names; i++)
		wn_free(t->names[i].text);
	WN_FREE_ALL(t->names, t->given, t->sites, t->site_hash);
}

static size_t
site_slot(const struct wn_trace *t, uint64_t addr, uint32_t aux)
{
	uint64_t mixed = (addr + aux * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
	size_t slot = (size_t)(mixed >> 20) & (t->site_hash_size - 1);
	while (t->site_hash[slot] && (t->sites[t->site_hash[slot] - 1].addr != addr ||
	                              t->sites[t->site_hash[slot] - 1].aux != aux))
		slot = (slot + 1) & (t->site_hash_size - 1);
	return slot;
}

static int
grow_site_hash(struct wn_trace *t)
{
	size_t new_size = t->site_hash_size ? t->site_hash_size * 2 : 256;
	uint32_t *table = wn_calloc(new_size, sizeof *table);
	if (!table)
		return -1;
	wn_free(t->site_hash);
	t->site_hash = table;
	t->site_hash_size = new_size;
	for (size_t i = 0; i < t->n_sites; i++)
		t->site_hash[site_slot(t, t->sites[i].addr, t->sites[i].aux)] = (uint32_t)i + 1;
	return 0;
}

uint32_t
trace_site_intern(struct wn_trace *t, uint64_t addr, uint32_t aux)
{
	if (t->n_sites * 2 >= t->site_hash_size && grow_site_hash(t) != 0)
		return WN_NO_SITE;
	size_t slot = site_slot(t, addr, aux);
	if (t->site_hash[slot])
		return t->site_hash[slot] - 1;
	if (t->n_sites >= UINT32_MAX - 1 ||
	    wn_grow(&t->sites, &t->sites_capacity, t->n_sites + 1, sizeof *t->sites) != 0)
		return WN_NO_SITE;
	t->sites[t->n_sites] = (struct wn_site_key){addr, aux};
	t->site_hash[slot] = (uint32_t)++t->n_sites;
	return (uint32_t)t->n_sites - 1;
}

bool
trace_place_add(struct wn_trace *t, uint32_t site, uint64_t file, uint64_t line)
{
	if (site >= t->n_given) {
		if (wn_grow(&t->given, &t->given_capacity, (size_t)site + 1, sizeof *t->given) != 0)
			return false;
		memset(t->given + t->n_given, 0, (site + 1 - t->n_given) * sizeof *t->given);
		t->n_given = (size_t)site + 1;
	}
	if (!t->given[site].file && file <= WN_NAMES_MAX && line <= INT32_MAX)
		t->given[site] = (struct given_place){(uint32_t)file, (uint32_t)line};
	return true;
}

bool
wn_trace_place(const struct wn_trace *t, uint32_t site, const char **file, uint32_t *line)
{
	const char *name =
	    site < t->n_given && t->given[site].file ? wn_trace_name(t, t->given[site].file) : NULL;
	if (!name)
		return false;
	*file = name;
	*line = t->given[site].line;
	return true;
}

bool
trace_name_add(struct wn_trace *t, uint64_t name, const uint64_t text[4], uint64_t place)
{
	if (name == 0 || name > wn_trace_names_max(t))
		return true;
	if (name >= t->n_names) {
		if (wn_grow(&t->names, &t->names_capacity, name + 1, sizeof *t->names) != 0)
			return false;
		memset(t->names + t->n_names, 0, (name + 1 - t->n_names) * sizeof *t->names);
		t->n_names = name + 1;
	}
	struct name *n = &t->names[name];
	if (n->is_whole || place + 1 <= n->last_piece || n->n_bytes >= NAME_BYTES_MAX)
		return true;
	char *longer = wn_realloc(n->text, (size_t)n->n_bytes + 33, 1);
	if (!longer)
		return false;
	memcpy(longer + n->n_bytes, text, 32);
	longer[n->n_bytes + 32] = '\0';
	n->text = longer;
	n->n_bytes += (uint32_t)strlen(longer + n->n_bytes);
	n->is_whole = memchr(text, 0, 32) != NULL;
	n->last_piece = place + 1;
	return true;
}

/* Returns the number of the name with this text; 0 when memory ran out. */
static uint32_t
name_of_text(struct wn_trace *t, const char *text)
{
	size_t n = strnlen(text, NAME_BYTES_MAX);
	for (size_t i = 1; i < t->n_names; i++)
		if (t->names[i].text && t->names[i].n_bytes == n &&
		    memcmp(t->names[i].text, text, n) == 0)
			return (uint32_t)i;
	size_t number = t->n_names ? t->n_names : 1;
	if (number > WN_NAMES_MAX ||
	    wn_grow(&t->names, &t->names_capacity, number + 1, sizeof *t->names) != 0)
		return 0;
	char *copy = wn_calloc(n + 1, 1);
	if (!copy)
		return 0;
	memcpy(copy, text, n);
	memset(t->names + t->n_names, 0, (number + 1 - t->n_names) * sizeof *t->names);
	t->names[number] = (struct name){.text = copy, .n_bytes = (uint32_t)n, .is_whole = true};
	t->n_names = number + 1;
	return (uint32_t)number;
}

uint32_t
wn_trace_add_site(struct wn_trace *t, uint64_t addr, uint32_t aux, const char *file, uint32_t line)
{
	uint32_t site = trace_site_intern(t, addr, aux);
	if (site == WN_NO_SITE || !file || (site < t->n_given && t->given[site].file))
		return site;
	uint32_t name = name_of_text(t, file);
	return name && trace_place_add(t, site, name, line) ? site : WN_NO_SITE;
}

const char *
wn_trace_name(const struct wn_trace *t, uint32_t name)
{
	return name < t->n_names ? t->names[name].text : NULL;
}

uint32_t
wn_trace_n_sites(const struct wn_trace *t)
{
	return (uint32_t)t->n_sites;
}

struct wn_site_key
wn_trace_site(const struct wn_trace *t, uint32_t site)
{
	return site < t->n_sites ? t->sites[site] : (struct wn_site_key){0, 0};
}
