/* SPDX-License-Identifier: MIT */
#include "symbols/static_loops.h"

#include "symbols/elf_file.h"

#include <gelf.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The plug-in adds this local symbol to each unit (src/plugin/gcc/winnow-gcc.cc). */
#define MARK "winnow_static_told"

/* Start-up code of gcc and the C library; it has no loops. */
static const char *const start_files[] = {"crtstuff.c", "offloadstuff.c", "crt1.o", "Scrt1.o",
                                          "crti.o",     "crtn.o",         "gcrt1.o"};

struct tables {
	bool calls_get_thread, calls_get_team; /* imports */
	bool has_plain, has_begin, has_chunks; /* of static loops of GCC 17 */
	bool has_plain_masked;
	bool has_symbols;
	struct wn_static_loops loops;
};

static void
read_import(struct tables *t, const GElf_Sym *symbol, const char *name)
{
	if (symbol->st_shndx != SHN_UNDEF)
		return;
	t->calls_get_thread |= strcmp(name, "omp_get_thread_num") == 0;
	t->calls_get_team |= strcmp(name, "omp_get_num_threads") == 0;
	t->has_plain |= strcmp(name, "GOMP_loop_static_worksharing") == 0;
	t->has_begin |= strcmp(name, "GOMP_loop_static_worksharing_start") == 0;
	t->has_chunks |= strcmp(name, "GOMP_loop_static_worksharing_dispatch") == 0;
	t->has_plain_masked |= strcmp(name, "GOMP_has_masked_thread_num") == 0;
}

static bool
is_unit(const char *name)
{
	for (size_t i = 0; i < sizeof start_files / sizeof *start_files; i++)
		if (strcmp(name, start_files[i]) == 0)
			return false;
	return name[0] != '\0';
}

static void
close_unit(struct tables *t, bool is_open, bool is_marked)
{
	if (is_open && is_marked)
		t->loops.n_marked++;
	else if (is_open)
		t->loops.n_unmarked++;
}

/* A unit's local symbols follow its name. */
static void
read_table(struct tables *t, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	bool is_open = false, is_marked = false;
	if (!data || header->sh_entsize == 0)
		return;
	size_t n = data->d_size / header->sh_entsize;
	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		GElf_Sym symbol;
		const char *name = gelf_getsym(data, (int)i, &symbol)
		                       ? elf_strptr(elf, header->sh_link, symbol.st_name)
		                       : NULL;
		if (!name)
			continue;
		read_import(t, &symbol, name);
		if (GELF_ST_TYPE(symbol.st_info) == STT_FILE) {
			close_unit(t, is_open, is_marked);
			is_open = is_unit(name);
			is_marked = false;
		} else if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL) {
			is_marked |= strcmp(name, MARK) == 0;
		}
	}
	if (header->sh_type == SHT_SYMTAB) {
		close_unit(t, is_open, is_marked);
		t->has_symbols = true;
	}
}

static void
read_tables(Elf *elf, struct tables *t)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			read_table(t, elf, section, &header);
}

struct wn_static_loops
wn_static_loops_of(const struct wn_module *module)
{
	struct wn_static_loops unknown = {.may_hide = true, .may_hide_masked = true};
	struct tables t = {.loops = {0}};

	if (module->path[0] != '/') /* the kernel's */
		return t.loops;
	int fd = wn_regular_file_open(module->path);
	if (fd < 0)
		return unknown;
	elf_version(EV_CURRENT);
	Elf *elf = wn_elf_is_module(fd, module) ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	bool is_read = elf != NULL;
	if (elf)
		read_tables(elf, &t);
	elf_end(elf);
	close(fd);
	if (!is_read)
		return unknown;
	bool has_option = t.has_plain || (t.has_begin && !t.has_chunks);
	struct wn_static_loops none = {.may_hide = false,
	                               .reports_chunks = t.has_chunks,
	                               .may_hide_masked = t.calls_get_thread || t.has_plain_masked};
	if ((!t.calls_get_thread || !t.calls_get_team) && !has_option)
		return none;
	t.loops.has_option = has_option;
	t.loops.reports_chunks = t.has_chunks;
	t.loops.may_hide_masked = none.may_hide_masked;
	t.loops.may_hide = !t.has_symbols || t.loops.n_unmarked > 0 || t.loops.n_marked == 0;
	return t.loops;
}
