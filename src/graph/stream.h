/* SPDX-License-Identifier: MIT */
/*
 * stream.h - merges the events of all threads of a trace into one stream, in order of time.
 * Private to this folder.
 *
 * Reading runs ahead of the consumer: in batches, on a thread of its own if the process may use
 * more than one CPU. The order is the same either way: by time, and for equal times by thread.
 * While a stream is open, it has exclusive use of the trace: the consumer may use only the data in
 * the events, since places of code and names are entered while reading.
 */
#pragma once

#include "graph/packing.h"
#include "trace/trace_reader.h"

#include <stdatomic.h>

/* Small, since most are read by another core than the one that writes them: what few events have is
 * among their values. */
struct stream_event {
	uint64_t ns;       /* never less than that of the thread's previous event */
	uint32_t probe_ps; /* with a calibration: what recording has added to the time since the
	                      thread's previous timed event, as far as that is known */
	uint32_t thread;
	uint32_t site;            /* as in struct wn_event */
	uint32_t aux;             /* of the site */
	uint32_t n_ids;           /* ids that the thread has created, including this event's */
	uint8_t code;             /* enum wn_event_code */
	uint8_t n_values;         /* of its own, without the time to the next event */
	bool has_time;            /* it is timed: an event of activity */
	uint8_t has_addr : 1;     /* the site has an address */
	uint8_t ends_clauses : 1; /* the last event of the creation of a task that may have depend
	                             clauses: the time to the thread's next event, 0 if there is
	                             none, is its last value */
	uint8_t is_last : 1;      /* the thread has no more events */
};

/* The number of values that follow those of the event before: as in struct wn_event; those of a
 * gap, which is no record of the trace; and of the begin of a region the number of regions that the
 * thread has begun, including this one, as its second one. */
static inline unsigned
stream_n_values(const struct stream_event *e)
{
	return e->n_values + e->ends_clauses;
}

/* Of a thread, with a calibration: its pieces of time between two timed events, those of them whose
 * cost is not known, and the costs of the others. */
struct stream_probes {
	uint64_t n_pieces, n_unknown, ps, sigma_ps;
};

/* A column with an element for each id, whose pages are populated before the ids are created. */
struct stream_column {
	void *at;
	size_t each_bytes;
	/* how many elements have been written, of a column that may be written for few ids: it is
	 * populated only while so many are that they are on most pages; NULL: for each id */
	const _Atomic(uint32_t) *n_written;
};

struct stream;

/*
 * Opens a stream.
 *
 * @param first_id  [n_threads + 1] the first id of each thread; borrowed.
 * @param columns   [n_columns] populated by the reader; copied.
 * @param packing   used by the reader up to stream_finish(); borrowed.
 * @param out       written on success; release with stream_close().
 * @return WN_OK · WN_E_NOMEM
 */
wn_status stream_open(struct wn_trace *trace, const uint32_t *first_id,
                      const struct stream_column *columns, size_t n_columns,
                      struct packing *packing, struct stream **out, wn_err *err);
void stream_close(struct stream *s);

/* Returns the time of a thread's first event; false if it has none. Only before the first
 * stream_next(). */
bool stream_first_ns(const struct stream *s, uint32_t thread, uint64_t *ns);

/*
 * Returns one or more next events, valid up to the next call; none at the end.
 *
 * @param values  the values of all of them, one event after the other.
 * @return WN_OK · WN_E_NOMEM (the stream cannot be read further)
 * Cost     some tens of ns for each, less if read ahead.
 */
wn_status stream_next(struct stream *s, const struct stream_event **events, const uint64_t **values,
                      size_t *n);

/* Returns the list for what the events of the last stream_next() end, which the reader packs when
 * it has time; NULL if there is no reader. */
struct packing_notes *stream_notes(struct stream *s);

/* Returns the sums of a thread; after stream_finish(). */
struct stream_probes stream_probes(const struct stream *s, uint32_t thread);

/* Packs what is left, after the last stream_next(). The lists are not used any more. */
void stream_finish(struct stream *s);
