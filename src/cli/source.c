/* SPDX-License-Identifier: MIT */
#include "cli/source.h"

#include <stdio.h>
#include <string.h>

static bool
is(const char *name, const char *source)
{
	return strcmp(name, source) == 0;
}

bool
source_is_known(const char *name)
{
	return is(name, "auto") || is(name, "ompt") || source_is_grain(name) ||
	       is(name, "libgomp") || is(name, "pomp2");
}

bool
source_is_grain(const char *name)
{
	return name && is(name, "ompt-grain");
}

bool
source_is_chosen(const char *name)
{
	return name && !is(name, "auto");
}

static const char *
why_not_ompt(const struct look *look)
{
	if (look->has_libomp_inside)
		return NULL;
	for (size_t i = 0; i < look->n_runtimes; i++)
		if (look->runtimes[i].has_ompt)
			return NULL;
	return look_has(look, LOOK_LIBOMP) ? "the libomp that it links is built without OMPT"
	                                   : "it links libgomp, which has no OMPT";
}

static const char *
why_not_libgomp(const struct look *look)
{
	if (look_has(look, LOOK_LIBGOMP))
		return NULL;
	return look->has_libgomp_inside
	           ? "libgomp is linked into the program, where its calls cannot be seen"
	           : "it links libomp and not libgomp";
}

bool
source_is_impossible(const char *name, const struct look *look, char *out, size_t out_bytes)
{
	bool has_runtime =
	    look->n_runtimes > 0 || look->has_libomp_inside || look->has_libgomp_inside;
	const char *why = NULL;
	if (look->kind != LOOK_ELF || !source_is_chosen(name) || !has_runtime)
		return false;
	if (is(name, "ompt"))
		why = why_not_ompt(look);
	else if (source_is_grain(name))
		why = look_has(look, LOOK_LIBGOMP) ? NULL : why_not_ompt(look);
	else if (is(name, "libgomp"))
		why = why_not_libgomp(look);
	else if (!look->is_instrumented)
		why = "it is not instrumented; compile it with 'winnow cc --opari'";
	if (why)
		snprintf(out, out_bytes, "%s", why);
	return why != NULL;
}
