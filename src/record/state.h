/* SPDX-License-Identifier: MIT */
/*
 * state.h - process-wide state shared by the recorder's files. Private to this folder.
 *
 *   OFF --wn_recorder_start--> ON --failure--> DEAD
 *        (or REFUSED)           +--end of process--> CLOSED (events are still stored)
 *
 * Only slow paths use this; the event path uses only its thread's window.
 */
#pragma once

#include "record/emit.h"

#include <stdatomic.h>
#include <sys/stat.h>

enum recorder_phase { PHASE_OFF = 0, PHASE_STARTING, PHASE_ON, PHASE_DEAD, PHASE_REFUSED };

#define RECORDER_PATH_MAX 4096

struct recorder {
	_Atomic int phase;
	_Atomic int fd;
	dev_t file_dev; /* identity of the trace file, checked before each use of fd */
	ino_t file_ino;
	struct wn_trace_header *header; /* in the first arena; copied to the file when it changes */
	bool is_announced;              /* the launcher knows of the trace */
	_Atomic(struct wn_thread *) parked; /* threads that ended; their windows are reused */
	atomic_flag parked_lock;
	char path[RECORDER_PATH_MAX];
};

extern struct recorder wn_recorder __attribute__((visibility("hidden")));

/* create.c: creates a file with the recorder's header under the name `wanted`, or with the process
 * id (and a number) appended if it is taken; -1 and errno. The descriptor is a high one. */
int recorder_create_file(const char *wanted);

/* file.c */
bool recorder_file_open(void);
void recorder_file_close_inherited(void);
/* Does the trace's path refer to the recorder's file? */
bool recorder_is_at_path(void);
/* Writes a block to a new slot; on failure the recorder is dead. Fills in the hash of `header`.
 * Writes written_bytes, at least payload_bytes, of the payload: whole slots are cheaper. */
bool recorder_write_block(struct wn_block_header *header, const void *payload, size_t payload_bytes,
                          size_t written_bytes);
/* Writes to a slot that is already claimed; false on failure. */
bool recorder_write_at(const void *bytes, size_t n_bytes, off_t offset);
/* Zeroed memory for a window, and room for it in the file; NULL on failure. */
struct wn_block_header *recorder_new_window(void);
/* Updates the header in the file; false on failure. */
bool recorder_header_save(void);
void recorder_die(enum wn_dead_reason reason, int error);

/* arena.c */
/* Memory for the header and the first windows of a trace to be named `wanted`, or similarly; false
 * if there is none. */
bool recorder_arena_open(const char *wanted);
/* The header has its salt and the file its path. */
void recorder_arena_name(void);
/* A window with slot `home_slot` of the file; NULL if there is no memory. */
struct wn_block_header *recorder_arena_window(uint32_t home_slot);
/* Writes the windows to their slots of the file; windows in segments only unless these are left to
 * the launcher. True if all were written. */
bool recorder_arena_save(bool is_left);
/* Are all windows in memory that outlives the process? */
bool recorder_arena_is_shared(void);
/* Marks the segments for removal when the process ends. */
void recorder_arena_remove(void);
/* Frees everything: there is no trace. */
void recorder_arena_discard(void);
/* Are at most half of the system's segments in use? Other programs need some, too. */
bool recorder_are_segments_free(void);
/* In a forked child. */
void recorder_arena_forget(void);

/* channel.c */
/* Sends the launcher one line; path may be NULL, error 0. False if there is no launcher. */
bool recorder_report(const char *verb, const char *what, const char *path, int error);
/* Does the launcher still run, and can it read our memory? */
bool recorder_has_launcher(void);

/* command.c: the command line when the library was loaded: arguments separated by NUL, truncated at
 * 16 kB; 0 bytes if unknown or are not to be recorded (WINNOW_NO_COMMAND). */
size_t recorder_command_words(const char **words);
/* The same as one text, NUL-terminated, the rest of `out` zero. */
void recorder_command_text(char *out, size_t size);

/* descriptor.c: moves an open descriptor to a high number; closes the given one if is_ours (NULL:
 * always) holds for it. Returns the new one; -1 and errno if the program would be left with too
 * few. */
int recorder_move_descriptor(int fd, bool (*is_ours)(int fd, struct stat *info));

/* modules.c */
void recorder_modules_write(void);
void recorder_modules_reset(void);
/* Is it an address in code that was loaded when that was examined last? */
bool recorder_is_code(uint64_t addr);
/* Called whenever loaded code is examined: at the start, when code of a new file opens a region,
 * and at the end; by one thread at a time. NULL: nothing to do (sources/entries). */
extern void (*recorder_on_modules)(void);
/* Writes one process block of these records, which must fit. */
void recorder_process_write(const void *records, size_t n_bytes);

/* runtimes.c: a new trace, of a forked child, too, begins: names the runtimes used so far */
void recorder_runtimes_write(void);

/* memory_nodes.c: the text of a record of memory nodes, limited to that length; 0 if unknown */
size_t recorder_nodes_read(char *to, size_t most);

/* switches.c: before any thread of a trace. Slow. */
void recorder_switches_open(void);

/* Is it one of the recorded threads? */
bool recorder_switches_has_thread(uint32_t os_tid);

/* facts.c: before any thread of a trace; when a thread has begun; when the calling one ends; when
 * the trace ends. Slow, but for all threads that begin after the first one. */
void recorder_facts_open(void);
void recorder_facts_attach(void);
void recorder_facts_thread(void);
void recorder_facts_write(void);

/* life.c: does a seccomp(2) filter restrict the system calls of this process? */
bool recorder_is_filtered(void);

/* thread.c */
void recorder_thread_forget(void);
void recorder_thread_init_key(void);

/* count.c */
/* Selects the counters before a trace is recorded; and records them once the trace is writable.
 * Slow. */
void wn_counters_open(void);
void wn_counters_write(void);
/* The calling thread's stream begins; ends. Slow. */
void wn_counters_begin(struct wn_thread *t);
void wn_counters_end(struct wn_thread *t);
/* A block begins. */
void wn_counters_emit(struct wn_thread *t);
/* Records the current totals without another event. Slow. */
void wn_counters_last(struct wn_thread *t);
/* In a forked child: discards the state of the parent's threads. */
void wn_counters_forget(void);

/* notes.c: in a forked child, which may be in an unrecorded region */
void recorder_mute_forget(void);
