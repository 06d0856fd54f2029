/* SPDX-License-Identifier: MIT */
/*
 * state.h - what the recorder's files share: the one process-wide state. Private to this folder.
 *
 *   OFF --wn_recorder_start--> ON --failure--> DEAD
 *        (or REFUSED)           +--end of process--> CLOSED (events are still stored)
 *
 * Only slow paths touch this; the event path knows nothing but its thread's window.
 */
#ifndef WN_RECORDER_STATE_H
#define WN_RECORDER_STATE_H

#include "collect/recorder/recorder.h"

#include <stdatomic.h>
#include <sys/types.h>

enum recorder_phase { PHASE_OFF = 0, PHASE_STARTING, PHASE_ON, PHASE_DEAD, PHASE_REFUSED };

#define RECORDER_PATH_MAX 4096

struct recorder {
	_Atomic int phase;
	int fd;
	dev_t file_dev; /* identity of the trace file: fd is only used while it still names it */
	ino_t file_ino;
	struct wn_trace_header *header;     /* shared mapping of the file's first page */
	_Atomic(struct wn_thread *) parked; /* threads that ended; their windows are reused */
	atomic_flag parked_lock;
	char path[RECORDER_PATH_MAX];
};

extern struct recorder wn_recorder __attribute__((visibility("hidden")));

/* file.c */
bool recorder_file_open(void);
void recorder_file_close_inherited(void);
/* Writes a block to a fresh slot; on failure the recorder is dead. `header`'s hash is filled.
 * written_bytes, at least payload_bytes, are written of the payload: whole slots cost less. */
bool recorder_write_block(struct wn_block_header *header, const void *payload, size_t payload_bytes,
                          size_t written_bytes);
/* A fresh slot of the file, allocated and mapped; NULL on failure. */
struct wn_block_header *recorder_map_slot(void);
void recorder_die(enum wn_dead_reason reason, int error);
/* Tells the launcher one line; path may be NULL, error 0. */
void recorder_report(const char *verb, const char *what, const char *path, int error);

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

/* say.c: in a forked child, which may be in a region that is not recorded */
void recorder_mute_forget(void);

#endif /* WN_RECORDER_STATE_H */
