/* SPDX-License-Identifier: MIT */
/* judge.c - which grains have the problem that is looked at, and how bad it is. */
#include "page/private.h"

uint32_t
page_problem_mask(const struct page *p)
{
	return p->problem == PAGE_ALL_PROBLEMS ? p->run.counting : UINT32_C(1) << p->problem;
}

uint8_t
page_colour(const struct page *p, uint32_t site)
{
	return site < p->run.n_sites ? p->site_colour[site] : PAGE_NO_COLOUR;
}

void
page_choose(struct page *p, uint8_t problem)
{
	p->problem = problem < PAGE_PROBLEMS_MAX ? problem : PAGE_ALL_PROBLEMS;
	p->version++;
	for (uint32_t k = 0; k < p->run.n_chunks; k++) {
		struct page_chunk *c = &p->chunks[k];
		for (uint32_t i = 0; c->rows && i < c->n_nodes; i++)
			if (c->rows[i].kind == ROW_GRAIN)
				c->rows[i].n_problem =
				    (c->rows[i].problems & page_problem_mask(p)) != 0;
		if (c->rows)
			fold_problems(c->rows, c->n_nodes);
	}
	store_count(p);
}

void
page_site_colour(struct page *p, uint32_t site, uint8_t colour)
{
	if (site < p->run.n_sites)
		p->site_colour[site] = colour;
}

uint8_t
page_severity(double value, double threshold, bool is_below)
{
	double part = is_below ? value / threshold : threshold / value;
	if (!(part > 0))
		return 255;
	return part >= 1 ? 1 : (uint8_t)(255 - 254 * part);
}

uint32_t
page_worst(struct page *p, uint32_t root, uint8_t problem)
{
	if (problem != p->problem)
		page_choose(p, problem);
	const struct row *at = page_row(p, root);
	while (at && at->kind != ROW_GRAIN) {
		struct members it;
		struct member m;
		const struct row *worst = NULL;
		members_begin(&it, p, at);
		while (members_next(&it, &m)) {
			const struct row *r = m.row;
			if (r &&
			    (!worst || r->n_problem > worst->n_problem ||
			     (r->n_problem == worst->n_problem && r->work_ns > worst->work_ns)))
				worst = r;
		}
		if (!worst)
			break;
		at = worst;
	}
	return at ? at->node : NO_NODE;
}
