/* SPDX-License-Identifier: MIT */
#include "symbols/symbol_names.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer mangled names are shown mangled: demangled they would be unreadable. */
#define MANGLED_MAX_BYTES 4096

static const char *const outlined_marks[] = {"._omp_fn.", "._omp_cpyfn.", ".omp_", ".omp."};

static const char *const clone_marks[] = {
    ".part.", ".cold", ".constprop.", ".isra.", ".lto_priv", ".localalias", ".llvm.", ".clone.",
};

bool
wn_name_is_outlined(const char *symbol)
{
	for (size_t i = 0; i < sizeof outlined_marks / sizeof *outlined_marks; i++)
		if (strstr(symbol, outlined_marks[i]))
			return true;
	return false;
}

/* Returns the position of the first mark, at most `bytes`. */
static size_t
mark_cut(const char *symbol, size_t bytes, const char *const *marks, size_t n_marks)
{
	for (size_t i = 0; i < n_marks; i++) {
		const char *mark = strstr(symbol, marks[i]);
		if (mark && (size_t)(mark - symbol) < bytes)
			bytes = (size_t)(mark - symbol);
	}
	return bytes;
}

size_t
wn_name_source_bytes(const char *symbol)
{
	size_t bytes = strlen(symbol);
	bytes =
	    mark_cut(symbol, bytes, outlined_marks, sizeof outlined_marks / sizeof *outlined_marks);
	bytes = mark_cut(symbol, bytes, clone_marks, sizeof clone_marks / sizeof *clone_marks);

	/* "inner.0": gcc numbers functions inside functions. */
	size_t digits = bytes;
	while (digits > 0 && isdigit((unsigned char)symbol[digits - 1]))
		digits--;
	if (digits > 1 && digits < bytes && symbol[digits - 1] == '.')
		bytes = digits - 1;
	while (bytes > 0 && symbol[bytes - 1] == '.')
		bytes--;
	return bytes;
}

static void
demangler_load(struct wn_demangler *demangler)
{
	static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
	demangler->is_tried = true;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !demangler->library; i++)
		demangler->library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
	if (!demangler->library)
		return;
	void *function = dlsym(demangler->library, "__cxa_demangle");
	memcpy(&demangler->demangle, &function, sizeof function);
}

/* Returns the index of the bracket that matches the one at text[close], or 0. */
static size_t
paren_open(const char *text, size_t close)
{
	int depth = 0;
	for (size_t i = close + 1; i-- > 0;) {
		depth += (text[i] == ')') - (text[i] == '(');
		if (depth == 0)
			return i;
	}
	return 0;
}

/* Removes "(int, char) const &" and the like from the end of a demangled function. */
static void
parameters_cut(char *text)
{
	char *close = strrchr(text, ')');
	if (!close)
		return;
	const char *rest = close + 1;
	bool is_qualifier = *rest == '\0' || *rest == ' ' || *rest == '&';
	size_t open = paren_open(text, (size_t)(close - text));
	if (is_qualifier && open > 0)
		text[open] = '\0';
}

/* Returns where the qualified name starts: after the result type of a template's instance. */
static size_t
result_type_bytes(const char *text)
{
	int depth = 0;
	size_t start = 0;
	for (size_t i = 0; text[i]; i++) {
		char c = text[i];
		if (depth == 0 && strncmp(text + i, "operator", 8) == 0)
			break; /* "operator<", "operator new": the rest is not structure */
		depth += (c == '<' || c == '(' || c == '{' || c == '[');
		depth -= (c == '>' || c == ')' || c == '}' || c == ']');
		if (c == ' ' && depth == 0)
			start = i + 1;
	}
	return text[start] ? start : 0;
}

static bool
cxx_demangle(struct wn_demangler *demangler, const char *mangled, char *out, size_t out_bytes)
{
	if (!demangler->is_tried)
		demangler_load(demangler);
	if (!demangler->demangle)
		return false;
	int status = -1;
	char *text = demangler->demangle(mangled, NULL, NULL, &status);
	bool is_done = text && status == 0 && *text;
	if (is_done) {
		parameters_cut(text);
		snprintf(out, out_bytes, "%s", text + result_type_bytes(text));
	}
	free(text); /* from malloc, as the ABI specifies */
	return is_done;
}

/* gfortran: __module_MOD_procedure */
static bool
fortran_demangle(const char *symbol, char *out, size_t out_bytes)
{
	const char *mark = strncmp(symbol, "__", 2) == 0 ? strstr(symbol, "_MOD_") : NULL;
	if (!mark || mark == symbol + 2 || mark[5] == '\0' || symbol[2] == '_')
		return false;
	snprintf(out, out_bytes, "%.*s::%s", (int)(mark - symbol - 2), symbol + 2, mark + 5);
	return true;
}

bool
wn_name_demangle(struct wn_demangler *demangler, const char *symbol, size_t bytes, char *out,
                 size_t out_bytes)
{
	char mangled[MANGLED_MAX_BYTES];
	if (bytes >= sizeof mangled)
		return false;
	memcpy(mangled, symbol, bytes);
	mangled[bytes] = '\0';
	if (strncmp(mangled, "_Z", 2) == 0)
		return cxx_demangle(demangler, mangled, out, out_bytes);
	return fortran_demangle(mangled, out, out_bytes);
}

void
wn_demangler_fini(struct wn_demangler *demangler)
{
	if (demangler->library)
		dlclose(demangler->library);
	*demangler = (struct wn_demangler){0};
}
