/* SPDX-License-Identifier: MIT */
#include "symbols/debug_file.h"

#include "symbols/elf_file.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEBUG_ROOT         "/usr/lib/debug"
#define BUILD_ID_MAX_BYTES 64u

/* How a debug file is verified. */
struct proof {
	uint8_t build_id[BUILD_ID_MAX_BYTES];
	size_t build_id_bytes; /* 0 = the CRC decides */
	uint32_t crc;
};

static void
proof_set_build_id(struct proof *proof, const void *build_id, ssize_t bytes)
{
	if (bytes <= 0 || (size_t)bytes > sizeof proof->build_id)
		return;
	memcpy(proof->build_id, build_id, (size_t)bytes);
	proof->build_id_bytes = (size_t)bytes;
}

/* Opens a file and verifies it; -1 if it is another one. On success *found_name is from malloc. */
static int
proven_open(const char *path, const struct proof *proof, char **found_name)
{
	int fd = wn_regular_file_open(path);
	if (fd < 0)
		return -1;
	bool is_proven = proof->build_id_bytes
	                     ? wn_elf_has_build_id(fd, proof->build_id, proof->build_id_bytes)
	                     : wn_file_has_crc32(fd, proof->crc);
	if (is_proven && (*found_name = strdup(path)))
		return fd;
	close(fd);
	return -1;
}

static int
build_id_open(const struct proof *proof, char **found_name)
{
	char path[sizeof DEBUG_ROOT + sizeof "/.build-id//.debug" + 2 * BUILD_ID_MAX_BYTES];
	if (proof->build_id_bytes < 2)
		return -1;
	int used = snprintf(path, sizeof path, DEBUG_ROOT "/.build-id/%02x/", proof->build_id[0]);
	for (size_t i = 1; i < proof->build_id_bytes; i++)
		used +=
		    snprintf(path + used, sizeof path - (size_t)used, "%02x", proof->build_id[i]);
	snprintf(path + used, sizeof path - (size_t)used, ".debug");
	return proven_open(path, proof, found_name);
}

/* Opens link_name relative to the folder of file_name, between two more parts of a path. */
static int
beside_open(const char *root, const char *file_name, const char *subfolder, const char *link_name,
            const struct proof *proof, char **found_name)
{
	char path[PATH_MAX];
	const char *slash = strrchr(file_name, '/');
	int folder_bytes = slash ? (int)(slash + 1 - file_name) : 0;
	int bytes = snprintf(path, sizeof path, "%s%.*s%s%s", root, folder_bytes, file_name,
	                     subfolder, link_name);
	if (bytes < 0 || (size_t)bytes >= sizeof path)
		return -1;
	return proven_open(path, proof, found_name);
}

static int
debuglink_open(const char *file_name, const char *link_name, const struct proof *proof,
               char **found_name)
{
	int fd = beside_open("", file_name, "", link_name, proof, found_name);
	if (fd < 0)
		fd = beside_open("", file_name, ".debug/", link_name, proof, found_name);
	if (fd < 0 && file_name[0] == '/')
		fd = beside_open(DEBUG_ROOT, file_name, "", link_name, proof, found_name);
	return fd;
}

/* Reads the build id that the shared part of dwz-compressed debug information must have. */
static struct proof
altlink_proof(const char *file_name)
{
	struct proof proof = {.build_id_bytes = 0};
	int fd = wn_regular_file_open(file_name);
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	if (dwarf) {
		const char *link_name;
		const void *build_id = NULL;
		ssize_t bytes = dwelf_dwarf_gnu_debugaltlink(dwarf, &link_name, &build_id);
		proof_set_build_id(&proof, build_id, bytes);
	}
	dwarf_end(dwarf);
	if (fd >= 0)
		close(fd);
	return proof;
}

static int
altlink_open(const char *file_name, const char *link_name, char **found_name)
{
	struct proof proof = altlink_proof(file_name);
	if (proof.build_id_bytes == 0)
		return -1;
	int fd = build_id_open(&proof, found_name);
	if (fd < 0 && link_name[0] == '/')
		fd = proven_open(link_name, &proof, found_name);
	else if (fd < 0)
		fd = beside_open("", file_name, "", link_name, &proof, found_name);
	return fd;
}

int
wn_debug_file_find(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                   const char *file_name, const char *link_name, GElf_Word link_crc,
                   char **found_name)
{
	(void)name;
	(void)base;
	if (!file_name)
		return -1;
	/* libdwfl requests the shared dwz file through this callback, too, with a CRC of 0. */
	if (link_name && link_crc == 0) {
		int alt_fd = altlink_open(file_name, link_name, found_name);
		*user = alt_fd < 0 ? NULL : module;
		return alt_fd;
	}

	struct proof proof = {.crc = link_crc};
	const unsigned char *build_id = NULL;
	GElf_Addr where = 0;
	int build_id_bytes = dwfl_module_build_id(module, &build_id, &where);
	proof_set_build_id(&proof, build_id, build_id_bytes);
	int fd = build_id_open(&proof, found_name);
	if (fd < 0 && link_name)
		fd = debuglink_open(file_name, link_name, &proof, found_name);
	return fd;
}
