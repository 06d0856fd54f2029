/* SPDX-License-Identifier: MIT */
/*
 * state.h - what the recorder's files share: the one process-wide state. Private to this folder.
 *
 *   OFF --wn_recorder_start--> ON --failure--> DEAD
 *        (or REFUSED)           +--end of process--> CLOSED (events are still stored)
 *
 * Only slow paths touch this; the event path knows nothing but its thread's window.
 */
#ifndef WN_RECORD_STATE_H
#define WN_RECORD_STATE_H

#include "record/emit.h"

#include <stdatomic.h>
#include <sys/stat.h>

enum recorder_phase { PHASE_OFF = 0, PHASE_STARTING, PHASE_ON, PHASE_DEAD, PHASE_REFUSED };

#define RECORDER_PATH_MAX 4096

struct recorder {
	_Atomic int phase;
	_Atomic int fd;
	dev_t file_dev; /* identity of the trace file: fd is only used while it still names it */
	ino_t file_ino;
	struct wn_trace_header *header; /* in the first arena; saved in the file as it changes */
	bool is_told;                   /* the launcher knows of the trace */
	_Atomic(struct wn_thread *) parked; /* threads that ended; their windows are reused */
	atomic_flag parked_lock;
	char path[RECORDER_PATH_MAX];
};

extern struct recorder wn_recorder __attribute__((visibility("hidden")));

/* create.c: a new file that holds the recorder's header under the name `wanted`, or that name with
 * the process id (and a number) where it is taken; -1 and errno. The descriptor is a high one. */
int recorder_create_file(const char *wanted);

/* file.c */
bool recorder_file_open(void);
void recorder_file_close_inherited(void);
/* Does the trace's path lead to the recorder's file? */
bool recorder_is_at_path(void);
/* Writes a block to a fresh slot; on failure the recorder is dead. `header`'s hash is filled.
 * written_bytes, at least payload_bytes, are written of the payload: whole slots cost less. */
bool recorder_write_block(struct wn_block_header *header, const void *payload, size_t payload_bytes,
                          size_t written_bytes);
/* Writes into a slot that is claimed already; false if it cannot be. */
bool recorder_write_at(const void *bytes, size_t n_bytes, off_t offset);
/* Memory for a window, which is zero, and room for it in the file; NULL on failure. */
struct wn_block_header *recorder_new_window(void);
/* Brings the header in the file up to date; false if it cannot be written. */
bool recorder_header_save(void);
void recorder_die(enum wn_dead_reason reason, int error);

/* arena.c */
/* Memory for the header and the first windows of a trace to be named `wanted`, or like it; false if
 * there is none. */
bool recorder_arena_open(const char *wanted);
/* The header has its salt and the file its path. */
void recorder_arena_name(void);
/* A window whose slot in the file is `home_slot`; NULL if there is no memory. */
struct wn_block_header *recorder_arena_window(uint32_t home_slot);
/* Saves what is in the windows in their slots of the file; windows in segments only unless these
 * are left to the launcher. True if all of it is there. */
bool recorder_arena_save(bool is_left);
/* Is every window in memory that outlives the process? */
bool recorder_arena_is_shared(void);
/* The segments are not needed any more: they end with the process. */
void recorder_arena_remove(void);
/* There is no trace. */
void recorder_arena_discard(void);
/* Are at most half of the system's segments in use? Other programs need them too. */
bool recorder_are_segments_free(void);
/* In a forked child. */
void recorder_arena_forget(void);

/* channel.c */
/* Sends the launcher one line; path may be NULL, error 0. False if there is no launcher. */
bool recorder_report(const char *verb, const char *what, const char *path, int error);
/* Is the launcher still there, and can it read our memory? */
bool recorder_has_launcher(void);

/* command.c: the command line as it was when the library was loaded. The arguments, separated by
 * NUL and cut at 16 kB; 0 bytes if they are not known or are not to be recorded
 * (WINNOW_NO_COMMAND). */
size_t recorder_command_words(const char **words);
/* The same as one text, NUL-terminated, the rest of `out` zero. */
void recorder_command_text(char *out, size_t size);

/* descriptor.c: moves an open descriptor to where the program does not meet it; the given one is
 * closed, if is_ours (NULL: always) holds for it. The new one; -1 and errno where the program would
 * have one less of very few. */
int recorder_put_away(int fd, bool (*is_ours)(int fd, struct stat *info));

/* modules.c */
void recorder_modules_write(void);
void recorder_modules_reset(void);
/* One process block of these records, which must fit. */
void recorder_process_write(const void *records, size_t n_bytes);

/* nodes.c: the text of a record of memory nodes, at most that long; 0 if they are not known */
size_t recorder_nodes_read(char *to, size_t most);

/* thread.c */
void recorder_thread_forget(void);
void recorder_thread_init_key(void);

/* count.c */
/* A trace is about to be recorded: what is counted? And, once it may be written to: says so. Slow.
 */
void wn_counters_open(void);
void wn_counters_write(void);
/* The calling thread's stream has begun; it is over. Slow. */
void wn_counters_begin(struct wn_thread *t);
void wn_counters_end(struct wn_thread *t);
/* A block begins. */
void wn_counters_tell(struct wn_thread *t);
/* The totals as they are now, without another event. Slow. */
void wn_counters_last(struct wn_thread *t);
/* In a forked child: of its parent's threads nothing is left. */
void wn_counters_forget(void);

/* say.c: in a forked child, which may be in a region that is not recorded */
void recorder_mute_forget(void);

#endif /* WN_RECORD_STATE_H */
