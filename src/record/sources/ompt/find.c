/* SPDX-License-Identifier: MIT */
/*
 * find.c - finds other definitions of ompt_start_tool(), in libomp's order.
 *
 *   1. by name: the first definition in the address space. If preloaded, that is ours, and the next
 *      one is what libomp would have called; libomp has a weak one of its own, which searches
 *      further. A definition in the program itself precedes every preload: then the runtimes'
 *      calls are redirected to ours before main() (turn_calls).
 *   2. the libraries of OMP_TOOL_LIBRARIES; the first that accepts
 *   3. libarcher.so, which accepts in programs built with ThreadSanitizer
 */
#include "record/dynamic.h"
#include "record/sources/ompt/client.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#define SYMBOL "ompt_start_tool"

/* The program's own definition, if its calls are redirected to ours. */
static ompt_start_function of_program;

static ompt_start_function
as_start(void *address)
{
	ompt_start_function start;
	memcpy(&start, &address, sizeof start);
	return start;
}

static const void *
base_of(const void *address)
{
	Dl_info info;
	return dladdr(address, &info) ? info.dli_fbase : NULL;
}

bool
client_is_found_by_name(const void *caller)
{
	static _Atomic(const void *) runtimes[8];
	const void *runtime = base_of(caller);

	if (!of_program && !wn_is_own(dlsym(RTLD_DEFAULT, SYMBOL)))
		return false;
	/* only the thread that starts this runtime adds it */
	for (unsigned i = 0; runtime && i < sizeof runtimes / sizeof runtimes[0]; i++) {
		const void *other = NULL;
		if (atomic_compare_exchange_strong(&runtimes[i], &other, runtime))
			break;
		if (other == runtime)
			return false;
	}
	return true;
}

/* A runtime that was opened locally is not in our search order; its weak definition searches from
 * its own position. */
static ompt_start_function
of_runtime(const void *caller)
{
	Dl_info info;
	if (!dladdr(caller, &info) || !info.dli_fname || !*info.dli_fname)
		return NULL;
	void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle)
		return NULL;
	void *found = dlsym(handle, SYMBOL);
	dlclose(handle);
	return wn_is_own(found) ? NULL : as_start(found);
}

ompt_start_tool_result_t *
client_find_loaded(const struct client_question *question)
{
	ompt_start_function start = of_program;

	if (!start)
		start = as_start(dlsym(RTLD_NEXT, SYMBOL));
	if (!start)
		start = of_runtime(question->caller);
	return start ? start(question->omp_version, question->runtime_version) : NULL;
}

static ompt_start_tool_result_t *
query_handle(void *handle, const struct client_question *question)
{
	ompt_start_function start = handle ? as_start(dlsym(handle, SYMBOL)) : NULL;
	ompt_start_tool_result_t *answer = NULL;

	if (start)
		answer = start(question->omp_version, question->runtime_version);
	if (handle && !answer)
		dlclose(handle);
	return answer;
}

/* Directories in which the runtime would look for a name without a folder: its RUNPATH. */
static const char *
search_path_of(const struct link_map *map)
{
	const char *strings = NULL;
	const ElfW(Dyn) *path = NULL;
	for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_STRTAB)
			strings = (const char *)d->d_un.d_ptr;
		if (d->d_tag == DT_RUNPATH || (d->d_tag == DT_RPATH && !path))
			path = d;
	}
	return strings && path ? strings + path->d_un.d_val : NULL;
}

static void *
open_in(const char *folder, size_t folder_bytes, const char *origin, const char *name)
{
	static const char mark[] = "$ORIGIN";
	char path[4096];
	const char *slash = strrchr(origin, '/');
	bool is_beside = strncmp(folder, mark, sizeof mark - 1) == 0 && slash;
	if (is_beside) {
		folder += sizeof mark - 1;
		folder_bytes -= sizeof mark - 1;
	}
	int n = snprintf(path, sizeof path, "%.*s%.*s/%s", is_beside ? (int)(slash - origin) : 0,
	                 origin, (int)folder_bytes, folder, name);
	return n > 0 && (size_t)n < sizeof path ? dlopen(path, RTLD_LAZY) : NULL;
}

/* Opens a library as the runtime would. */
static void *
open_for(const void *caller, const char *name)
{
	Dl_info info;
	struct link_map *map = NULL;
	void *handle = dlopen(name, RTLD_LAZY);
	if (handle || strchr(name, '/') ||
	    !dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return handle;
	const char *path = search_path_of(map);
	while (path && !handle) {
		size_t bytes = strcspn(path, ":");
		handle = bytes > 0 ? open_in(path, bytes, map->l_name, name) : NULL;
		path = path[bytes] ? path + bytes + 1 : NULL;
	}
	return handle;
}

ompt_start_tool_result_t *
client_find_listed(const struct client_question *question, bool is_after)
{
	const char *list = getenv("OMP_TOOL_LIBRARIES");
	char *names = strdup(list ? list : "");
	char *rest = NULL;
	ompt_start_tool_result_t *answer = NULL;
	bool is_due = !is_after;

	for (char *name = names ? strtok_r(names, ":", &rest) : NULL; name && !answer;
	     name = strtok_r(NULL, ":", &rest)) {
		void *handle = open_for(question->caller, name);
		if (handle && wn_is_own(dlsym(handle, SYMBOL))) {
			is_due = true;
			dlclose(handle);
		} else if (handle && is_due) {
			answer = query_handle(handle, question);
		} else if (handle) {
			dlclose(handle);
		}
	}
	free(names);
	return answer ? answer : query_handle(open_for(question->caller, "libarcher.so"), question);
}

#if defined(__x86_64__)
#define RELOCATION_CALL R_X86_64_JUMP_SLOT
#define RELOCATION_DATA R_X86_64_GLOB_DAT
#elif defined(__aarch64__)
#define RELOCATION_CALL R_AARCH64_JUMP_SLOT
#define RELOCATION_DATA R_AARCH64_GLOB_DAT
#elif defined(__riscv)
#define RELOCATION_CALL R_RISCV_JUMP_SLOT
#define RELOCATION_DATA R_RISCV_64
#elif defined(__powerpc64__)
#define RELOCATION_CALL R_PPC64_JMP_SLOT
#define RELOCATION_DATA R_PPC64_GLOB_DAT
#endif

/* Pages that the dynamic linker made read-only after relocation. */
static bool
is_read_only(const struct dl_phdr_info *object, uintptr_t address)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];
		if (p->p_type == PT_GNU_RELRO &&
		    address - (object->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return true;
	}
	return false;
}

static void
turn_slot(const struct dl_phdr_info *object, uintptr_t slot)
{
	uintptr_t target = (uintptr_t)&wn_ompt_start_tool;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *begin = (void *)(slot & ~(uintptr_t)(page - 1));
	bool is_closed = is_read_only(object, slot);

	if (is_closed && mprotect(begin, page, PROT_READ | PROT_WRITE) != 0)
		return;
	memcpy((void *)slot, &target, sizeof target);
	if (is_closed)
		mprotect(begin, page, PROT_READ);
}

static int
turn_calls(struct dl_phdr_info *object, size_t size, void *user)
{
	struct wn_dynamic found;
	(void)size;
	(void)user;
	if (!wn_dynamic_read(object, &found))
		return 0;
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < found.relocate[k].n; i++) {
			const ElfW(Rela) *r = &found.relocate[k].rows[i];
			unsigned type = (unsigned)ELF64_R_TYPE(r->r_info);
			if (type != RELOCATION_CALL && type != RELOCATION_DATA)
				continue;
			const ElfW(Sym) *symbol = &found.symbols[ELF64_R_SYM(r->r_info)];
			if (strcmp(found.names + symbol->st_name, SYMBOL) == 0)
				turn_slot(object, object->dlpi_addr + r->r_offset);
		}
	return 0;
}

extern __typeof__(dlsym) dlsym __attribute__((weak)); /* see base/glibc_versions.h */

/* Is the name's first definition in the program? Then it precedes every preload. */
__attribute__((constructor)) static void
come_first(void)
{
	const char *wanted = getenv("WINNOW_OUT");
	void *first = wanted && *wanted && dlsym ? dlsym(RTLD_DEFAULT, SYMBOL) : NULL;
	const void *program = (const void *)getauxval(AT_PHDR);

	if (!first || wn_is_own(first) || base_of(first) != base_of(program))
		return;
	of_program = as_start(first);
	dl_iterate_phdr(turn_calls, NULL);
}
