/* SPDX-License-Identifier: MIT */
/*
 * trace_format.h - the layout of a trace file, and the rules by which it is validated.
 *
 *   offset 0          header, struct wn_trace_header, written once and updated in place
 *   WN_HEADER_BYTES   slots of WN_SLOT_BYTES each, in the order in which they were claimed;
 *                     a slot never written reads as zeros and is skipped
 *
 *   slot:  | wn_block_header, 128 B | records ... | unused |
 *
 * A slot is one of
 *   WN_BLOCK_WINDOW   the block that a thread was filling when its process ended. While the process
 *                     runs the block is in memory (struct wn_segment), and its slot is reserved.
 *   WN_BLOCK_SEALED   a full copy of a window, written once, protected by a hash.
 *   WN_BLOCK_PROCESS  facts about the process: modules, command, runtime. Same protection.
 *   WN_BLOCK_TABLE    cells of a table of grains, in a trace that was imported instead of recorded
 *                     (winnow-import(1)). Same protection. Since version 1.2.
 * Since version 1.3 there may be counters: COUNTS, COUNTING, and their names; and n_execs.
 * Since version 1.4 windows are not part of the file while the process runs, but in segments of
 * System V shared memory, which the header names; was_cut.
 * Since version 1.5 there may be SWITCHES: when threads were off the CPU.
 * Since version 1.6 there may be FACTs: what the machine did during the recording; and a
 * CALIBRATION: what recording adds to times; and SHARING: lines that parallel grains access.
 * Since version 1.7 there may be calls of MPI: MPI_BEGIN, MPI_MESSAGE, MPI_END, and an MPI record.
 * Since version 1.8 communicators have numbers, and there may be what is needed to match messages:
 * MPI_COMMUNICATOR, MPI_RECEIVE, MPI_POST, MPI_DONE; and MPI_POLLS.
 * Since version 1.4, too, a block header has totals (n_open_regions and on), so that the totals of
 * a trace follow from its block headers and the last block of each thread; and process blocks name
 * the runtimes, and imported entry points that are not recorded.
 *
 * All integers are little-endian and naturally aligned; no bit fields, no packing, no pointers.
 * Varints: the number of trailing zero bits of the first byte is the number of bytes that follow
 * it; the value is what remains above the lowest set bit, little-endian. A first byte of zero is
 * followed by eight bytes that hold the value.
 * Site references: one byte s. Bits 0-5 name an entry of a table of 64 (address, aux) pairs that
 * is empty at the start of each block. If bit 7 is set, eight bytes of address and a varint aux
 * follow and replace the entry.
 *
 * Validity rules. A reader accepts nothing else; each has a test named after it.
 *   V1  The file holds a whole struct wn_trace_header and starts with WN_TRACE_MAGIC.
 *   V2  version_major is the reader's. A larger version_minor is read; unknown parts are skipped:
 *       event_shape gives the length of records with a code unknown to the reader.
 *   V3  header_bytes and slot_bytes are WN_HEADER_BYTES and WN_SLOT_BYTES, and static_hash is the
 *       XXH3-64 of the header's first WN_HEADER_STATIC_BYTES with static_hash taken as 0.
 *   V4  A slot is a block only if its magic is WN_BLOCK_MAGIC, its salt is the header's, its kind
 *       is known and used_bytes is at least the block header and at most what the file holds of
 *       it.
 *   V5  A sealed, process or table block is valid only if its hash is XXH3-64 of the bytes after
 *       the block header, seeded with XXH3-64 of the block header in which the hash is taken as 0.
 *   V6  A window is superseded if a valid sealed block has the same thread and sequence number.
 *   V7  The blocks of a thread are ordered by sequence number. Of two valid blocks with one number
 *       the longer is used, and of equal ones the first in the file. A missing number is a gap:
 *       the stream restarts from the next block's own header (tick, counters, current task).
 *   V8  A record is valid only if it lies wholly below used_bytes, its code is known (or the
 *       header gives its shape, and then it is skipped) or 0 ends the block, its varints are at
 *       most nine bytes and its site entry is defined. The first invalid record ends the block,
 *       and the rest of the block counts as damaged.
 *   V9  A tick never runs backwards in a block by construction; sums that overflow end the block.
 *   V10 The file is cut if it ends below end_bytes. n_slots is no indication: a slot is claimed
 *       before it is written, and a process may end in between.
 *   V11 Table blocks are read in the order of their sequence numbers; a missing number, and each
 *       cell that no valid block contains, are a loss. Of two texts or columns of one number the
 *       first is used. A record that does not fit its block ends the block. There are no more
 *       rows, texts and columns than the table's blocks have bytes, and no more than 2^20 and 64
 *       for each byte of cells in all rows and columns. If there are blocks of threads, the table
 *       is ignored.
 *   V12 Numbers are valid as far as the file can have records for them. A thread index is below
 *       4096 plus four times the number of the file's blocks of threads. A block claims no more
 *       ids and no more regions than the blocks before it gave, plus a bound on losses: 2^16 of
 *       each and four for every used byte of the file's blocks, over all blocks of all threads. A
 *       block that claims more is no block. A STATIC_BEGIN of more than WN_STATIC_IDS_MAX chunks
 *       does not fit. The number of a name is at most 4096 plus the used bytes. All threads create
 *       no more ids than 2^20, 64 for every used byte, and the chunks of the STATIC_BEGINs: each
 *       at most one chunk for every stride in the largest loop that its thread has entered, and
 *       all of a thread at most four for each nanosecond from its first event to its last.
 *   V13 The windows of a segment that the header names are read as if they followed the file. A
 *       segment is valid only if its magic, salt and number match. The newest events are lost if a
 *       segment is missing and was not saved before.
 *   V14 The switches of a thread are those of its SWITCHES records in the order of from_ns. A
 *       record is skipped if its until_ns is before its from_ns, or its from_ns before the until_ns
 *       of the one before. An interval that does not fit its record, ends after until_ns or is of
 *       an unknown kind ends the intervals of the record: nothing is known of the rest of its time,
 *       nor of the time between records.
 *   V15 A FACT of an unknown kind, or of a value above 2^55, is skipped. Of several of one kind the
 *       last one counts, blocks taken in the order of the file.
 *   V16 Addresses of SAMPLES, FAULTS and UPDATES that do not fit their record are left out, as are records of threads
 *       that cannot be, with a period of 0 or above 2^55, or after the first 2^20 samples of a
 * trace.
 *   V17 Speeds of CPUs are left out that are 0 or above 1000, and those after the first 1024. Of
 *       several of one CPU the first one counts.
 */
#pragma once

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define WN_TRACE_MAGIC         "\x89WINNOW\n"
#define WN_TRACE_VERSION_MAJOR 1
#define WN_TRACE_VERSION_MINOR 8
#define WN_TRACE_MINOR_TOTALS  4      /* from here on block headers have totals */
#define WN_HEADER_BYTES        65536u /* a slot's, so that slots are aligned: a page cache likes it */
#define WN_HEADER_STATIC_BYTES 1024u
#define WN_SLOT_BYTES          65536u
#define WN_BLOCK_MAGIC         0x4b424e57u /* "WNBK" */
#define WN_SITE_TABLE_N        64u
#define WN_SHAPES_N            128u
#define WN_STATIC_IDS_MAX      65536u /* of one STATIC_BEGIN */
#define WN_RECORD_MAX_BYTES    80u    /* no record is longer: 1 + 9 + 1 + 8 + 9 + 5*9 = 73 */

enum wn_block_kind {
	WN_BLOCK_WINDOW = 1,
	WN_BLOCK_SEALED = 2,
	WN_BLOCK_PROCESS = 3,
	WN_BLOCK_TABLE = 4
};

enum wn_clock_kind {
	WN_CLOCK_TICKS = 1, /* of the processor's counter (ticks.h) */
	WN_CLOCK_MONOTONIC_NS = 2,
	WN_CLOCK_CYCLES = 3 /* of a processor of unknown rate: times are not nanoseconds */
};

enum wn_trace_state {
	WN_STATE_RECORDING = 1, /* the process died, or still runs */
	WN_STATE_CLOSED = 2,    /* the recorder saw the process end */
	WN_STATE_DEAD = 3       /* the recorder gave up; dead_reason is the cause */
};

enum wn_dead_reason {
	WN_DEAD_NOT = 0,
	WN_DEAD_NO_SPACE = 1,  /* the disk, quota or file size limit is reached */
	WN_DEAD_IO = 2,        /* another write error, errno in dead_errno */
	WN_DEAD_FD_LOST = 3,   /* the program closed the recorder's file */
	WN_DEAD_NO_MEMORY = 4, /* a mapping was refused */
};

enum wn_source_bit {
	WN_SOURCE_OMPT = 1,
	WN_SOURCE_LIBGOMP = 2,
	WN_SOURCE_POMP2 = 4,
	WN_SOURCE_IMPORT = 8,      /* not recorded: another tool's file */
	WN_SOURCE_OMPT_GRAIN = 16, /* beside the first: with its extension for grains */
	WN_SOURCE_MPI = 32         /* beside others, or alone: calls of MPI */
};

#define WN_SEGMENTS_MAX 32u

enum wn_segment_place {
	WN_SEGMENT_PRIVATE = -1, /* memory of the process alone: lost if the process is killed */
	WN_SEGMENT_SAVED = -2    /* its windows are in the file */
};

/* Written once at creation (static part), then updated in place by plain aligned stores. */
struct wn_trace_header {
	char magic[8];              /*    0 */
	uint16_t version_major;     /*    8 */
	uint16_t version_minor;     /*   10 */
	uint32_t header_bytes;      /*   12 */
	uint32_t slot_bytes;        /*   16 */
	uint32_t clock_kind;        /*   20 enum wn_clock_kind */
	uint64_t salt;              /*   24 random; ties blocks to this file */
	uint64_t static_hash;       /*   32 */
	uint64_t start_realtime_ns; /*   40 wall clock at creation, since the epoch */
	uint64_t start_mono_ns;     /*   48 CLOCK_MONOTONIC at creation ... */
	uint64_t start_tick;        /*   56 ... and the trace clock at the same instant */
	uint32_t pid;               /*   64 */
	uint32_t ppid;              /*   68 */
	uint32_t n_cpus;            /*   72 CPUs this process may run on */
	uint32_t reserved0;         /*   76 */
	uint64_t tick_hz;  /*   80 ticks per second as the machine states them, 0 = unknown */
	char command[512]; /*   88 argv joined by spaces, cut, always NUL-terminated */
	uint8_t event_shape[WN_SHAPES_N]; /* 600 by code: enum wn_event_shape; 0 = no such event */
	char reserved1[1024 - 728];       /* 728 */

	/* from here on: not covered by static_hash */
	_Atomic uint32_t state;     /* 1024 enum wn_trace_state */
	uint32_t dead_reason;       /* 1028 enum wn_dead_reason */
	uint32_t dead_errno;        /* 1032 */
	_Atomic uint32_t sources;   /* 1036 enum wn_source_bit, or-ed */
	_Atomic uint32_t n_threads; /* 1040 thread indices handed out */
	_Atomic uint32_t n_slots;   /* 1044 slots claimed; the last may be beyond the file */
	uint64_t last_mono_ns;      /* 1048 a later pair of the two clocks, for calibration */
	uint64_t last_tick;         /* 1056 */
	_Atomic uint64_t n_dropped; /* 1064 events that could not be stored */
	uint32_t finished;          /* 1072 1 = `winnow record` saw the process end */
	int32_t wait_status;        /* 1076 as from waitpid, if finished */
	uint64_t wall_ns;           /* 1080 run time seen by `winnow record`, if finished */
	char runtime[128]; /* 1088 "libomp /usr/lib/.../libomp.so.5", NUL-terminated; before the
	                      path "[assertions] " if the runtime checks itself at each call */
	_Atomic uint64_t end_bytes; /* 1216 where the file ended when it last grew, 0 = unknown */
	uint64_t n_execs; /* 1224 programs started by exec and not counted, from `winnow count`; 0 =
	                     none, or it was not used */
	/* constructs after the runtime had ended its side of the recording, without events; the
	 * time of the first, by CLOCK_MONOTONIC, 0 = none; if the numbers are 0, it is unknown
	 * which */
	uint64_t unseen_since_ns;          /* 1232 */
	_Atomic uint64_t n_unseen_regions; /* 1240 parallel regions */
	_Atomic uint64_t n_unseen_tasks;   /* 1248 task and taskloop constructs */
	uint32_t was_cut;    /* 1256 1 = the recorder found its file shorter than before */
	uint32_t n_segments; /* 1260 of the process; 0 = all windows are in the file */
	int32_t segment_id[WN_SEGMENTS_MAX]; /* 1264 as from shmget, or enum wn_segment_place */
	char reserved2[4096 - 1392];
};

/* The end of `command` if the user excluded the arguments from the recording: the program's name
 * is before it, and there is no WN_PROCESS_ARGV. */
#define WN_COMMAND_HIDDEN " (arguments not recorded)"

/* The start of every slot in use. */
struct wn_block_header {
	uint32_t magic;        /*   0 WN_BLOCK_MAGIC */
	uint16_t kind;         /*   4 enum wn_block_kind */
	uint16_t flags;        /*   6 0 */
	uint64_t salt;         /*   8 the header's */
	uint32_t thread_index; /* 16 from 0, in order of first event; UINT32_MAX in process and
	                          table blocks */
	uint32_t sequence;     /*  20 from 0 on each thread, and in table blocks */
	_Atomic uint32_t
	    used_bytes;        /*  24 header included; every byte below belongs to a whole record */
	uint32_t n_dropped;    /*  28 events of this thread lost before this block */
	uint64_t hash;         /*  32 block hash (V5); 0 in a window */
	uint64_t first_tick;   /*  40 the clock before the first record */
	uint64_t mono_ns;      /*  48 CLOCK_MONOTONIC when the block was opened ... */
	uint64_t mono_tick;    /*  56 ... and the trace clock at the same instant */
	uint64_t n_ids;        /*  64 ids handed out on this thread before this block */
	uint64_t current_task; /*  72 id on top of the stack at the start (thread << 32 | number) */
	uint32_t n_regions;    /*  80 regions opened on this thread before this block */
	uint32_t cpu;          /*  84 CPU at the start, UINT32_MAX = unknown */
	uint32_t depth;        /*  88 tasks on the stack at the start */
	uint32_t os_tid;       /*  92 */
	uint32_t n_dropped_after; /*  96 events of this thread lost after this block */
	uint32_t n_open_regions;  /* 100 regions opened and not ended at the start */
	uint64_t region_ticks;    /* 104 ticks in its outermost regions before this block */
	uint64_t implicit_task;   /* 112 id of the implicit task that it began last; 0 = none */
	uint32_t n_other_ids; /* 120 of n_ids: implicit tasks and waitpoints, which are no grains */
	char reserved[4];     /* 124 */
};

#define WN_SEGMENT_MAGIC       "WNWINDOW"
#define WN_SEGMENT_WINDOWS_MAX 14336u

/* The first slot of a segment of memory in which threads fill their windows; a slot for each
 * window follows. The memory is not a file, so no file operation affects it, and it outlives the
 * process. The first segment also holds the header, which is newer than the one in the file. */
struct wn_segment {
	char magic[8];                 /*    0 */
	uint64_t salt;                 /*    8 the header's */
	uint32_t number;               /*   16 index in segment_id */
	uint32_t n_windows;            /*   20 */
	char path[4096 - 24];          /*   24 of the trace, NUL-terminated; cut if it is longer */
	struct wn_trace_header header; /* 4096 in segment 0 */
	_Atomic uint32_t home[WN_SEGMENT_WINDOWS_MAX]; /* 8192 the window's slot in the file + 1; 0
	                                                  = not in use */
};

static_assert(sizeof(struct wn_trace_header) == 4096, "header size");
static_assert(sizeof(struct wn_segment) == WN_SLOT_BYTES, "a segment's head is a slot");
static_assert(offsetof(struct wn_segment, header) == 4096, "the header is a page");
static_assert(WN_HEADER_BYTES % WN_SLOT_BYTES == 0, "slots are aligned");
static_assert(offsetof(struct wn_trace_header, state) == WN_HEADER_STATIC_BYTES, "static part");
static_assert(offsetof(struct wn_trace_header, runtime) == 1088, "runtime offset");
static_assert(offsetof(struct wn_trace_header, end_bytes) == 1216, "end_bytes offset");
static_assert(offsetof(struct wn_trace_header, n_unseen_tasks) == 1248, "n_unseen_tasks offset");
static_assert(offsetof(struct wn_trace_header, n_segments) == 1260, "n_segments offset");
static_assert(sizeof(struct wn_block_header) == 128, "block header size");
static_assert(offsetof(struct wn_block_header, n_ids) == 64, "block header layout");
static_assert(offsetof(struct wn_block_header, region_ticks) == 104, "block header layout");

/* Events: enum wn_event_code { WN_EV_THREAD = 1, ... } */
enum wn_event_code {
	WN_EV_NONE = 0,
#define WN_EVENT(name, code, time, site, n, values, text) WN_EV_##name = (code),
#include "trace/events.def"
#undef WN_EVENT
	WN_EV_N /* one past the largest */
};

/* The form of a record, for readers that do not know its code. */
enum wn_event_shape {
	WN_SHAPE_VALUES = 7, /* mask: number of values */
	WN_SHAPE_TIME = 8,
	WN_SHAPE_SITE = 16,
	WN_SHAPE_KNOWN = 128
};

/* aux of REGION_BEGIN's site */
enum wn_region_flag { WN_REGION_LEAGUE = 1, WN_REGION_COMBINED_LOOP = 2 };

/* aux of TASK_CREATE's site */
enum wn_task_flag {
	WN_TASK_UNDEFERRED = 1,
	WN_TASK_UNTIED = 2,
	WN_TASK_FINAL = 4,
	WN_TASK_MERGEABLE = 8,
	WN_TASK_TASKLOOP = 16,  /* made by a taskloop construct */
	WN_TASK_DEPENDENT = 32, /* has depend clauses */
	WN_TASK_WAITPOINT = 64, /* not a task: stands for a taskwait with depend */
	WN_TASK_TARGET = 128,
	WN_TASK_DETACH = 256,
	WN_TASK_FOREIGN_SITE = 512,  /* the address lies in the runtime, not in user code */
	WN_TASK_SITE_FUNCTION = 1024 /* the address is the outlined function's entry */
};

/* aux of SYNC_BEGIN's site */
enum wn_sync_kind {
	WN_SYNC_TASKWAIT = 1,
	WN_SYNC_TASKGROUP = 2,
	WN_SYNC_BARRIER_EXPLICIT = 3,
	WN_SYNC_BARRIER_IMPLICIT = 4, /* end of a worksharing construct, or kind unknown */
	WN_SYNC_BARRIER_REGION = 5,   /* end of a parallel region */
	WN_SYNC_BARRIER_TEAMS = 6,
	WN_SYNC_REDUCTION = 7,
	WN_SYNC_TASKYIELD = 8,
	WN_SYNC_DEPEND = 9, /* for the predecessors of the waitpoint created last: a taskwait with
	                       depend, or an undeferred task's wait before it starts */
	WN_SYNC_KIND_N
};

/* DEPEND's kind. depobj is resolved to its kind and address. */
enum wn_depend_kind {
	WN_DEPEND_IN = 1,
	WN_DEPEND_OUT = 2,
	WN_DEPEND_INOUT = 3,
	WN_DEPEND_MUTEXINOUTSET = 4,
	WN_DEPEND_INOUTSET = 5,
	WN_DEPEND_ALL_MEMORY = 6, /* out or inout of omp_all_memory; address 0 */
	WN_DEPEND_KIND_N
};

/* aux of MUTEX_WAIT's and MUTEX_RELEASED's site */
enum wn_mutex_kind {
	WN_MUTEX_CRITICAL = 1,
	WN_MUTEX_ATOMIC = 2,
	WN_MUTEX_ORDERED = 3,
	WN_MUTEX_LOCK = 4,
	WN_MUTEX_NEST_LOCK = 5,
	WN_MUTEX_DOACROSS = 6, /* a wait for other iterations, which have no single holder */
	WN_MUTEX_KIND_N
};

/* aux of CANCEL's site: what is cancelled, and what was observed */
enum wn_cancel_flag {
	WN_CANCEL_PARALLEL = 1,
	WN_CANCEL_LOOP = 2,
	WN_CANCEL_SECTIONS = 4,
	WN_CANCEL_TASKGROUP = 8,
	WN_CANCEL_ACTIVATED = 16, /* requested here */
	WN_CANCEL_DETECTED = 32,  /* observed here, and obeyed */
	WN_CANCEL_DISCARDED = 64  /* current task was to start, and never will */
};

/* low byte of the aux of WORK_BEGIN's and LOOP_BEGIN's site */
enum wn_work_kind {
	WN_WORK_LOOP_STATIC = 1,
	WN_WORK_LOOP_DYNAMIC = 2,
	WN_WORK_LOOP_GUIDED = 3,
	WN_WORK_LOOP_OTHER = 4,
	WN_WORK_SECTIONS = 5,
	WN_WORK_SINGLE_EXECUTOR = 6,
	WN_WORK_SINGLE_OTHER = 7,
	WN_WORK_WORKSHARE = 8,
	WN_WORK_DISTRIBUTE = 9,
	WN_WORK_MASKED = 10,
	WN_WORK_SCOPE = 11,
	WN_WORK_KIND_N
};
#define WN_WORK_KIND_MASK 0xffu
/* flags beside it; without a tag, as they are combined with it */
enum {
	WN_LOOP_UNSIGNED = 0x100, /* the loop variable is unsigned: lower is a bit pattern */
	WN_LOOP_RUNTIME = 0x200,  /* schedule(runtime) */
	WN_LOOP_ORDERED = 0x400,
	WN_LOOP_INLINE = 0x800,  /* the compiler computes the bounds; no call per chunk */
	WN_LOOP_BOUNDS = 0x1000, /* lower and step are known */
	WN_LOOP_OPEN = 0x2000    /* count unknown: iterations are 0 to the last one of its chunks */
};

/* aux of NOTE's site: limitations of a source of events */
enum wn_note {
	WN_NOTE_NONE = 0,
	WN_NOTE_CREATION_UNKNOWN = 1, /* entry points could not be wrapped: no creation times */
	WN_NOTE_DISPATCH_UNKNOWN = 2, /* the same for chunks: no chunk overheads */
	WN_NOTE_STATIC_MERGED = 3,    /* static chunks too many: one grain per thread */
	WN_NOTE_DEPENDENCES_IGNORED = 4,
	WN_NOTE_STACK_OVERFLOW = 5, /* tasks nested deeper than the recorder follows */
	WN_NOTE_UNKNOWN_EVENT = 6,  /* the runtime sent an event that the recorder does not know */
	WN_NOTE_CANCEL = 7,
	WN_NOTE_TARGET = 8,
	WN_NOTE_DETACH = 9,
	WN_NOTE_TEAMS = 10,
	WN_NOTE_PAUSED = 11,          /* regions that the program excluded from the recording */
	WN_NOTE_MARKS_UNMATCHED = 12, /* user marks that ended elsewhere than they began */
	WN_NOTE_CHUNKS_UNSEEN = 13,  /* a thread's share of a loop is one grain, of unknown range */
	WN_NOTE_CHUNKS_GUESSED = 14, /* ranges made from the values of iterations alone */
	WN_NOTE_CONTROL_MISUSED = 15, /* omp_control_tool commands without effect there */
	WN_NOTE_CALL_UNKNOWN = 16,    /* calls of an unknown entry point (the site) */
	WN_NOTE_NAMES_LOST = 17,      /* marks and labels with more names than are kept */
	WN_NOTE_MARKS_EARLY = 18,     /* named regions that ended before the recording began */
	WN_NOTE_OWN_TASK = 19, /* the runtime makes a task for this call that it does not report */
	WN_NOTE_N
};

/* Records of a process block: type, payload bytes, payload; padded to 8. Unknown types are skipped.
 */
struct wn_process_record {
	uint32_t type;  /* enum wn_process_type */
	uint32_t bytes; /* of the payload that follows */
};

enum wn_process_type {
	WN_PROCESS_MODULE = 1,  /* struct wn_module_record, build id bytes, path (no NUL) */
	WN_PROCESS_ARGV = 2,    /* the command line, arguments separated by NUL */
	WN_PROCESS_ENV = 3,     /* one NAME=value that affects OpenMP */
	WN_PROCESS_TOOL = 4,    /* text: the recorder's version */
	WN_PROCESS_COUNTER = 5, /* struct wn_counter_record, name, unit, by (no NULs) */
	WN_PROCESS_NODES = 7,   /* text: the machine's memory nodes (record/memory_nodes.c) */
	WN_PROCESS_COUNTER_MISSING = 6, /* text: a requested counter, ": ", why not */
	WN_PROCESS_ENTRY =
	    8, /* struct wn_entry_record, name, path of the importing file (no NULs) */
	WN_PROCESS_RUNTIME =
	    9, /* text: an OpenMP runtime that the process used, as in the header */
	WN_PROCESS_SWITCHES = 10,         /* struct wn_switches_record, intervals */
	WN_PROCESS_SWITCHES_MISSING = 11, /* text: why there are none of some threads */
	WN_PROCESS_RUN_QUEUE = 12,        /* struct wn_queue_record, of a thread without switches */
	WN_PROCESS_FACT = 13,             /* struct wn_fact_record */
	WN_PROCESS_CALIBRATION = 14,      /* text: what recording adds (trace_calibration.h) */
	WN_PROCESS_SHARING = 15,          /* n x struct wn_sharing_record; 0: lines were examined */
	WN_PROCESS_MPI = 16,              /* struct wn_mpi_record; the last one counts */
	WN_PROCESS_SAMPLES = 17,          /* struct wn_samples_record, addresses */
	WN_PROCESS_CPU_SPEEDS = 18,       /* n x struct wn_cpu_speed_record */
	WN_PROCESS_CPU_WAIT = 19,         /* struct wn_queue_record, of a thread with switches */
	WN_PROCESS_FAULTS = 20,           /* struct wn_samples_record, pairs of addresses */
	WN_PROCESS_UPDATES = 21           /* the same */
};

/* Values of an MPI_MESSAGE, MPI_RECEIVE or MPI_DONE that are known. */
enum wn_mpi_known {
	WN_MPI_BYTES = 1,
	WN_MPI_PEER = 2, /* rank in the communicator, or of the root of a collective */
	WN_MPI_TAG = 4,
	/* 0: MPI_COMM_WORLD; else the number of an MPI_COMMUNICATOR (before 1.8: a handle) */
	WN_MPI_COMMUNICATOR = 8,
	WN_MPI_NO_PEER = 16 /* nothing is sent or received: MPI_PROC_NULL */
};

enum wn_mpi_abi {
	WN_MPI_ABI_UNKNOWN = 0,
	WN_MPI_ABI_OPEN_MPI = 1,
	WN_MPI_ABI_MPICH = 2, /* and those of the same ABI: Intel MPI, Cray MPICH, MVAPICH */
	WN_MPI_ABI_5 = 3,     /* the ABI of MPI 5.0 */
	WN_MPI_ABI_N
};

enum wn_mpi_flag { WN_MPI_FINALIZED = 1, WN_MPI_ABORTED = 2 };

/* How the process uses MPI, from its initialisation on. */
struct wn_mpi_record {
	uint32_t abi;       /* enum wn_mpi_abi */
	uint32_t flags;     /* enum wn_mpi_flag, or-ed */
	int32_t rank, size; /* of MPI_COMM_WORLD; -1 = unknown */
	int32_t required;   /* thread level, 0 single to 3 multiple; -1 = unknown */
	int32_t provided;
	int32_t abort_code; /* with WN_MPI_ABORTED */
	int32_t reserved;
};

enum wn_sharing_kind {
	WN_SHARING_NONE = 0,
	WN_SHARING_FALSE = 1,  /* parallel grains access different bytes of a line */
	WN_SHARING_ATOMIC = 2, /* the same bytes, by atomic instructions */
	WN_SHARING_TRUE = 3,   /* the same bytes, otherwise, and under no common mutex */
	WN_SHARING_KIND_N
};

enum wn_sharing_place {
	WN_SHARING_STATIC = 0, /* memory of a loaded file */
	WN_SHARING_HEAP = 1,   /* a block that code at `where` has allocated */
	WN_SHARING_STACK = 2,  /* stack frames of the grain `where` */
	WN_SHARING_PLACE_N
};

/* Cache lines that pairs of parallel grains access and at least one of them writes, from `winnow
 * count --sharing`: all those with the same two places of code. Grains: thread << 32 | number. */
struct wn_sharing_record {
	uint32_t kind, place;   /* enum wn_sharing_kind, enum wn_sharing_place */
	uint64_t n_transfers;   /* at most this many, whatever the schedule */
	uint64_t n_lines;       /* lines, or lives of lines */
	uint64_t address;       /* an example: the lowest byte that one of them accesses */
	uint64_t pc[2];         /* code of the accesses */
	uint64_t grain[2];      /* an example */
	uint64_t where;         /* code, or a grain; see enum wn_sharing_place */
	uint64_t offset, bytes; /* of the address in its block; of the block; 0: not a block */
	uint32_t distance;      /* bytes between the accesses of the example */
	uint32_t n_sampled;     /* one of so many lines was examined; 1: all */
};

/* Addresses of instructions that a thread was at, one each period_ns of its CPU time outside the
 * kernel; some may be missing. A varint each: the zigzag coded difference from the one before, of
 * the first from 0. */
struct wn_samples_record {
	uint32_t thread; /* index */
	uint32_t n_samples;
	uint64_t period_ns;
};
/* FAULTS are the same of page faults: of every period_ns'th one two varints, the address of the
 * instruction as above, and what it was called from if its function has saved nothing yet, as the
 * difference from that address. UPDATES are samples at atomic updates: where the code is, and the
 * memory that is updated. */

/* How fast a CPU ran arithmetic just after the recording, while all CPUs on which a thread was last
 * did the same. `winnow record` adds these if one is much slower than another. */
struct wn_cpu_speed_record {
	uint32_t cpu;
	uint32_t per_mille; /* of the fastest one's speed */
};

/* An entry point of an OpenMP runtime that a loaded file imports, and in which threads may wait or
 * create tasks unrecorded. */
struct wn_entry_record {
	uint16_t kind; /* enum wn_entry_kind */
	uint16_t name_bytes;
};

enum wn_entry_kind {
	WN_ENTRY_KIND_UNKNOWN = 1, /* unknown to the recorder: it may do so */
	WN_ENTRY_KIND_UNSEEN = 2,  /* it does so, inside the runtime */
};

/* What a thread did in an interval in which it was not on a CPU for certain. */
enum wn_switch_kind {
	WN_SWITCH_BLOCKED = 0,   /* it gave the CPU up to wait */
	WN_SWITCH_PREEMPTED = 1, /* it could have run, or had only yielded */
	WN_SWITCH_UNKNOWN = 2,   /* records of this time were lost */
	WN_SWITCH_KIND_N
};
#define WN_SWITCH_KIND_BITS 2

/* When a thread was off the CPU, from the kernel's switch records; times are those of
 * CLOCK_MONOTONIC. For each interval two varints follow: the time since the end of the one before
 * (of the first: since from_ns); its length, shifted by WN_SWITCH_KIND_BITS, | enum wn_switch_kind.
 * The thread was on a CPU in the rest of the time from from_ns to until_ns. */
struct wn_switches_record {
	uint32_t thread; /* index */
	uint32_t n_intervals;
	uint64_t from_ns, until_ns;
};

/* How long a thread waited for a CPU, after it had been preempted or woken, by the kernel's
 * statistics; by CLOCK_MONOTONIC. Of several records of a thread the one with the largest until_ns
 * counts. */
struct wn_queue_record {
	uint32_t thread, reserved;
	uint64_t from_ns, until_ns, wait_ns;
};

/* Numbers about the process and its machine, read when the recording ended. "During the recording"
 * means: the difference of two readings, when it began and when it ended. */
enum wn_fact {
	WN_FACT_ONLINE_CPUS = 1, /* CPUs of the machine */
	WN_FACT_BOUND_CPUS = 2,  /* CPUs that one of the recorded threads might use at its end */
	WN_FACT_QUOTA_MILLICPUS = 3, /* smallest quota / period of its control groups, in 1/1000 */
	WN_FACT_THROTTLED_NS = 4,    /* that group was throttled during the recording, all CPUs */
	WN_FACT_STEAL_NS = 5, /* the hypervisor took from the process's CPUs during the recording */
	WN_FACT_SPAN_NS = 6,  /* length of the recording */
	WN_FACT_MINOR_FAULTS = 7,   /* page faults during the recording, without ... */
	WN_FACT_MAJOR_FAULTS = 8,   /* ... and with a read from a disk */
	WN_FACT_FIRST_FAULTS = 9,   /* the minor ones of the process's first thread */
	WN_FACT_KERNEL_NS = 10,     /* CPU time in the kernel during the recording */
	WN_FACT_CPU_NS = 11,        /* CPU time of the process during the recording */
	WN_FACT_OTHER_THREADS = 12, /* threads at the end that were not recorded */
	WN_FACT_OTHER_CPU_NS = 13,  /* their CPU time since they began */
	WN_FACT_PEAK_PAGES = 14,    /* most pages of the process in memory at one time */
	WN_FACT_LOADED_NS = 15, /* from the loading of the preloaded recorder to the recording */
	/* from that to the first thread's beginning: time in which the process had no CPU */
	WN_FACT_OFF_BEFORE_NS = 16,
	WN_FACT_N
};

struct wn_fact_record {
	uint32_t kind; /* enum wn_fact */
	uint32_t reserved;
	uint64_t value;
};

#define WN_COUNTERS_MAX   64u /* per process; COUNTING has a bit for each */
#define WN_COUNTS_GROUP_N 4u  /* per COUNTS record */

/* A counter that threads may read. Its name is also a column name: [A-Za-z_][A-Za-z0-9_]*. */
struct wn_counter_record {
	uint32_t number; /* from 0 */
	uint16_t name_bytes;
	uint16_t unit_bytes; /* "B", "ns"; 0 = a number of something */
	uint16_t by_bytes;   /* source of the counts, for display: "qemu-x86_64 7.2" */
	uint16_t reserved;
};

struct wn_module_record {
	uint64_t base;           /* load bias: address in memory - address in the file's headers */
	uint64_t begin;          /* first mapped address */
	uint64_t end;            /* one past the last */
	uint32_t build_id_bytes; /* 0 = none */
	uint32_t path_bytes;
};

/* Records of a table block: struct wn_process_record with one of these types, payload; padded to 8.
 * Cells of a number: varints of 7 bits a byte, the lowest first (value + 1, 0 = missing), or eight
 * bytes of a double each (NAN = missing). Of a text: varint of its number + 1, 0 = missing. Of a
 * list: varint 0 = missing, 1 = in WN_TABLE_LIST records, else length + 2, and as many varints. */
enum wn_table_type {
	WN_TABLE_SIZE = 1,   /* struct wn_table_size */
	WN_TABLE_COLUMN = 2, /* struct wn_table_column_record, name, unit (no NUL) */
	WN_TABLE_TEXT = 3,   /* uint32_t number, text (no NUL) */
	WN_TABLE_VALUES = 4, /* struct wn_table_values, cells */
	WN_TABLE_LIST = 5,   /* struct wn_table_list, varints: part of the list in one cell */
	WN_TABLE_FACT = 6    /* NAME=VALUE: origin of the table */
};

enum wn_cell_kind { WN_CELL_NUMBER = 1, WN_CELL_TEXT = 2, WN_CELL_LIST = 3 };

struct wn_table_size {
	uint64_t n_rows;
	uint64_t n_lost; /* rows that the import had to leave out */
};

struct wn_table_column_record {
	uint32_t number;     /* from 0 */
	uint16_t cell;       /* enum wn_cell_kind */
	uint16_t is_derived; /* 1: computed at import, not in the imported file */
	uint32_t name_bytes, unit_bytes;
};

struct wn_table_values {
	uint64_t first_row;
	uint32_t column;
	uint32_t n_cells;
	uint32_t is_double; /* numbers: cells are doubles, else varints */
	uint32_t reserved;
};

struct wn_table_list {
	uint64_t row;
	uint64_t first; /* index in the list of the first value here */
	uint32_t column;
	uint32_t n_values;
};

static_assert(sizeof(struct wn_counter_record) == 12, "no padding");
static_assert(sizeof(struct wn_entry_record) == 4, "no padding");
static_assert(sizeof(struct wn_switches_record) == 24, "no padding");
static_assert(sizeof(struct wn_queue_record) == 32, "no padding");
static_assert(sizeof(struct wn_fact_record) == 16, "no padding");
static_assert(sizeof(struct wn_sharing_record) == 96, "no padding");
static_assert(sizeof(struct wn_mpi_record) == 32, "no padding");
static_assert(sizeof(struct wn_table_column_record) == 16, "no padding");
static_assert(sizeof(struct wn_table_values) == 24, "no padding");
static_assert(sizeof(struct wn_table_list) == 24, "no padding");
