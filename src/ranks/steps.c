/* SPDX-License-Identifier: MIT */
#include "ranks/exchange.h"

#include "base/error.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static_assert(sizeof(struct wn_steps_header) % 8 == 0, "arrays are aligned");
static_assert(sizeof(struct wn_mpi_communicator) == 16, "no padding");
static_assert(sizeof(struct wn_mpi_step) == 48, "no padding");

bool
wn_steps_write(const struct wn_messages *m, uint32_t rank, const struct wn_rank_source *source,
               FILE *to)
{
	struct wn_steps_header h = {
	    .layout = wn_ranks_layout(),
	    .n_steps = m->n,
	    .n_communicators = (uint32_t)m->n_communicators,
	    .breaks = m->breaks,
	    .end_ns = m->end_ns,
	    .outside_ns = m->outside_ns,
	    .rank = rank,
	    .source = *source,
	};
	memcpy(h.magic, WN_STEPS_MAGIC, sizeof h.magic);
	return fwrite(&h, sizeof h, 1, to) == 1 &&
	       fwrite(m->communicators, sizeof *m->communicators, m->n_communicators, to) ==
	           m->n_communicators &&
	       fwrite(m->steps, sizeof *m->steps, m->n, to) == m->n;
}

static bool
is_valid(const struct wn_steps *s, uint64_t i)
{
	const struct wn_mpi_step *step = &s->steps[i];
	if (step->kind >= WN_MPI_STEP_N || step->end_ns < step->begin_ns)
		return false;
	if (step->communicator >= s->header->n_communicators && step->communicator != UINT32_MAX)
		return false;
	return step->kind != WN_MPI_STEP_DONE ||
	       (step->of < i && s->steps[step->of].kind != WN_MPI_STEP_DONE &&
	        s->steps[step->of].kind != WN_MPI_STEP_SEND);
}

wn_status
wn_steps_read(const void *bytes, size_t n_bytes, struct wn_steps *out, wn_err *err)
{
	struct wn_steps s = {.n_bytes = n_bytes, .header = bytes};
	uint64_t left_bytes = n_bytes;
	if (n_bytes < sizeof *s.header ||
	    memcmp(s.header->magic, WN_STEPS_MAGIC, sizeof s.header->magic) != 0 ||
	    s.header->layout != wn_ranks_layout())
		return wn_fail(err, WN_E_FORMAT, 0, "not the steps of a rank by this version");
	left_bytes -= sizeof *s.header;
	if (s.header->n_communicators > left_bytes / sizeof *s.communicators)
		return wn_fail(err, WN_E_FORMAT, 0, "the list of communicators is cut");
	s.communicators = (const void *)(s.header + 1);
	left_bytes -= s.header->n_communicators * sizeof *s.communicators;
	if (s.header->n_steps > WN_MPI_STEPS_MAX ||
	    s.header->n_steps * sizeof *s.steps != left_bytes)
		return wn_fail(err, WN_E_FORMAT, 0, "the list of steps is cut");
	s.steps = (const void *)(s.communicators + s.header->n_communicators);
	for (uint64_t i = 0; i < s.header->n_steps; i++)
		if (!is_valid(&s, i))
			return wn_fail(err, WN_E_FORMAT, 0, "step %llu is invalid",
			               (unsigned long long)i);
	*out = s;
	return WN_OK;
}

wn_status
wn_steps_open(const char *path, const struct wn_rank_row *row, struct wn_steps *out, wn_err *err)
{
	struct stat info;
	wn_status st = WN_OK;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;
	if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > 0)
		bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED)
		return wn_fail(err, WN_E_IO, 0, "%s cannot be read", path);
	st = wn_steps_read(bytes, (size_t)info.st_size, out, err);
	if (st == WN_OK && (out->header->rank != row->rank ||
	                    memcmp(&out->header->source, &row->source, sizeof row->source) != 0))
		st = wn_fail(err, WN_E_FORMAT, 0, "the trace has changed since");
	if (st == WN_OK)
		out->bytes = bytes;
	else
		munmap(bytes, (size_t)info.st_size);
	return st;
}

void
wn_steps_close(struct wn_steps *s)
{
	if (s->bytes)
		munmap(s->bytes, s->n_bytes);
	*s = (struct wn_steps){0};
}
