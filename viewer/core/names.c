/* SPDX-License-Identifier: MIT */
/* names.c - page/node_ids.h, as the worker calls it, with the table in use. */
#include "page/node_ids.h"

#include "core.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* Status 0: it is fine. */
int EXPORT(core_names_new)(uint32_t is_imported);
void EXPORT(core_names_ask)(void);
/* 0: it is complete, 1: it leads elsewhere, 2: there is none. */
uint32_t EXPORT(core_name)(uint32_t node);
uint32_t EXPORT(core_name_look)(void);
uint32_t EXPORT(core_name_wanted)(void);
const char *EXPORT(core_name_text)(void);
uint32_t EXPORT(core_name_bytes)(void);
int EXPORT(core_seek)(const char *text, uint32_t n_max);
int EXPORT(core_seek_in)(void);
uint32_t EXPORT(core_seek_is_found)(void);
uint32_t EXPORT(core_seek_again)(void);
const uint32_t *EXPORT(core_found)(void);
uint32_t EXPORT(core_n_found)(void);
uint32_t EXPORT(core_found_exact)(void);

static struct names *names;

int
core_names_new(uint32_t is_imported)
{
	names_end(names);
	names = NULL;
	return names_new(is_imported, &names, core_failure());
}

void
core_names_ask(void)
{
	names_request_columns(core_table());
}

static uint32_t
said(wn_status st)
{
	return st == WN_OK ? 0 : st == WN_E_EMPTY ? 1 : 2;
}

uint32_t
core_name(uint32_t node)
{
	return said(names_of(names, core_table(), node, core_failure()));
}

uint32_t
core_name_look(void)
{
	return said(names_read_table(names, core_table(), core_failure()));
}

uint32_t
core_name_wanted(void)
{
	return names_needed_node(names);
}

const char *
core_name_text(void)
{
	return names_text(names).text;
}

uint32_t
core_name_bytes(void)
{
	return (uint32_t)names_text(names).n_bytes;
}

int
core_seek(const char *text, uint32_t n_max)
{
	return names_search_begin(names, text, n_max, core_failure());
}

int
core_seek_in(void)
{
	return names_search_in(names, core_table(), core_failure());
}

uint32_t
core_seek_is_found(void)
{
	return names_is_found(names);
}

uint32_t
core_seek_again(void)
{
	return names_search_repeat(names);
}

const uint32_t *
core_found(void)
{
	uint32_t n;
	bool has_exact;
	return names_found(names, &n, &has_exact);
}

uint32_t
core_n_found(void)
{
	uint32_t n;
	bool has_exact;
	names_found(names, &n, &has_exact);
	return n;
}

uint32_t
core_found_exact(void)
{
	uint32_t n;
	bool has_exact;
	names_found(names, &n, &has_exact);
	return has_exact;
}
