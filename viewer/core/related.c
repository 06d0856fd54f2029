/* SPDX-License-Identifier: MIT */
/* related.c - what a node has to do with others, as the worker calls it. */
#include "core.h"
#include "page/page.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* Status 0: it is fine. */
int EXPORT(core_relate)(uint32_t node);
uint32_t EXPORT(core_relates)(uint32_t kind, uint32_t column);
int EXPORT(core_look_at)(uint32_t kind, uint32_t number, const uint32_t *rows, uint32_t n_open);
int EXPORT(core_look)(uint32_t first, uint32_t is_own);
double EXPORT(core_n_related)(uint32_t what);
const struct page_related *EXPORT(core_related)(uint32_t what);
uint32_t EXPORT(core_n_shown)(uint32_t what);
uint32_t EXPORT(core_related_end)(void);

int
core_relate(uint32_t node)
{
	return page_relate(core_page(), node, core_failure());
}

uint32_t
core_relates(uint32_t kind, uint32_t column)
{
	return page_relates((uint8_t)kind, (uint16_t)column);
}

int
core_look_at(uint32_t kind, uint32_t number, const uint32_t *rows, uint32_t n_open)
{
	struct page_part part = {.kind = (uint8_t)kind, .number = number, .n_open = n_open};
	for (int k = 0; k < 6; k++)
		part.rows[k] = rows[k];
	return page_related_open(core_page(), &part, core_failure());
}

int
core_look(uint32_t first, uint32_t is_own)
{
	return page_related_scan(core_page(), first, is_own, core_failure());
}

double
core_n_related(uint32_t what)
{
	return (double)page_n_related(core_page(), what);
}

const struct page_related *
core_related(uint32_t what)
{
	const struct page_related *found;
	page_related(core_page(), what, &found);
	return found;
}

uint32_t
core_n_shown(uint32_t what)
{
	const struct page_related *found;
	return page_related(core_page(), what, &found);
}

uint32_t
core_related_end(void)
{
	return page_related_end(core_page());
}
