/* SPDX-License-Identifier: MIT */
#include "job/select.h"

#include "job/rank.h"

#include <stddef.h>

struct range {
	uint32_t first, last, step;
};

/* Reads a number; NULL if there is none or it is too large. */
static const char *
read_number(const char *at, uint32_t *out)
{
	uint32_t value = 0;
	const char *start = at;
	for (; *at >= '0' && *at <= '9'; at++)
		if ((value = value * 10 + (uint32_t)(*at - '0')) > WN_RANK_MAX)
			return NULL;
	*out = value;
	return at > start ? at : NULL;
}

/* Reads A, A-B, A- or one of the last two with /STEP behind it; NULL if it is none of these. */
static const char *
read_range(const char *at, struct range *out)
{
	*out = (struct range){.step = 1};
	if (!(at = read_number(at, &out->first)))
		return NULL;
	out->last = out->first;
	if (*at != '-')
		return at;
	out->last = WN_RANK_MAX;
	at++;
	if (*at >= '0' && *at <= '9' && !(at = read_number(at, &out->last)))
		return NULL;
	if (*at == '/' && (!(at = read_number(at + 1, &out->step)) || out->step == 0))
		return NULL;
	return out->last >= out->first ? at : NULL;
}

/* Returns whether the list is valid, and in *contains whether the rank is in it. */
static bool
read_list(const char *list, uint32_t rank, bool *contains)
{
	struct range range;
	*contains = false;
	for (const char *at = list;; at++) {
		if (!(at = read_range(at, &range)))
			return false;
		*contains |= rank >= range.first && rank <= range.last &&
		             (rank - range.first) % range.step == 0;
		if (*at != ',')
			return *at == '\0';
	}
}

bool
wn_ranks_are_valid(const char *list)
{
	bool contains;
	return read_list(list, 0, &contains);
}

bool
wn_ranks_contain(const char *list, uint32_t rank)
{
	bool contains;
	if (!list || !*list)
		return true;
	return read_list(list, rank, &contains) && contains;
}
