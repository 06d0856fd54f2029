/* SPDX-License-Identifier: MIT */
#include "cli/event_names.h"

#include "base/path.h"
#include "cli/event_files.h"
#include "cli/pfm.h"
#include "expr/nearest.h"
#include "metrics/columns.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAME_BYTES 64
#define EVENTS_MAX 32

/* No kernel has such a type: it is rejected like an event that the machine lacks. */
#define TYPE_OF_NONE UINT32_MAX

#define CACHE(level, result)                                                                       \
	(PERF_COUNT_HW_CACHE_##level | PERF_COUNT_HW_CACHE_OP_READ << 8 |                          \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

struct event {
	char column[NAME_BYTES];
	const char *unit;
	uint32_t type;
	uint64_t config, config1, config2;
};

static const struct preset {
	const char *name, *papi, *column, *unit;
	uint32_t type;
	uint64_t config;
	const char *events; /* events by processor family instead; or NULL */
} presets[] = {
#define WN_PRESET(name, papi, column, unit, type, config)                                          \
	{name, papi, column, unit, type, config, NULL},
#define WN_FAMILY_PRESET(name, papi, column, events)                                               \
	{name, papi, column, "", TYPE_OF_NONE, 0, events},
#include "cli/event_presets.def"
#undef WN_FAMILY_PRESET
#undef WN_PRESET
};
#define PRESETS_N (sizeof presets / sizeof *presets)

static bool
find_pfm(const char *name, struct event *e, const char **why)
{
	struct perf_event_attr attr;
	if (!pfm_find(name, &attr, why))
		return false;
	*e = (struct event){.unit = "",
	                    .type = attr.type,
	                    .config = attr.config,
	                    .config1 = attr.config1,
	                    .config2 = attr.config2};
	snprintf(e->column, sizeof e->column, "%s", name);
	return true;
}

/* The kernel's files come first, as they list only what the processor counts. */
static bool
find_processor_event(const char *name, struct event *e, const char **why)
{
	*e = (struct event){.unit = ""};
	if (!event_file_find(EVENT_FILES_ROOT, name, &e->type, &e->config))
		return find_pfm(name, e, why);
	snprintf(e->column, sizeof e->column, "%s", name);
	return true;
}

/* Returns the first of those events that this processor has; else one that no kernel has. */
static struct event
event_of_family(const char *events)
{
	struct event e;
	const char *why;
	char name[256];
	for (size_t n; *events; events += n + strspn(events + n, " ")) {
		n = strcspn(events, " ");
		snprintf(name, sizeof name, "%.*s", (int)n, events);
		if (find_processor_event(name, &e, &why))
			return e;
	}
	return (struct event){.type = TYPE_OF_NONE};
}

static struct event
event_of_preset(const struct preset *p)
{
	struct event e = {.type = p->type, .config = p->config};
	if (p->events)
		e = event_of_family(p->events);
	e.unit = p->unit;
	snprintf(e.column, sizeof e.column, "%s", p->column);
	return e;
}

static bool
find_preset(const char *name, struct event *e)
{
	for (size_t i = 0; i < PRESETS_N; i++) {
		const struct preset *p = &presets[i];
		if (strcasecmp(name, p->name) != 0 && strcmp(name, p->column) != 0 &&
		    (!*p->papi || strcasecmp(name, p->papi) != 0))
			continue;
		*e = event_of_preset(p);
		return true;
	}
	return false;
}

/* A column's name has letters, digits and _. */
static void
make_column(char *name)
{
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	if (isdigit((unsigned char)*name))
		*name = '_';
}

/* Rejects names of columns or weights that every run has, as they would hide the counter. */
static bool
is_taken(const char *column)
{
	return wn_column_is_taken(column, strlen(column)) || strcmp(column, "work") == 0 ||
	       strcmp(column, "time") == 0;
}

static const char *
list_presets(const void *user, size_t k)
{
	(void)user;
	return k < PRESETS_N ? presets[k].name : NULL;
}

static bool
find_event(char *word, struct event *e, char *why, size_t why_bytes)
{
	const char *pfm_why = NULL;
	char *equals = strchr(word, '=');
	const char *name = equals ? equals + 1 : word;
	if (strlen(word) >= NAME_BYTES || !*name || equals == word) {
		snprintf(why, why_bytes, "'%.80s' is no counter", word);
		return false;
	}
	if (!find_preset(name, e) && !find_processor_event(name, e, &pfm_why)) {
		const char *near = wn_nearest_word(list_presets, NULL, name, strlen(name));
		if (near)
			snprintf(why, why_bytes, "'%s' is not a counter; did you mean '%s'?", name,
			         near);
		else
			snprintf(why, why_bytes, "'%s' is not a counter: %s; see winnow doctor",
			         name, pfm_why);
		return false;
	}
	if (equals) {
		*equals = '\0';
		snprintf(e->column, sizeof e->column, "%s", word);
	}
	make_column(e->column);
	if (!is_taken(e->column))
		return true;
	snprintf(why, why_bytes, "'%s' is the name of another column; choose another name",
	         e->column);
	return false;
}

bool
events_find(const char *list, char perf[EVENTS_BYTES], char *why, size_t why_bytes)
{
	char columns[EVENTS_MAX][NAME_BYTES];
	size_t n = 0, used = (size_t)snprintf(perf, EVENTS_BYTES, "perf:");
	char *copy = strdup(list), *rest = NULL;
	bool is_good = copy != NULL;
	if (!copy)
		snprintf(why, why_bytes, "out of memory");
	for (char *word = copy ? strtok_r(copy, ",", &rest) : NULL; is_good && word;
	     word = strtok_r(NULL, ",", &rest)) {
		struct event e;
		if (n == EVENTS_MAX) {
			snprintf(why, why_bytes, "more than %d counters", EVENTS_MAX);
			is_good = false;
			break;
		}
		is_good = find_event(word, &e, why, why_bytes);
		for (size_t i = 0; is_good && i < n; i++)
			if (strcmp(columns[i], e.column) == 0) {
				snprintf(why, why_bytes, "'%s' comes twice", e.column);
				is_good = false;
			}
		if (!is_good)
			break;
		snprintf(columns[n++], NAME_BYTES, "%s", e.column);
		used += (size_t)snprintf(perf + used, EVENTS_BYTES - used,
		                         "%s%s=%" PRIx32 ".%" PRIx64 ".%" PRIx64 ".%" PRIx64 ".%s",
		                         n > 1 ? "," : "", e.column, e.type, e.config, e.config1,
		                         e.config2, e.unit);
	}
	if (is_good && n == 0) {
		snprintf(why, why_bytes, "no counter is named");
		is_good = false;
	}
	free(copy);
	return is_good;
}

/* Returns 0, or errno. Fewer users may count the kernel's own events. */
static int
try_event(uint32_t type, uint64_t config, uint64_t config1, uint64_t config2)
{
	struct perf_event_attr attr;
	memset(&attr, 0, sizeof attr);
	attr.size = sizeof attr;
	attr.type = type;
	attr.config = config;
	attr.config1 = config1;
	attr.config2 = config2;
	attr.exclude_hv = 1;
	attr.exclude_kernel = type != PERF_TYPE_SOFTWARE || config == PERF_COUNT_SW_TASK_CLOCK ||
	                      config == PERF_COUNT_SW_PAGE_FAULTS;
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

static void
explain(int error, char *why, size_t why_bytes)
{
	char level[16];
	if (!wn_read_line("/proc/sys/kernel/perf_event_paranoid", level, sizeof level))
		strcpy(level, "unknown");
	if (error == EACCES || error == EPERM)
		snprintf(why, why_bytes, "the kernel forbids it: perf_event_paranoid is %s", level);
	else if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP)
		snprintf(why, why_bytes,
		         "this machine does not provide it (%s); virtual machines seldom do",
		         error == ENOENT ? "ENOENT" : strerror(error));
	else
		snprintf(why, why_bytes, "%s", strerror(error));
}

bool
events_refused(const char *perf, char *why, size_t why_bytes)
{
	int first_error = 0;
	size_t used = 0;
	for (const char *at = strchr(perf, ':'); at && *at;) {
		uint64_t number[4];
		at++;
		size_t name_bytes = strcspn(at, "=");
		char *next = (char *)(uintptr_t)(at + name_bytes);
		for (int i = 0; i < 4; i++)
			number[i] = strtoull(next + 1, &next, 16);
		int error = try_event((uint32_t)number[0], number[1], number[2], number[3]);
		first_error = first_error ? first_error : error;
		if (error && used + name_bytes + 3 < why_bytes)
			used += (size_t)snprintf(why + used, why_bytes - used, "%s%.*s",
			                         used ? ", " : "", (int)name_bytes, at);
		at = strchr(next, ',');
	}
	if (!first_error)
		return false;
	used += (size_t)snprintf(why + used, why_bytes - used, ": ");
	if (used < why_bytes)
		explain(first_error, why + used, why_bytes - used);
	return true;
}

/* Prints one row per reason, with all its presets. */
struct reason {
	char why[256], names[1024];
};

static void
add_name(struct reason *reasons, size_t n_most, const char *why, const char *name)
{
	size_t i = 0;
	while (i < n_most - 1 && *reasons[i].names && strcmp(reasons[i].why, why) != 0)
		i++;
	size_t used = strlen(reasons[i].names);
	snprintf(reasons[i].why, sizeof reasons[i].why, "%s", why);
	snprintf(reasons[i].names + used, sizeof reasons[i].names - used, "%s%s", used ? ", " : "",
	         name);
}

void
events_print_presets(void (*print)(const char *name, const char *text))
{
	struct reason reasons[8] = {0}, works[1] = {0};
	const size_t n_reasons = sizeof reasons / sizeof *reasons;
	char why[256], text[2048];
	for (size_t i = 0; i < PRESETS_N; i++) {
		struct event e = event_of_preset(&presets[i]);
		int error = try_event(e.type, e.config, e.config1, e.config2);
		if (!error) {
			add_name(works, 1, "", presets[i].name);
			continue;
		}
		explain(error, why, sizeof why);
		if (e.type == TYPE_OF_NONE)
			snprintf(
			    why, sizeof why, "%s",
			    pfm_missing()
				? pfm_missing()
				: "neither libpfm4 nor the kernel knows one for this processor");
		add_name(reasons, n_reasons, why, presets[i].name);
	}
	if (*works->names)
		print("countable", works->names);
	for (size_t i = 0; i < n_reasons && *reasons[i].names; i++) {
		if (snprintf(text, sizeof text, "%s: %s", reasons[i].names, reasons[i].why) >=
		    (int)sizeof text)
			memcpy(text + sizeof text - 4, "...", 4);
		print("not countable", text);
	}
}
