/* SPDX-License-Identifier: MIT */
#include "cli/inspect_elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#elif defined(__riscv)
#define OWN_MACHINE EM_RISCV
#elif defined(__powerpc64__)
#define OWN_MACHINE EM_PPC64
#else
#define OWN_MACHINE EM_NONE
#endif

static Elf *
open_elf(const char *path, int *fd)
{
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

static void
close_elf(Elf *elf, int fd)
{
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

static unsigned
symbol_bit(const char *name)
{
	if (!name)
		return 0;
	if (strcmp(name, "__kmpc_fork_call") == 0)
		return SYMBOL_FORK_CALL;
	if (strcmp(name, "GOMP_parallel") == 0)
		return SYMBOL_GOMP_PARALLEL;
	if (strcmp(name, "winnow_count_slots") == 0)
		return SYMBOL_COUNTS;
	if (strcmp(name, "PMPI_Init") == 0)
		return SYMBOL_MPI;
	return strcmp(name, "ompt_start_tool") == 0 ? SYMBOL_START_TOOL : 0;
}

static unsigned
defined_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	unsigned found = 0;
	if (!data || header->sh_entsize == 0)
		return 0;
	size_t n = data->d_size / header->sh_entsize;
	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF)
			continue;
		unsigned bit = symbol_bit(elf_strptr(elf, header->sh_link, symbol.st_name));
		if (bit == SYMBOL_START_TOOL && GELF_ST_BIND(symbol.st_info) != STB_WEAK)
			bit |= SYMBOL_OWN_TOOL;
		if (bit == SYMBOL_COUNTS && header->sh_type == SHT_DYNSYM)
			bit |= SYMBOL_SHOWS_COUNTS;
		found |= bit;
	}
	return found;
}

static void
read_symbols(Elf *elf, struct inspect_elf *out)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)
			continue;
		out->has_symbol_table |= header.sh_type == SHT_SYMTAB;
		out->symbols |= defined_symbols(elf, section, &header);
	}
}

static void
read_interpreter(Elf *elf, struct inspect_elf *out)
{
	size_t n_segments = 0;
	if (elf_getphdrnum(elf, &n_segments) != 0)
		return;
	for (size_t i = 0; i < n_segments && i < INT_MAX; i++) {
		GElf_Phdr segment;
		size_t file_bytes = 0;
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_INTERP)
			continue;
		const char *bytes = elf_rawfile(elf, &file_bytes);
		if (!bytes || segment.p_offset > file_bytes ||
		    segment.p_filesz > file_bytes - segment.p_offset)
			return;
		size_t path_bytes = strnlen(bytes + segment.p_offset, segment.p_filesz);
		if (path_bytes < sizeof out->interpreter)
			memcpy(out->interpreter, bytes + segment.p_offset, path_bytes);
		return;
	}
}

bool
inspect_elf_read(const char *path, struct inspect_elf *out)
{
	int fd;
	GElf_Ehdr header;
	memset(out, 0, sizeof *out);
	Elf *elf = open_elf(path, &fd);
	if (elf && gelf_getehdr(elf, &header)) {
		out->is_elf = true;
		out->is_32_bit = header.e_ident[EI_CLASS] == ELFCLASS32;
		out->is_other_machine = header.e_machine != OWN_MACHINE || out->is_32_bit;
		read_interpreter(elf, out);
		read_symbols(elf, out);
	}
	close_elf(elf, fd);
	return fd >= 0;
}

static void
each_need(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, void (*each)(const char *, void *),
          void *user)
{
	Elf_Data *data = elf_getdata(section, NULL);
	if (!data || header->sh_entsize == 0)
		return;
	size_t n = data->d_size / header->sh_entsize;
	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		GElf_Dyn entry;
		if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag == DT_NULL)
			return;
		if (entry.d_tag != DT_NEEDED)
			continue;
		const char *name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
		if (name)
			each(name, user);
	}
}

void
inspect_elf_needs(const char *path, void (*each)(const char *name, void *user), void *user)
{
	int fd;
	Elf *elf = open_elf(path, &fd);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC)
			each_need(elf, section, &header, each, user);
	close_elf(elf, fd);
}

static void
each_symbol(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
            void (*each)(const char *, bool, bool, void *), void *user)
{
	Elf_Data *data = elf_getdata(section, NULL);
	if (!data || header->sh_entsize == 0)
		return;
	size_t n = data->d_size / header->sh_entsize;
	for (size_t i = 1; i < n && i < INT_MAX; i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)i, &symbol))
			return;
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name)
			each(name, symbol.st_shndx == SHN_UNDEF,
			     GELF_ST_BIND(symbol.st_info) == STB_WEAK, user);
	}
}

void
inspect_elf_symbols(const char *path, void (*each)(const char *, bool, bool, void *), void *user)
{
	int fd;
	Elf *elf = open_elf(path, &fd);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
			each_symbol(elf, section, &header, each, user);
	close_elf(elf, fd);
}

bool
inspect_elf_has_texts(const char *path, const char *const *texts, size_t n_texts)
{
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	void *bytes = MAP_FAILED;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
		bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return false;
	size_t n_found = 0;
	for (size_t i = 0; i < n_texts; i++)
		n_found += memmem(bytes, (size_t)info.st_size, texts[i], strlen(texts[i])) != NULL;
	munmap(bytes, (size_t)info.st_size);
	return n_found == n_texts;
}
