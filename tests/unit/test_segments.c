/* SPDX-License-Identifier: MIT */
/*
 * test_segments.c - windows that are in memory belong to the trace: they are read there while a
 * process uses them, moved into the file when none does, and missed if they are gone.
 */
#include "tests/format/sample.h"
#include "trace/segment_key.h"
#include "trace/trace_finish.h"
#include "trace/trace_tally.h"

#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WINDOWS_N 2u

static char path[] = "/tmp/winnow-segments.XXXXXX";
static struct sample sample;
static struct wn_segment *segment;
static int id = -1;

/* The sample with its last window, of slot 5, in a segment, and nothing in that slot. */
static void
move_window(void)
{
	struct wn_trace_header *h = sample_header(&sample);
	struct wn_block_header *window = sample_block(&sample, 5);
	id = shmget(IPC_PRIVATE, (WINDOWS_N + 1) * (size_t)WN_SLOT_BYTES, IPC_CREAT | 0600);
	segment = id >= 0 ? shmat(id, NULL, 0) : (void *)-1;
	if (segment == (void *)-1)
		abort();
	memcpy(segment->magic, WN_SEGMENT_MAGIC, sizeof segment->magic);
	segment->salt = h->salt;
	segment->n_windows = WINDOWS_N;
	strcpy(segment->path, path);
	segment->home[0] = 4 + 1; /* in use, and empty */
	segment->home[1] = 5 + 1;
	memcpy((uint8_t *)segment + 2 * (size_t)WN_SLOT_BYTES, window, WN_SLOT_BYTES);
	memset(window, 0, WN_SLOT_BYTES);
	h->n_segments = 1;
	h->segment_id[0] = id;
	segment->header = *h;
}

static void
make(void)
{
	sample_free(&sample);
	sample_make(&sample);
	move_window();
}

static void
write_sample(void)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(sample.bytes, 1, SAMPLE_BYTES, file) != SAMPLE_BYTES ||
	    fclose(file) != 0)
		abort();
}

struct found {
	bool is_whole, has_lost_windows;
	struct wn_trace_header header;
	size_t file_bytes;
};

static struct found
look(void)
{
	struct wn_trace *trace;
	struct wn_tally tally = {0};
	struct found found = {0};
	if (wn_trace_open(path, &trace, NULL) != WN_OK)
		return found;
	found.is_whole = wn_trace_tally(trace, &tally, NULL) == WN_OK &&
	                 tally.n_events == sample.n_events &&
	                 wn_trace_damage(trace)->n_bad_blocks == 0;
	found.has_lost_windows = wn_trace_damage(trace)->has_lost_windows;
	found.header = *wn_trace_header(trace);
	found.file_bytes = wn_trace_file_bytes(trace);
	wn_trace_close(trace);
	return found;
}

/* Not 0: when the segment is looked at for the how many'th time it has been moved into the file. */
static int looks_until_moved;

int
shmctl(int of, int command, struct shmid_ds *info)
{
	if (command == IPC_STAT && of == id && looks_until_moved > 0 && --looks_until_moved == 0) {
		write_sample();
		syscall(SYS_shmctl, id, IPC_RMID, NULL);
		id = -1;
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_shmctl, of, command, info);
}

static bool
is_there(void)
{
	struct shmid_ds info;
	return shmctl(id, IPC_STAT, &info) == 0;
}

static void
test_in_use(void)
{
	make();
	segment->header.dead_reason = WN_DEAD_IO;
	write_sample();
	struct found found = look();
	ok(found.is_whole && !found.has_lost_windows, "a window in memory is read");
	ok(found.header.dead_reason == WN_DEAD_IO, "and the header there, which is newer");
	ok(found.file_bytes == SAMPLE_BYTES, "the file is what it is");
	ok(is_there() && look().header.n_segments == 1, "what is in use is left");
	segment->salt++;
	found = look();
	ok(!found.is_whole && found.has_lost_windows, "V13: memory of another trace is not read");
	segment->salt--;
	segment->number = 3;
	ok(look().has_lost_windows, "V13: nor that of another number");
	segment->number = 0;
	segment->magic[0] = 0;
	ok(look().has_lost_windows, "V13: nor what is no segment");
	segment->magic[0] = WN_SEGMENT_MAGIC[0];
	segment->n_windows = UINT32_MAX;
	ok(look().is_whole, "more windows than it has room for are not looked for");
	shmdt(segment);
	shmctl(id, IPC_RMID, NULL);
}

static void
test_abandoned(void)
{
	make();
	write_sample();
	shmdt(segment);
	struct rlimit old;
	getrlimit(RLIMIT_FSIZE, &old);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){WN_HEADER_BYTES, old.rlim_max});
	ok(look().is_whole && is_there(), "where the file cannot be written the memory stays");
	setrlimit(RLIMIT_FSIZE, &old);
	struct found found = look();
	ok(found.is_whole && !found.has_lost_windows && found.header.n_segments == 0,
	   "what no process uses is moved into the file");
	ok(!is_there(), "and the memory is given back");
	found = look();
	ok(found.is_whole && !found.has_lost_windows, "from then on the file has everything");
}

static void
copy_file(const char *to)
{
	FILE *file = fopen(to, "wb");
	if (!file || fwrite(sample.bytes, 1, SAMPLE_BYTES, file) != SAMPLE_BYTES ||
	    fclose(file) != 0)
		abort();
}

static void
test_copy(void)
{
	char original[] = "/tmp/winnow-segments.XXXXXX";
	make();
	int fd = mkstemp(original);
	if (fd < 0)
		abort();
	close(fd);
	strcpy(segment->path, original);
	write_sample(); /* at `path` is the copy */
	copy_file(original);
	shmdt(segment);
	struct found found = look();
	ok(found.is_whole && !found.has_lost_windows && is_there(),
	   "a copy that is read leaves the memory to the original");
	if (rename(original, path) != 0)
		abort();
	found = look();
	ok(found.is_whole && !found.has_lost_windows, "which is whole then");
	ok(!is_there(), "and gives it back, also under another name");
}

/* Another reader moves the windows into the file after this one has read the header. */
static void
test_two_readers(void)
{
	make();
	write_sample();
	struct sample in_memory = sample;
	sample = (struct sample){0};
	sample_make(&sample);
	looks_until_moved = 3; /* whose it is, whether it is idle, and then to read it */
	struct found found = look();
	ok(looks_until_moved == 0 && id < 0 && found.is_whole && !found.has_lost_windows,
	   "what another reader has moved meanwhile is read from the file");
	sample_free(&in_memory);
	shmdt(segment);
}

static void
test_finish(void)
{
	const struct wn_trace_end end = {.wait_status = 9, .wall_ns = 5};
	make();
	write_sample();
	ok(wn_trace_finish(path, &end, NULL) == WN_OK && look().is_whole &&
	       look().header.wait_status == 9,
	   "finished, the trace has what was in memory");
	shmdt(segment);
	ok(!is_there(), "and the memory ends with its last user");
}

static void
test_gone(void)
{
	make();
	write_sample();
	shmdt(segment);
	shmctl(id, IPC_RMID, NULL);
	struct found found = look();
	ok(!found.is_whole && found.has_lost_windows, "V13: memory that is gone is a loss");
	ok(wn_trace_finish(path, NULL, NULL) == WN_OK && look().has_lost_windows,
	   "and stays one when the trace is finished");
	sample_header(&sample)->segment_id[0] = WN_SEGMENT_PRIVATE;
	write_sample();
	ok(look().has_lost_windows, "V13: so is memory that was never shared");
	sample_header(&sample)->segment_id[0] = WN_SEGMENT_SAVED;
	write_sample();
	ok(!look().has_lost_windows, "V13: but not what the process has saved");
}

static void
test_sweep(void)
{
	make();
	write_sample();
	wn_trace_sweep(path);
	ok(is_there(), "memory in use is not swept");
	shmdt(segment);
	wn_trace_sweep(path);
	ok(is_there(), "nor that of a trace that is there");
	unlink(path);
	wn_trace_sweep("/somewhere/else");
	ok(is_there(), "nor, of late, that of another recording");
	wn_trace_sweep(path);
	ok(!is_there(), "what nobody can read any more is");
}

/* A segment of a process that is killed next to its creation, or after it has put in a path. */
static void
make_unborn(key_t key, const char *its_path)
{
	int ends[2];
	if (pipe(ends) != 0)
		abort();
	pid_t child = fork();
	if (child == 0) {
		int made = shmget(key, 4 * (size_t)WN_SLOT_BYTES, IPC_CREAT | IPC_EXCL | 0600);
		struct wn_segment *s = its_path ? shmat(made, NULL, 0) : NULL;
		if (its_path)
			strcpy(s->path, its_path);
		if (write(ends[1], &made, sizeof made) != sizeof made)
			_exit(1);
		raise(SIGKILL);
	}
	close(ends[1]);
	if (read(ends[0], &id, sizeof id) != sizeof id || id < 0)
		abort();
	waitpid(child, NULL, 0);
	close(ends[0]);
}

static void
test_unborn(void)
{
	key_t key = wn_segment_key((uint64_t)getpid());
	make_unborn(key, NULL);
	wn_trace_sweep("/somewhere/else");
	ok(!is_there(), "memory of a process that was killed before it wrote is swept");
	make_unborn(key, path);
	wn_trace_sweep("/somewhere/else");
	ok(is_there(), "but not what has a path, of late");
	shmctl(id, IPC_RMID, NULL);
	make_unborn(IPC_PRIVATE, NULL);
	wn_trace_sweep("/somewhere/else");
	ok(is_there(), "nor what is of another kind");
	shmctl(id, IPC_RMID, NULL);
	id = shmget(key, 4 * (size_t)WN_SLOT_BYTES, IPC_CREAT | IPC_EXCL | 0600);
	wn_trace_sweep("/somewhere/else");
	ok(is_there(), "nor what its process may be about to write in");
	shmctl(id, IPC_RMID, NULL);
}

int
main(void)
{
	int fd = mkstemp(path);
	if (fd < 0)
		abort();
	close(fd);
	signal(SIGXFSZ, SIG_DFL);
	test_in_use();
	test_abandoned();
	test_copy();
	test_two_readers();
	test_finish();
	test_gone();
	test_sweep();
	test_unborn();
	sample_free(&sample);
	unlink(path);
	return done();
}
