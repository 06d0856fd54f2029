/* SPDX-License-Identifier: MIT */
#include "characterize/cases.h"

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define NAME_BYTES 256

static bool
add_name(char ***names, size_t *capacity, size_t n, const char *name)
{
	size_t n_bytes = strlen(name) + 1;
	char *copy = wn_calloc(n_bytes, 1);
	if (!copy || wn_grow(names, capacity, n + 1, sizeof **names) != 0) {
		wn_free(copy);
		return false;
	}
	memcpy(copy, name, n_bytes);
	(*names)[n] = copy;
	return true;
}

wn_status
wn_cases_add_variable(struct wn_cases *c, const char *name, wn_err *err)
{
	if (!add_name(&c->variables, &c->variables_capacity, c->n_variables, name))
		return wn_no_memory(err);
	c->n_variables++;
	return WN_OK;
}

static bool
is_taken(const struct wn_cases *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->names[i], name) == 0)
			return true;
	return false;
}

wn_status
wn_cases_add(struct wn_cases *c, const char *name, const double *values, wn_err *err)
{
	char own[NAME_BYTES + 32];
	snprintf(own, sizeof own, "%.*s", NAME_BYTES - 1, name);
	for (size_t number = 2; is_taken(c, own); number++)
		snprintf(own, sizeof own, "%.*s (%zu)", NAME_BYTES - 1, name, number);
	size_t n_values = (c->n + 1) * c->n_variables;
	if (wn_grow(&c->at, &c->at_capacity, n_values, sizeof *c->at) != 0 ||
	    !add_name(&c->names, &c->names_capacity, c->n, own))
		return wn_no_memory(err);
	memcpy(c->at + c->n * c->n_variables, values, c->n_variables * sizeof *values);
	c->n++;
	return WN_OK;
}

void
wn_cases_fini(struct wn_cases *c)
{
	for (size_t i = 0; i < c->n; i++)
		wn_free(c->names[i]);
	for (size_t i = 0; i < c->n_variables; i++)
		wn_free(c->variables[i]);
	WN_FREE_ALL(c->names, c->variables, c->at);
	*c = (struct wn_cases){0};
}
