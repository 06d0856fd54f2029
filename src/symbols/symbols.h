/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - converts addresses to function, file and line, after the run, in the analysis
 * process.
 *
 * Unknown values are left out (NULL, line 0), never guessed. The files named in a trace may be
 * gone, rebuilt, damaged or no files at all: they are used only if they are regular files with the
 * recorded build id. The network is never used.
 */
#pragma once

#include "trace/trace_reader.h"
#include "winnow/base.h"

typedef struct wn_symbols wn_symbols;

/* A file that was mapped into the program. */
struct wn_module {
	uint64_t base;           /* load bias: address in memory - address in the file's headers */
	uint64_t begin;          /* first mapped address */
	uint64_t end;            /* one past the last */
	const uint8_t *build_id; /* [build_id_bytes], or NULL */
	uint32_t build_id_bytes; /* 0 = the file had none */
	const char *path;        /* NUL-terminated */
};

/*
 * A place in the program. All strings belong to the wn_symbols; equal texts are equal pointers.
 *
 * Display names are as in the source: demangled, without result type, parameters and compilers'
 * suffixes; an outlined function has the name of the function that contains its construct.
 */
struct wn_place {
	const char *function; /* display name of the innermost inlined function; NULL = unknown */
	const char *outer;    /* display name of the compiled function; = function if not inlined */
	const char *symbol;   /* linker name of the compiled function; NULL = unknown */
	const char *file;     /* path as the compiler recorded it; NULL = unknown */
	int line;             /* from 1; 0 = unknown */
	const char *module;   /* the file's base name; NULL = the address is in no module */
	const char *module_path;
	uint64_t offset; /* address - base, as addr2line takes it; the address if no module */
	bool is_exact;   /* file:line belong to this very address; if not, line is 0 or that of the
	                    nearest code before it in the function */
	bool is_inlined; /* function was inlined into outer */
	bool is_count; /* code of the C++ library that counts references; file:line may be those of
	                  its call */
	bool is_outlined;    /* the code was cut out of its function for an OpenMP construct */
	bool is_merged_call; /* the call has no line of its own, as where the compiler merged
	                        several calls into one: the line is that of code before it */
	bool is_tail_call; /* the construct ends a function, which jumps to the runtime: its line is
	                      unknown, only the function, or its caller */
	bool is_stale;     /* the file at module_path is not the one that ran; it was not used */
	bool is_missing;   /* there is no readable file at module_path */
	bool has_debug_info; /* the module has debug information (built with -g) */
};

/**
 * Prepares lookups in a set of modules. Opens no files yet.
 *
 * @param modules  [n] copied; invalid entries (end <= begin, no path) are left out. Where modules
 *                 overlap in memory, the one that begins last is used.
 * @param out      written only on success; release with wn_symbols_free().
 * @param err      NULL, or filled on failure.
 *
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     O(n log n).
 * Threads  pure.
 */
WN_MUST_CHECK wn_status wn_symbols_new(const struct wn_module *modules, size_t n, wn_symbols **out,
                                       wn_err *err);

/* Releases the object and all its strings; NULL is fine. */
void wn_symbols_free(wn_symbols *symbols);

/**
 * Looks up an address of the traced program. An unknown address is a success without a result.
 *
 * The line is that of the code at the address (what `addr2line -i` prints first). For the entry of
 * an outlined function (is_return_address false) it is the line of its construct's pragma: see
 * README.md for how, and how often that is right.
 *
 * @param addr               address in the program's memory.
 * @param is_return_address  the address follows a call; the call itself is looked up.
 * @param out                written only on success; its strings live as long as `symbols`.
 *
 * @return WN_OK · WN_E_NOMEM
 *
 * Cost     the first address of a module reads its symbol table and unit headers, the first of a
 *          unit its functions and lines; the same address again, a hash lookup.
 * Threads  one at a time per object; different objects are independent.
 */
WN_MUST_CHECK wn_status wn_symbols_find(wn_symbols *symbols, uint64_t addr, bool is_return_address,
                                        struct wn_place *out);

/* Returns the base name of the file that is mapped at an address, or NULL. Opens no file; the name
 * lives as long as `symbols`. */
const char *wn_symbols_module(const wn_symbols *symbols, uint64_t addr);

/**
 * Looks up a site of a trace. Where a function ends by a jump to the runtime (a tail call), the
 * site is in its caller: then the place is that of the jump, as far as the code reveals it. If the
 * program has given the site's file and line itself, these are used: an instrumenter's line table
 * may be a few lines off. All cursors must have run.
 *
 * A site's address is one of two things: the return address of a call, or, for a tail call or
 * without an address from the runtime, the entry of the function that the compiler made of the
 * construct. It is an entry if an outlined function starts there: no call returns to the first
 * instruction of one.
 *
 * @param is_entry  the address is known to be a function's entry, outlined or not
 *
 * @return WN_OK · WN_E_NOMEM. The rest is as for wn_symbols_find().
 */
WN_MUST_CHECK wn_status wn_symbols_find_site(wn_symbols *symbols, const struct wn_trace *trace,
                                             uint32_t site, bool is_entry, struct wn_place *out);

/**
 * Looks up the variable at an address of a file's memory, from its symbol table.
 *
 * @param name    written only on success: display name, or NULL if there is none; lives as long as
 *                `symbols`.
 * @param offset  bytes from the variable's start.
 * @return WN_OK · WN_E_NOMEM.  The rest is as for wn_symbols_find().
 */
WN_MUST_CHECK wn_status wn_symbols_find_variable(wn_symbols *symbols, uint64_t addr,
                                                 const char **name, uint64_t *offset);

enum wn_pattern_kind {
	WN_PATTERN_NONE = 0,
	WN_PATTERN_ATOMIC,        /* atomic updates of the same memory */
	WN_PATTERN_FALSE_SHARING, /* stores to different elements of the same cache lines, or the
	                             same ones */
	WN_PATTERN_TRUE_SHARING,  /* stores to one variable */
	WN_PATTERN_STRIDED,       /* accesses that use little of each cache line */
	WN_PATTERN_REPEATED       /* stores that all threads make, to the same memory */
};

/* How all threads that run a function access memory again and again. */
struct wn_access_pattern {
	enum wn_pattern_kind kind;
	uint64_t addr;         /* of the first such instruction */
	uint64_t variable;     /* what it writes, or another element of it; 0 = unknown */
	uint32_t n_insns;      /* instructions of its loop, for each of them */
	uint32_t line_bytes;   /* WN_PATTERN_STRIDED: bytes that a turn uses of a cache line */
	uint64_t stride_bytes; /* ... from one turn to the next; 0 = not in the code */
};

struct wn_pattern_of {
	/* a function begins at the address; or it is in a call that gets the function, whose
	 * address the caller's code contains */
	bool is_entry;
	uint32_t n_threads; /* that run it; at least 1 */
	/* iterations that threads get in turn of the loop in it; 0: it has none, or one piece */
	uint64_t chunk;
	/* the address follows a barrier: whether all threads execute the same code between the call
	 * of the runtime before it and the barrier, with a loop of stores, is looked for instead */
	bool is_until;
};

/**
 * Finds whether the function that contains an address spends its time writing memory that other
 * threads in the same function write, too, or in accesses far apart: each of its innermost loops
 * does so, and it calls nothing else that may take long. Code of x86-64 and AArch64; of other
 * processors, and where anything is unknown, there is none.
 *
 * @param out  written only on success.
 * @return WN_OK · WN_E_NOMEM
 * Cost     decodes the function and those it calls, at most 40 of 64 KiB.
 */
WN_MUST_CHECK wn_status wn_symbols_find_pattern(wn_symbols *symbols, uint64_t addr,
                                                const struct wn_pattern_of *of,
                                                struct wn_access_pattern *out);

enum wn_wait_kind {
	WN_WAIT_NONE = 0,
	WN_WAIT_LOOP, /* that another thread writes memory: a loop that does nothing else */
	WN_WAIT_CALL, /* the same, with a call of the runtime in it: a flush, an attempt to lock */
	WN_WAIT_ATOMIC, /* for memory that it updates by an atomic instruction */
	WN_WAIT_MUTEX,  /* for a mutex of POSIX threads: a call */
	WN_WAIT_SLEEP,  /* for an amount of time: a call */
	WN_WAIT_OUTPUT, /* for a stream or a file: a call */
	WN_WAIT_LIBRARY /* for a lock that the C library has for all threads: a call */
};

/* What a thread that is often found at an address waits for. */
struct wn_code_wait {
	enum wn_wait_kind kind;
	uint64_t addr; /* the loop's first instruction, or the atomic one */
	/* the last one of the loop around it, or the function's first, if there is none: it may be
	 * in other source code; of an atomic one, of the outermost loop whose nested loops all have
	 * such updates */
	uint64_t around;
	bool is_moving; /* the atomic update is of other memory in another turn of its loop */
};

/**
 * Finds what the code at an address waits for. The rest is as for wn_symbols_find_pattern().
 *
 * @param addr  as the processor has it when it is interrupted: mostly after an instruction.
 * @param out   written only on success.
 */
WN_MUST_CHECK wn_status wn_symbols_find_wait(wn_symbols *symbols, uint64_t addr,
                                             struct wn_code_wait *out);

/* Finds the first loop of the function at an address that waits by calls of the runtime. */
WN_MUST_CHECK wn_status wn_symbols_find_calls(wn_symbols *symbols, uint64_t addr,
                                              struct wn_code_wait *out);

/* Finds the first call in the function at an address in which threads may sleep, if possible one of
 * another kind than WN_WAIT_LIBRARY: kind, addr. */
WN_MUST_CHECK wn_status wn_symbols_find_sleep(wn_symbols *symbols, uint64_t addr,
                                              struct wn_code_wait *out);

/**
 * Writes the shortest accurate text for a place: "fib.c:12", else "libfoo.so+0x1234", else
 * "0x1234".
 *
 * @param out  [out_bytes] NUL-terminated, truncated if too short.
 * Cost     O(length). Threads  pure.
 */
void wn_place_text(const struct wn_place *place, char *out, size_t out_bytes);

/* The same without file and line: "libfoo.so+0x1234" or "0x1234". */
void wn_place_offset_text(const struct wn_place *place, char *out, size_t out_bytes);
