/* SPDX-License-Identifier: MIT */
/* inspect_elf.h - reads the facts of an ELF file that inspect.h needs with libelf, which validates
 * offsets and sizes of the untrusted file. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum inspect_elf_symbol {
	SYMBOL_FORK_CALL = 1,     /* __kmpc_fork_call is defined */
	SYMBOL_GOMP_PARALLEL = 2, /* GOMP_parallel is defined */
	SYMBOL_START_TOOL = 4,    /* ompt_start_tool is defined */
	SYMBOL_OWN_TOOL = 8,      /* ... and not weakly, as runtimes do: by a tool */
	SYMBOL_COUNTS = 16,       /* winnow_count_slots is defined: its code counts ... */
	SYMBOL_SHOWS_COUNTS = 32, /* ... and other libraries can access it */
	SYMBOL_MPI = 64,          /* PMPI_Init is defined */
};

struct inspect_elf {
	bool is_elf;
	bool is_other_machine;
	bool is_32_bit;
	bool has_symbol_table;      /* not only the dynamic symbol table */
	unsigned symbols;           /* enum inspect_elf_symbol, or-ed */
	char interpreter[PATH_MAX]; /* path of its loader, or "" */
};

/* Returns false if the file cannot be read; is_elf is set for an ELF file. */
bool inspect_elf_read(const char *path, struct inspect_elf *elf);

/* Calls `each` with the name of every library the file needs directly. */
void inspect_elf_needs(const char *path, void (*each)(const char *name, void *user), void *user);

/* Calls `each` with the name of every dynamic symbol that the file imports (is_import), or defines;
 * without its version. */
void inspect_elf_symbols(const char *path,
                         void (*each)(const char *name, bool is_import, bool is_weak, void *user),
                         void *user);

/* Tests whether all texts occur in the file's bytes, for files without symbols. */
bool inspect_elf_has_texts(const char *path, const char *const *texts, size_t n_texts);
