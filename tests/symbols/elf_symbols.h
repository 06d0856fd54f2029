/* SPDX-License-Identifier: MIT */
/*
 * elf_symbols.h - for tests: the functions and the identity of an ELF file, read with plain libelf,
 * by another way than the code under test.
 */
#ifndef WN_TESTS_ELF_SYMBOLS_H
#define WN_TESTS_ELF_SYMBOLS_H

#include "symbols/symbols.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct elf_function {
	char name[512];
	uint64_t begin;
	uint64_t end;
};

struct elf_file {
	uint8_t build_id[64];
	uint32_t build_id_bytes;
	uint64_t begin; /* of the loadable segments */
	uint64_t end;
	struct elf_function *functions; /* sized ones, from .symtab, else .dynsym */
	size_t n;
};

static inline void
elf_functions_add(struct elf_file *file, Elf *elf, uint32_t section_type)
{
	for (Elf_Scn *scn = NULL; file->n == 0 && (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr header;
		GElf_Sym symbol;
		if (!gelf_getshdr(scn, &header) || header.sh_type != section_type)
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		size_t n = header.sh_entsize ? header.sh_size / header.sh_entsize : 0;
		file->functions = calloc(n + 1, sizeof *file->functions);
		for (size_t i = 0; file->functions && i < n; i++) {
			struct elf_function *function = &file->functions[file->n];
			if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_size == 0 ||
			    GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == 0)
				continue;
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
			strncat(function->name, name, sizeof function->name - 1);
			function->begin = symbol.st_value;
			function->end = symbol.st_value + symbol.st_size;
			file->n++;
		}
	}
}

static inline bool
elf_file_read(const char *path, struct elf_file *out)
{
	*out = (struct elf_file){.begin = UINT64_MAX};
	elf_version(EV_CURRENT);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	const void *id = NULL;
	ssize_t id_bytes = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	if (id_bytes > 0 && (size_t)id_bytes <= sizeof out->build_id) {
		memcpy(out->build_id, id, (size_t)id_bytes);
		out->build_id_bytes = (uint32_t)id_bytes;
	}
	size_t n_headers = 0;
	if (elf && elf_getphdrnum(elf, &n_headers) != 0)
		n_headers = 0;
	for (size_t i = 0; i < n_headers; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		if (header.p_vaddr < out->begin)
			out->begin = header.p_vaddr;
		if (header.p_vaddr + header.p_memsz > out->end)
			out->end = header.p_vaddr + header.p_memsz;
	}
	if (elf) {
		elf_functions_add(out, elf, SHT_SYMTAB);
		elf_functions_add(out, elf, SHT_DYNSYM);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return elf != NULL;
}

/* The file as a module loaded `base` above its own addresses. Borrows from both. */
static inline struct wn_module
elf_module(const struct elf_file *file, const char *path, uint64_t base)
{
	return (struct wn_module){.base = base,
	                          .begin = base + file->begin,
	                          .end = base + file->end,
	                          .build_id = file->build_id,
	                          .build_id_bytes = file->build_id_bytes,
	                          .path = path};
}

#endif /* WN_TESTS_ELF_SYMBOLS_H */
