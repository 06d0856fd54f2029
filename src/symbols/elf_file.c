/* SPDX-License-Identifier: MIT */
#include "symbols/elf_file.h"

#include "symbols/symbols.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Mappings are recorded in whole pages or to the byte; both mean the same span. */
#define SPAN_ROUND_BYTES 4096u

int
wn_regular_file_open(const char *path)
{
	/* Checked before opening, since opening some devices has side effects, and again
	 * afterwards, since the name may now refer to another file. */
	struct stat found;
	if (stat(path, &found) != 0 || !S_ISREG(found.st_mode))
		return -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

static Elf *
elf_open(int fd)
{
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		elf = NULL;
	}
	return elf;
}

static bool
build_id_equals(Elf *elf, const uint8_t *build_id, size_t n)
{
	const void *found = NULL;
	ssize_t found_bytes = dwelf_elf_gnu_build_id(elf, &found);
	return found_bytes > 0 && (size_t)found_bytes == n && memcmp(found, build_id, n) == 0;
}

bool
wn_elf_has_build_id(int fd, const uint8_t *build_id, size_t n)
{
	Elf *elf = elf_open(fd);
	bool is_equal = elf && build_id_equals(elf, build_id, n);
	elf_end(elf);
	return is_equal;
}

bool
wn_file_has_crc32(int fd, uint32_t crc)
{
	unsigned char piece[65536];
	uLong found = crc32(0, NULL, 0);
	off_t offset = 0;
	ssize_t got;
	while ((got = pread(fd, piece, sizeof piece, offset)) > 0) {
		found = crc32(found, piece, (uInt)got);
		offset += got;
	}
	return got == 0 && found == crc;
}

static bool
span_equals(Elf *elf, const struct wn_module *module)
{
	uint64_t begin = UINT64_MAX, end = 0;
	size_t n = 0;
	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n && i < INT32_MAX; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		if (header.p_vaddr < begin)
			begin = header.p_vaddr;
		if (header.p_vaddr + header.p_memsz > end)
			end = header.p_vaddr + header.p_memsz;
	}
	uint64_t round = SPAN_ROUND_BYTES;
	return begin < end && begin / round == (module->begin - module->base) / round &&
	       (end + round - 1) / round == (module->end - module->base + round - 1) / round;
}

static bool
elf_is_module(Elf *elf, const struct wn_module *module)
{
	GElf_Ehdr header;
	if (!gelf_getehdr(elf, &header) || (header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return false;
	if (module->build_id_bytes > 0)
		return build_id_equals(elf, module->build_id, module->build_id_bytes);
	const void *unrecorded;
	return dwelf_elf_gnu_build_id(elf, &unrecorded) <= 0 && span_equals(elf, module);
}

bool
wn_elf_is_module(int fd, const struct wn_module *module)
{
	Elf *elf = elf_open(fd);
	bool is_module = elf && elf_is_module(elf, module);
	elf_end(elf);
	return is_module;
}
