/* SPDX-License-Identifier: MIT */
#include "cli/choose_source.h"

#include <stdio.h>
#include <string.h>

static bool
is(const char *name, const char *source)
{
	return strcmp(name, source) == 0;
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
explain_not_ompt(const struct inspection *inspection)
{
	if (inspection->has_libomp_inside)
		return NULL;
	for (size_t i = 0; i < inspection->n_runtimes; i++)
		if (inspection->runtimes[i].has_ompt)
			return NULL;
	return inspect_has(inspection, INSPECT_LIBOMP)
	           ? "the libomp that it links is built without OMPT"
	           : "it links libgomp, which has no OMPT";
}

static const char *
explain_not_libgomp(const struct inspection *inspection)
{
	if (inspect_has(inspection, INSPECT_LIBGOMP))
		return NULL;
	return inspection->has_libgomp_inside
	           ? "libgomp is linked into the program, where its calls cannot be seen"
	           : "it links libomp and not libgomp";
}

bool
source_is_impossible(const char *name, const struct inspection *inspection, char *out,
                     size_t out_bytes)
{
	bool has_runtime = inspection->n_runtimes > 0 || inspection->has_libomp_inside ||
	                   inspection->has_libgomp_inside;
	const char *why = NULL;
	if (inspection->kind != INSPECT_ELF || !source_is_chosen(name) || !has_runtime)
		return false;
	if (is(name, "ompt"))
		why = explain_not_ompt(inspection);
	else if (source_is_grain(name))
		why =
		    inspect_has(inspection, INSPECT_LIBGOMP) ? NULL : explain_not_ompt(inspection);
	else if (is(name, "libgomp"))
		why = explain_not_libgomp(inspection);
	else if (!inspection->is_instrumented)
		why = "it is not instrumented; compile it with 'winnow cc --opari'";
	if (why)
		snprintf(out, out_bytes, "%s", why);
	return why != NULL;
}
