/* SPDX-License-Identifier: MIT */
#include "count/native/modules.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define KNOWN_MAX  512
#define LINE_BYTES 4352
#define READ_BYTES 4096

struct mapping {
	struct range range;
	bool is_code;
	struct code code;
};

static struct mapping known[KNOWN_MAX];
static size_t n_known;
static bool has_left; /* a known module was dropped for lack of room */
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void
take_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		sched_yield();
}

static void
give_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

static uint64_t
read_hex(const char **at)
{
	uint64_t value = 0;
	for (;; (*at)++) {
		unsigned c = (unsigned char)**at;
		if (c - '0' < 10)
			value = value << 4 | (c - '0');
		else if (c - 'a' < 6)
			value = value << 4 | (c - 'a' + 10);
		else
			return value;
	}
}

/* "7f00-7f10 r-xp 00000000 08:01 1234   /path" */
static struct mapping
parse(const char *line)
{
	struct mapping m;
	m.range.start = read_hex(&line);
	line += *line == '-';
	m.range.end = read_hex(&line);
	line += *line == ' ';
	m.is_code = line[0] && line[1] && line[2] == 'x';
	/* other mappings of a shared file may change it */
	m.code.is_writable = m.is_code && (line[1] == 'w' || line[3] == 's');
	for (unsigned spaces = 0; spaces < 4 && *line; line++)
		spaces += *line == ' ';
	while (*line == ' ')
		line++;
	m.code.kind = module_kind_of(line);
	return m;
}

struct reader {
	int fd;
	size_t n, at;
	char bytes[READ_BYTES];
};

/* False at the end of the list. */
static bool
read_line(struct reader *r, char line[LINE_BYTES])
{
	size_t n = 0;
	for (;;) {
		if (r->at == r->n) {
			ssize_t got = read(r->fd, r->bytes, sizeof r->bytes);
			r->n = got > 0 ? (size_t)got : 0;
			r->at = 0;
			if (r->n == 0) {
				line[n] = '\0';
				return n > 0;
			}
		}
		char c = r->bytes[r->at++];
		if (c == '\n') {
			line[n] = '\0';
			return true;
		}
		if (n < LINE_BYTES - 1)
			line[n++] = c;
	}
}

static bool
find(uint64_t address, struct mapping *out)
{
	char line[LINE_BYTES];
	struct reader r;
	r.n = r.at = 0;
	r.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	bool is_found = false;
	while (r.fd >= 0 && !is_found && read_line(&r, line)) {
		*out = parse(line);
		is_found = address >= out->range.start && address < out->range.end;
	}
	if (r.fd >= 0)
		close(r.fd);
	return is_found;
}

bool
wn_native_find_code(uint64_t address, struct code *out)
{
	struct mapping m;
	take_lock();
	size_t i = 0;
	while (i < n_known && (address < known[i].range.start || address >= known[i].range.end))
		i++;
	bool is_found = i < n_known;
	if (is_found) {
		m = known[i];
	} else if (find(address, &m)) {
		is_found = true;
		if (!m.is_code)
			; /* it may become executable */
		else if (n_known < KNOWN_MAX)
			known[n_known++] = m;
		else {
			known[address / 4096 % KNOWN_MAX] = m;
			has_left = true;
		}
	}
	give_lock();
	if (is_found)
		*out = m.code;
	return is_found && m.is_code;
}

bool
wn_native_is_known(uint64_t start, uint64_t end)
{
	take_lock();
	bool is_known = has_left;
	for (size_t i = 0; i < n_known; i++)
		is_known |= start < known[i].range.end && known[i].range.start < end;
	give_lock();
	return is_known;
}

void
wn_native_modules_start_again(void)
{
	n_known = 0;
	has_left = false;
	give_lock();
}

void
modules_changed(void)
{
	take_lock();
	n_known = 0;
	has_left = false;
	give_lock();
}

struct range
modules_mapping(uint64_t address)
{
	struct mapping m;
	return find(address, &m) ? m.range : (struct range){0, 0};
}
