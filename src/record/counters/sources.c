/* SPDX-License-Identifier: MIT */
/*
 * sources.c - lists the sources of a self-counting program that were compiled without counting.
 *
 * Each object's source name is in the program's symbol table (STT_FILE), and an instrumented object
 * adds a line "winnow counts HASH SOURCE" to the section .comment, where HASH distinguishes sources
 * of one name. Names in the former and not in the latter are not counted.
 *
 * The program's file is read in place and not trusted. Libraries are ignored: by the rules of
 * `winnow cc --count` none of them is counted.
 */
#include "record/counters/sources.h"

#include "base/file_info.h"
#include "base/map.h"
#include "record/counters/counters.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WHY        "compiled without 'winnow cc --count'"
#define NAMED_MAX  8u
#define TEXT_BYTES 1024u

struct elf_file {
	const uint8_t *bytes;
	size_t n_bytes;
	ElfW(Ehdr) head;
};

/* Names without folders, sorted. */
struct names {
	const char **name;
	size_t n, max;
};

static bool
map_program(struct elf_file *file)
{
	struct stat info;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *map = MAP_FAILED;
	if (fd >= 0 && wn_fstat(fd, &info) == 0 && (size_t)info.st_size >= sizeof(ElfW(Ehdr)))
		map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED)
		return false;
	file->bytes = map;
	file->n_bytes = (size_t)info.st_size;
	memcpy(&file->head, map, sizeof file->head);
	return true;
}

/* Section n, if it lies within the file. */
static bool
section(const struct elf_file *file, size_t n, ElfW(Shdr) * out)
{
	const ElfW(Ehdr) *head = &file->head;
	if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shentsize != sizeof *out ||
	    n >= head->e_shnum || head->e_shoff > file->n_bytes ||
	    (file->n_bytes - head->e_shoff) / sizeof *out <= n)
		return false;
	memcpy(out, file->bytes + head->e_shoff + n * sizeof *out, sizeof *out);
	return out->sh_type == SHT_NOBITS ||
	       (out->sh_offset <= file->n_bytes && out->sh_size <= file->n_bytes - out->sh_offset);
}

/* The text at an offset of a section, if it is terminated there. */
static const char *
text_in(const struct elf_file *file, const ElfW(Shdr) * of, size_t offset)
{
	const char *at = (const char *)file->bytes + of->sh_offset + offset;
	bool is_text = of->sh_type != SHT_NOBITS && offset < of->sh_size &&
	               memchr(at, 0, of->sh_size - offset);
	return is_text ? at : NULL;
}

static bool
find_section(const struct elf_file *file, unsigned type, const char *name, ElfW(Shdr) * out)
{
	ElfW(Shdr) names;
	if (!section(file, file->head.e_shstrndx, &names))
		return false;
	for (size_t i = 0; i < file->head.e_shnum; i++) {
		const char *its_name =
		    section(file, i, out) ? text_in(file, &names, out->sh_name) : NULL;
		if (its_name && out->sh_type == type && strcmp(its_name, name) == 0)
			return true;
	}
	return false;
}

static void
add_name(struct names *to, const char *path)
{
	if (to->n < to->max)
		to->name[to->n++] = basename(path);
}

/* From startup code, which every program contains. */
static bool
is_of_startup(const char *name)
{
	static const char *const known[] = {"crtstuff.c", "crt1.o", "Scrt1.o", "gcrt1.o", "rcrt1.o",
	                                    "grcrt1.o",   "crti.o", "crtn.o",  ""};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(name, known[i]) == 0)
			return true;
	return false;
}

/* Written by a linker in place of the names of sources that it has optimised together. */
static bool
is_of_linker(const char *name)
{
	return strcmp(name, "ld-temp.o") == 0;
}

/* False if some names are missing: there is no symbol table, or several sources were merged. */
static bool
find_sources(const struct elf_file *file, struct names *sources)
{
	bool is_whole = true;
	ElfW(Shdr) symbols, texts;
	if (!find_section(file, SHT_SYMTAB, ".symtab", &symbols) ||
	    !section(file, symbols.sh_link, &texts))
		return false;
	for (size_t i = 0; i < symbols.sh_size / sizeof(ElfW(Sym)); i++) {
		ElfW(Sym) symbol;
		memcpy(&symbol, file->bytes + symbols.sh_offset + i * sizeof symbol, sizeof symbol);
		if ((symbol.st_info & 0xf) != STT_FILE)
			continue;
		const char *name = text_in(file, &texts, symbol.st_name);
		if (name && is_of_linker(basename(name)))
			is_whole = false;
		else if (name && !is_of_startup(basename(name)))
			add_name(sources, name);
	}
	return is_whole;
}

/* Each object has a distinct text, because the linker may merge equal ones. */
static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
find_counted(const struct elf_file *file, struct names *counted)
{
	ElfW(Shdr) comment;
	if (!find_section(file, SHT_PROGBITS, ".comment", &comment))
		return;
	size_t head_bytes = sizeof WN_COUNTS_MARK - 1;
	const char *text;
	for (size_t at = 0; (text = text_in(file, &comment, at)) != NULL; at += strlen(text) + 1)
		if (strncmp(text, WN_COUNTS_MARK, head_bytes) == 0 && counted->n < counted->max)
			counted->name[counted->n++] = text + head_bytes;
	if (counted->n == 0)
		return;
	qsort(counted->name, counted->n, sizeof *counted->name, compare_texts);
	size_t n = 0;
	for (size_t i = 0; i < counted->n; i++)
		if (i == 0 || strcmp(counted->name[i], counted->name[i - 1]) != 0)
			counted->name[n++] = counted->name[i];
	counted->n = n;
	for (size_t i = 0; i < n; i++) {
		const char *space = strchr(counted->name[i], ' ');
		counted->name[i] = basename(space ? space + 1 : counted->name[i]);
	}
	qsort(counted->name, n, sizeof *counted->name, compare_texts);
}

/* Removes the `counted` names from `sources`; both are sorted. */
static void
take_away(struct names *sources, const struct names *counted)
{
	size_t n = 0, c = 0;
	for (size_t i = 0; i < sources->n; i++) {
		while (c < counted->n && strcmp(counted->name[c], sources->name[i]) < 0)
			c++;
		if (c < counted->n && strcmp(counted->name[c], sources->name[i]) == 0)
			c++;
		else
			sources->name[n++] = sources->name[i];
	}
	sources->n = n;
}

static void
print_uncounted(const struct names *uncounted, struct wn_counter_set *set)
{
	char text[TEXT_BYTES];
	size_t n_bytes = 0, n_named = 0;
	for (; n_named < uncounted->n && n_named < NAMED_MAX; n_named++) {
		const char *name = uncounted->name[n_named];
		size_t left = sizeof text - n_bytes;
		if (strlen(name) + sizeof ", and 18446744073709551615 more" > left)
			break;
		n_bytes +=
		    (size_t)snprintf(text + n_bytes, left, "%s%s", n_named ? ", " : "", name);
	}
	if (n_named < uncounted->n)
		snprintf(text + n_bytes, sizeof text - n_bytes, "%s%zu%s", n_named ? " and " : "",
		         uncounted->n - n_named, n_named ? " more" : " sources");
	if (uncounted->n > 0)
		wn_counters_miss(set, text, WHY);
}

void
wn_counters_miss_sources(struct wn_counter_set *set)
{
	struct elf_file file;
	if (!map_program(&file))
		return;
	/* each text and symbol needs at least one byte, which bounds their number */
	struct names sources = {NULL, 0, file.n_bytes / sizeof(ElfW(Sym)) + 1};
	struct names counted = {NULL, 0, sources.max};
	size_t n_bytes = 2 * sources.max * sizeof(const char *);
	void *room = wn_map(n_bytes, MAP_NORESERVE);
	if (room) {
		sources.name = room;
		counted.name = sources.name + sources.max;
		bool is_known = find_sources(&file, &sources);
		find_counted(&file, &counted);
		if (!is_known || counted.n == 0)
			wn_counters_miss(set, "sources " WHY ", if there are any",
			                 "the program's file does not name them any more");
		if (counted.n > 0) {
			qsort(sources.name, sources.n, sizeof *sources.name, compare_texts);
			take_away(&sources, &counted);
			print_uncounted(&sources, set);
		}
		munmap(room, n_bytes);
	}
	munmap((void *)(uintptr_t)file.bytes, file.n_bytes);
}
