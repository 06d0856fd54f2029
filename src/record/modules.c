/* SPDX-License-Identifier: MIT */
/*
 * modules.c - which files of code are loaded where, with their build ids.
 *
 * Read from /proc/self/maps, not from the dynamic linker, whose lock may be held by a thread that
 * waits for ours. Written as one process block at the start, again when code at an address outside
 * all known modules opens a region, and at the end. The reader takes the union.
 */
#include "base/map.h"
#include "record/state.h"
#include "trace/hash.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#define MODULES_MAX  1024
#define BUILD_ID_MAX 64
#define MAPS_MOST    (1u << 20)
#define MAPS_FIRST   (1u << 15)

struct range {
	uint64_t begin, end;
};

/* Relaxed atomics: a later scan rewrites equal values while other threads read. */
struct known_range {
	_Atomic uint64_t begin, end;
	uint64_t path_hash; /* only for the scan, which is one at a time */
};

static struct known_range known[MODULES_MAX];
static _Atomic uint32_t n_known;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static _Atomic uint32_t n_written;
static struct known_range last_hit; /* a hint: a torn value only costs or saves one search */

void (*recorder_on_modules)(void);

extern char **environ;

static void
set_range(struct known_range *range, uint64_t begin, uint64_t end)
{
	atomic_store_explicit(&range->begin, begin, memory_order_relaxed);
	atomic_store_explicit(&range->end, end, memory_order_relaxed);
}

static bool
is_in(struct known_range *range, uint64_t addr)
{
	return addr >= atomic_load_explicit(&range->begin, memory_order_relaxed) &&
	       addr < atomic_load_explicit(&range->end, memory_order_relaxed);
}

#define PEEK_BYTES   4096u
#define RECORD_BYTES (sizeof(struct wn_process_record) + 7) /* beside its payload, at most */

struct scan {
	int mem_fd;    /* /proc/self/mem: a bad address gives an error instead of a fault */
	uint64_t page; /* page in `seen`; 0 = none */
	uint8_t *seen; /* [PEEK_BYTES] */
	uint8_t *out;  /* [capacity] */
	size_t used, capacity;
};

static void
put_record(struct scan *s, enum wn_process_type type, const void *a, size_t a_bytes, const void *b,
           size_t b_bytes, const void *c, size_t c_bytes)
{
	size_t payload_bytes = a_bytes + b_bytes + c_bytes;
	size_t padded_bytes = (sizeof(struct wn_process_record) + payload_bytes + 7) & ~(size_t)7;
	if (s->capacity - s->used < padded_bytes)
		return;
	struct wn_process_record head = {(uint32_t)type, (uint32_t)payload_bytes};
	uint8_t *p = s->out + s->used;
	memset(p, 0, padded_bytes);
	memcpy(p, &head, sizeof head);
	p += sizeof head;
	memcpy(p, a, a_bytes);
	if (b_bytes)
		memcpy(p + a_bytes, b, b_bytes);
	if (c_bytes)
		memcpy(p + a_bytes + b_bytes, c, c_bytes);
	s->used += padded_bytes;
}

/* Headers and build id are usually in a module's first page: one read covers them. */
static bool
peek(struct scan *s, uint64_t address, void *out, size_t n_bytes)
{
	uint64_t offset = address % PEEK_BYTES;
	if (offset + n_bytes <= PEEK_BYTES && address - offset != s->page)
		s->page = pread(s->mem_fd, s->seen, PEEK_BYTES, (off_t)(address - offset)) ==
		                  (ssize_t)PEEK_BYTES
		              ? address - offset
		              : 0;
	if (offset + n_bytes <= PEEK_BYTES && s->page != 0) {
		memcpy(out, s->seen + offset, n_bytes);
		return true;
	}
	return pread(s->mem_fd, out, n_bytes, (off_t)address) == (ssize_t)n_bytes;
}

/* The GNU build id among the notes at [address, address + n_bytes); 0 when there is none. */
static uint32_t
find_build_id(struct scan *s, uint64_t address, uint64_t n_bytes, uint8_t *id)
{
	uint64_t end = address + (n_bytes < 4096 ? n_bytes : 4096);
	Elf64_Nhdr note;
	while (address + sizeof note <= end && peek(s, address, &note, sizeof note)) {
		uint64_t name = address + sizeof note;
		uint64_t desc = name + ((note.n_namesz + 3u) & ~3u);
		char owner[4];
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    note.n_descsz <= BUILD_ID_MAX && peek(s, name, owner, 4) &&
		    memcmp(owner, "GNU", 4) == 0 && peek(s, desc, id, note.n_descsz))
			return note.n_descsz;
		address = desc + ((note.n_descsz + 3u) & ~3u);
	}
	return 0;
}

/* Load bias and build id from the ELF header mapped at `begin`. */
static bool
read_elf(struct scan *s, uint64_t begin, uint64_t *base, uint8_t *id, uint32_t *id_bytes)
{
	Elf64_Ehdr ehdr;
	*base = begin;
	*id_bytes = 0;
	if (!peek(s, begin, &ehdr, sizeof ehdr) || memcmp(ehdr.e_ident, ELFMAG, SELFMAG) != 0 ||
	    ehdr.e_ident[EI_CLASS] != ELFCLASS64 || ehdr.e_phentsize != sizeof(Elf64_Phdr))
		return false;
	bool has_load = false;
	for (unsigned i = 0; i < ehdr.e_phnum && i < 64; i++) {
		Elf64_Phdr phdr;
		if (!peek(s, begin + ehdr.e_phoff + i * sizeof phdr, &phdr, sizeof phdr))
			return false;
		if (phdr.p_type == PT_LOAD && !has_load) {
			*base = begin - (phdr.p_vaddr & ~(uint64_t)4095);
			has_load = true;
		}
		if (phdr.p_type == PT_NOTE && *id_bytes == 0 && has_load)
			*id_bytes = find_build_id(s, *base + phdr.p_vaddr, phdr.p_memsz, id);
	}
	return has_load;
}

/* A previous scan has written this module. */
static bool
is_written(const struct range *range, uint64_t path_hash, uint32_t index)
{
	return index < atomic_load_explicit(&n_known, memory_order_relaxed) &&
	       atomic_load_explicit(&known[index].begin, memory_order_relaxed) == range->begin &&
	       atomic_load_explicit(&known[index].end, memory_order_relaxed) == range->end &&
	       known[index].path_hash == path_hash;
}

static void
put_module(struct scan *s, const struct range *range, const char *path, uint32_t index)
{
	struct wn_module_record m = {.begin = range->begin, .end = range->end};
	uint8_t id[BUILD_ID_MAX];
	size_t path_bytes = strlen(path);
	uint64_t path_hash = XXH3_64bits(path, path_bytes);
	if (index < MODULES_MAX && is_written(range, path_hash, index))
		return;
	if (!read_elf(s, range->begin, &m.base, id, &m.build_id_bytes))
		return;
	m.path_bytes = (uint32_t)path_bytes;
	put_record(s, WN_PROCESS_MODULE, &m, sizeof m, id, m.build_id_bytes, path, path_bytes);
	if (index < MODULES_MAX) {
		set_range(&known[index], range->begin, range->end);
		known[index].path_hash = path_hash;
		/* release: a reader of n_known sees the range; pairs with wn_modules_record_address
		 */
		atomic_store_explicit(&n_known, index + 1, memory_order_release);
	}
}

/* One line of the maps file: "begin-end perms offset dev inode  path". */
static bool
parse_line(char *line, struct range *range, uint64_t *offset, bool *is_code, char **path)
{
	char *p = line;
	range->begin = strtoull(p, &p, 16);
	if (*p++ != '-')
		return false;
	range->end = strtoull(p, &p, 16);
	if (strlen(p) < 7)
		return false;
	*is_code = p[3] == 'x';
	*offset = strtoull(p + 6, NULL, 16);
	*path = strchr(p, '/');
	return *path != NULL;
}

/* An emulator may map the program's code without execute permission; then the mapping of the
 * program's entry counts as code. Its listing of libraries may be only partly right. */
static bool
maps_show_code(const char *maps)
{
	uint64_t entry = getauxval(AT_ENTRY);
	for (const char *line = maps; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		char *p;
		uint64_t begin = strtoull(line, &p, 16);
		uint64_t end = *p == '-' ? strtoull(p + 1, &p, 16) : 0;
		if (entry >= begin && entry < end)
			return strlen(p) > 3 && p[3] == 'x';
	}
	return true;
}

static void
scan_maps(struct scan *s, char *maps)
{
	bool shows_code = maps_show_code(maps);
	struct range module = {0, 0};
	char *module_path = NULL;
	bool has_code = false;
	uint32_t n = 0;
	char *save = NULL;
	for (char *line = strtok_r(maps, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct range range;
		uint64_t offset;
		bool is_code;
		char *path;
		if (!parse_line(line, &range, &offset, &is_code, &path))
			continue;
		is_code = is_code || !shows_code;
		if (module_path && strcmp(path, module_path) == 0 && offset != 0) {
			module.end = range.end;
			has_code |= is_code;
			continue;
		}
		if (module_path && has_code)
			put_module(s, &module, module_path, n++);
		module = range;
		module_path = offset == 0 ? path : NULL;
		has_code = is_code;
	}
	if (module_path && has_code)
		put_module(s, &module, module_path, n++);
}

/* As much of the file as fits, NUL-terminated; its length. */
static size_t
read_file(int fd, char *text, size_t capacity)
{
	size_t used = 0;
	ssize_t n;
	while (used < capacity - 1 &&
	       (n = pread(fd, text + used, capacity - 1 - used, (off_t)used)) > 0)
		used += (size_t)n;
	text[used] = '\0';
	return used;
}

/* Starts with little memory and doubles it, because the program may have almost none. */
static char *
read_maps(size_t *capacity)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	for (*capacity = MAPS_FIRST; fd >= 0 && (text = wn_map(*capacity, 0)); *capacity *= 2) {
		if (read_file(fd, text, *capacity) < *capacity - 1 || *capacity == MAPS_MOST)
			break;
		munmap(text, *capacity);
	}
	if (fd >= 0)
		close(fd);
	return text;
}

static void
put_command(struct scan *s)
{
	const char *words;
	size_t n_bytes = recorder_command_words(&words);
	if (n_bytes > 0)
		put_record(s, WN_PROCESS_ARGV, words, n_bytes, NULL, 0, NULL, 0);
}

static void
put_nodes(struct scan *s)
{
	struct wn_process_record head = {WN_PROCESS_NODES, 0};
	uint8_t *p = s->out + s->used;
	size_t n = recorder_nodes_read((char *)p + sizeof head, WN_SLOT_BYTES / 2);
	if (n == 0)
		return;
	head.bytes = (uint32_t)n;
	memcpy(p, &head, sizeof head);
	s->used += (sizeof head + n + 7) & ~(size_t)7;
}

static bool
steers_openmp(const char *variable)
{
	return strncmp(variable, "OMP_", 4) == 0 || strncmp(variable, "KMP_", 4) == 0 ||
	       strncmp(variable, "GOMP_", 5) == 0;
}

/* The command line and the variables that control OpenMP, once per trace. */
static void
put_environment(struct scan *s)
{
	put_command(s);
	put_nodes(s);
	for (char **e = environ; e && *e; e++)
		if (steers_openmp(*e))
			put_record(s, WN_PROCESS_ENV, *e, strlen(*e), NULL, 0, NULL, 0);
}

/* Room for all records: one is at most twice as long as its line of the maps' text. */
static size_t
room_for_records(size_t maps_bytes)
{
	const char *words;
	size_t n_bytes = 2 * maps_bytes + WN_SLOT_BYTES / 2 + 4 * RECORD_BYTES;
	n_bytes += recorder_command_words(&words);
	for (char **e = environ; e && *e; e++)
		if (steers_openmp(*e))
			n_bytes += strlen(*e) + RECORD_BYTES;
	return (n_bytes + PEEK_BYTES - 1) / PEEK_BYTES * PEEK_BYTES;
}

static bool
write_block(const void *records, size_t n_bytes)
{
	struct wn_block_header block = {
	    .magic = WN_BLOCK_MAGIC,
	    .kind = WN_BLOCK_PROCESS,
	    .salt = wn_recorder.header->salt,
	    .thread_index = UINT32_MAX,
	    .sequence = atomic_fetch_add(&n_written, 1),
	};
	atomic_store_explicit(&block.used_bytes, (uint32_t)(sizeof block + n_bytes),
	                      memory_order_relaxed);
	return recorder_write_block(&block, records, n_bytes, n_bytes);
}

void
recorder_process_write(const void *records, size_t n_bytes)
{
	(void)write_block(records, n_bytes); /* otherwise recording is over */
}

/* Process blocks contain whole records only; a long list takes several blocks. */
static void
write_blocks(struct scan *s)
{
	size_t room = WN_SLOT_BYTES - sizeof(struct wn_block_header);
	size_t from = 0;
	while (from < s->used) {
		size_t to = from;
		while (to < s->used) {
			struct wn_process_record head;
			memcpy(&head, s->out + to, sizeof head);
			size_t n_bytes = (sizeof head + head.bytes + 7) & ~(size_t)7;
			if (to + n_bytes - from > room)
				break;
			to += n_bytes;
		}
		if (to == from)
			return;
		if (!write_block(s->out + from, to - from))
			return;
		from = to;
	}
}

void
recorder_modules_write(void)
{
	if (atomic_flag_test_and_set(&busy))
		return;
	size_t maps_bytes;
	char *maps = read_maps(&maps_bytes);
	struct scan s = {.capacity = room_for_records(maps ? strlen(maps) : 0)};
	s.out = wn_map(s.capacity + PEEK_BYTES, 0);
	s.seen = s.out ? s.out + s.capacity : NULL;
	s.mem_fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	if (maps && s.out && s.mem_fd >= 0) {
		if (atomic_load(&n_written) == 0)
			put_environment(&s);
		scan_maps(&s, maps);
		write_blocks(&s);
	}
	if (s.mem_fd >= 0)
		close(s.mem_fd);
	if (s.out)
		munmap(s.out, s.capacity + PEEK_BYTES);
	if (maps)
		munmap(maps, maps_bytes);
	if (recorder_on_modules)
		recorder_on_modules();
	atomic_flag_clear(&busy);
}

void
recorder_modules_reset(void)
{
	atomic_store(&n_known, 0);
	atomic_store(&n_written, 0);
	atomic_flag_clear(&busy);
}

/* Returns the known code that an address is in; NULL: none. */
static struct known_range *
find_known(uint64_t addr)
{
	uint32_t n = atomic_load_explicit(&n_known, memory_order_acquire);
	for (uint32_t i = 0; i < n; i++)
		if (is_in(&known[i], addr))
			return &known[i];
	return NULL;
}

bool
recorder_is_code(uint64_t addr)
{
	return find_known(addr) != NULL;
}

void
wn_modules_record_address(uint64_t addr)
{
	if (is_in(&last_hit, addr))
		return;
	struct known_range *range = find_known(addr);
	if (range) {
		set_range(&last_hit, range->begin, range->end);
		return;
	}
	if (addr == 0 || atomic_load_explicit(&n_known, memory_order_acquire) == 0)
		return;
	int saved_errno = errno;
	recorder_modules_write();
	/* code without a file (just-in-time compiled) is searched once, not at every region */
	set_range(&last_hit, addr & ~(uint64_t)0xffff, (addr | 0xffff) + 1);
	errno = saved_errno;
}
