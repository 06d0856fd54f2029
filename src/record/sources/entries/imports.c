/* SPDX-License-Identifier: MIT */
/*
 * imports.c - finds entry points of OpenMP runtimes that the program or one of its libraries
 * imports, and in which threads may wait or create tasks unrecorded: those of a runtime newer than
 * known.def, and a few known ones. The trace names them.
 *
 * Reads the dynamic symbol tables of all loaded objects, in memory, whenever the recorder examines
 * loaded code and objects were loaded since: so libraries opened late are covered. Not on the event
 * path. Objects cannot be unloaded during dl_iterate_phdr(), and no other function of the dynamic
 * linker is called: its lock may be held by a thread that waits for this one.
 */
#include "record/dynamic.h"
#include "record/sources/entries/known.h"
#include "record/state.h"

#define FOUND_MAX  12u
#define NAME_BYTES 64u
#define PATH_BYTES 96u

static struct found {
	char name[NAME_BYTES];
	char path[PATH_BYTES]; /* of the object that imports it */
	enum wn_entry entry;
	bool is_defined;     /* else it cannot be called */
	uint32_t written_in; /* wn_trace_generation of the trace that names it */
} found[FOUND_MAX];
static uint32_t n_found;
static unsigned long long n_loaded; /* by all objects, when they were read last */

/* The symbols of another loaded object that has a table by which they are counted. */
static bool
read_symbols(const struct dl_phdr_info *object, struct wn_dynamic *out)
{
	return wn_dynamic_read(object, out) && (out->hash || out->gnu_hash);
}

/* Layout of DT_GNU_HASH: four numbers, the filter, the buckets, and a chain word for each symbol
 * from `first` on; imports are before it, but for functions whose address a fixed program takes. */
struct gnu_hash {
	uint32_t n_buckets, first, n_filter, shift;
	const ElfW(Addr) * filter;
	const uint32_t *buckets, *chains;
};

static struct gnu_hash
gnu_hash_of(const uint32_t *table)
{
	struct gnu_hash h = {table[0], table[1], table[2], table[3], NULL, NULL, NULL};
	h.filter = (const void *)(table + 4);
	h.buckets = (const void *)(h.filter + h.n_filter);
	h.chains = h.buckets + h.n_buckets;
	return h;
}

/* One past the last symbol that a relocation names: all imports that are called or read. */
static size_t
count_relocated(const struct wn_dynamic *s)
{
	size_t n_symbols = 0;
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < s->relocate[k].n; i++) {
			size_t symbol = ELF64_R_SYM(s->relocate[k].rows[i].r_info);
			n_symbols = symbol >= n_symbols ? symbol + 1 : n_symbols;
		}
	return n_symbols;
}

/* Number of symbols to check for imports. */
static size_t
count_symbols(const struct wn_dynamic *s, bool is_program)
{
	if (s->hash && (is_program || !s->gnu_hash))
		return s->hash[1];
	struct gnu_hash h = gnu_hash_of(s->gnu_hash);
	size_t last = 0;
	for (uint32_t i = 0; i < h.n_buckets; i++)
		last = h.buckets[i] > last ? h.buckets[i] : last;
	if (last < h.first) /* nothing is exported, and `first` has no meaning */
		return count_relocated(s);
	if (!is_program)
		return h.first;
	while (!(h.chains[last - h.first] & 1))
		last++;
	return last + 1;
}

static bool
is_definition(const struct wn_dynamic *s, uint32_t i, const char *name)
{
	return s->symbols[i].st_shndx != SHN_UNDEF &&
	       strcmp(s->names + s->symbols[i].st_name, name) == 0;
}

static bool
defines_by_gnu_hash(const struct wn_dynamic *s, const char *name)
{
	struct gnu_hash h = gnu_hash_of(s->gnu_hash);
	uint32_t value = 5381;
	for (const char *c = name; *c; c++)
		value = value * 33 + (unsigned char)*c;
	if (h.n_buckets == 0)
		return false;
	uint32_t i = h.buckets[value % h.n_buckets];
	for (; i >= h.first; i++) {
		uint32_t chain = h.chains[i - h.first];
		if ((chain | 1) == (value | 1) && is_definition(s, i, name))
			return true;
		if (chain & 1)
			return false;
	}
	return false;
}

static bool
defines(const struct wn_dynamic *s, const char *name)
{
	if (s->gnu_hash)
		return defines_by_gnu_hash(s, name);
	for (uint32_t i = 1; i < s->hash[1]; i++)
		if (is_definition(s, i, name))
			return true;
	return false;
}

static void
add_import(const char *name, enum wn_entry entry, const char *path)
{
	for (uint32_t i = 0; i < n_found; i++)
		if (strncmp(found[i].name, name, NAME_BYTES - 1) == 0)
			return;
	if (n_found == FOUND_MAX)
		return;
	struct found *f = &found[n_found++];
	size_t n_name = strnlen(name, NAME_BYTES - 1), n_path = strnlen(path, PATH_BYTES - 1);
	memcpy(f->name, name, n_name);
	memcpy(f->path, path, n_path);
	f->entry = entry;
}

static int
list_imports(struct dl_phdr_info *object, size_t size, void *user)
{
	struct wn_dynamic s;
	unsigned long long *n_now = user;
	bool has_count =
	    size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof object->dlpi_adds;
	*n_now = has_count ? object->dlpi_adds : n_loaded + 1;
	if (*n_now == n_loaded)
		return 1;
	if (!read_symbols(object, &s))
		return 0;
	const char *path = object->dlpi_name ? object->dlpi_name : "";
	size_t n = count_symbols(&s, *path == '\0');
	for (size_t i = 1; i < n; i++) {
		const char *name = s.names + s.symbols[i].st_name;
		if (s.symbols[i].st_shndx != SHN_UNDEF)
			continue;
		enum wn_entry entry = wn_entry_of(name, NULL);
		if (entry == WN_ENTRY_UNSEEN || entry == WN_ENTRY_UNKNOWN)
			add_import(name, entry, path);
	}
	return 0;
}

/* A name in omp_ may be any library's own: it counts where a runtime defines it. */
static int
find_definitions(struct dl_phdr_info *object, size_t size, void *user)
{
	struct wn_dynamic s;
	(void)size;
	(void)user;
	if (!read_symbols(object, &s))
		return 0;
	bool is_runtime = defines(&s, "GOMP_parallel") || defines(&s, "__kmpc_fork_call");
	for (uint32_t i = 0; i < n_found; i++) {
		struct found *f = &found[i];
		bool counts = is_runtime || f->name[0] != 'o' || f->entry == WN_ENTRY_UNSEEN;
		if (!f->is_defined && counts && defines(&s, f->name))
			f->is_defined = true;
	}
	return 0;
}

static void
write_found(const struct found *f)
{
	struct {
		struct wn_process_record head;
		struct wn_entry_record entry;
		char text[NAME_BYTES + PATH_BYTES];
	} record = {0};
	size_t n_name = strlen(f->name), n_path = strlen(f->path);
	record.entry.kind =
	    f->entry == WN_ENTRY_UNSEEN ? WN_ENTRY_KIND_UNSEEN : WN_ENTRY_KIND_UNKNOWN;
	record.entry.name_bytes = (uint16_t)n_name;
	memcpy(record.text, f->name, n_name);
	memcpy(record.text + n_name, f->path, n_path);
	record.head.type = WN_PROCESS_ENTRY;
	record.head.bytes = (uint32_t)(sizeof record.entry + n_name + n_path);
	size_t n_bytes = sizeof record.head + record.head.bytes;
	recorder_process_write(&record, (n_bytes + 7) & ~(size_t)7);
}

/* By one thread at a time. A forked child inherits what its parent found. */
static void
look_at_imports(void)
{
	unsigned long long n_now = n_loaded;
	dl_iterate_phdr(list_imports, &n_now);
	bool has_new_objects = n_now != n_loaded;
	n_loaded = n_now;
	if (has_new_objects && n_found > 0)
		dl_iterate_phdr(find_definitions, NULL);
	for (uint32_t i = 0; i < n_found; i++)
		if (found[i].is_defined && found[i].written_in != wn_trace_generation) {
			found[i].written_in = wn_trace_generation;
			write_found(&found[i]);
		}
}

__attribute__((constructor)) static void
watch_modules(void)
{
	recorder_on_modules = look_at_imports;
}
