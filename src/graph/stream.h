/* SPDX-License-Identifier: MIT */
/*
 * stream.h - the events of all threads of a trace as one stream, in the order of time. Private to
 * this folder.
 *
 * Reading goes ahead of who takes the events: in batches, on a thread of its own where the process
 * may use more than one CPU. The order is the same either way: by time, and of events at one time
 * by thread. While a stream is open, the trace is the stream's: whoever takes events has to find
 * in them what he needs, since places of code and names are entered as they are met.
 */
#ifndef WN_GRAPH_STREAM_H
#define WN_GRAPH_STREAM_H

#include "trace/trace_reader.h"

struct stream_event {
	struct wn_event event;
	struct wn_site_key site; /* of event.site */
	uint64_t ns;             /* never less than that of the thread's event before */
	uint64_t next_ns;        /* of the thread's next event; `ns` if this is its last one */
	uint64_t n_ids;          /* that the thread has handed out, with this event's */
	uint32_t n_regions;      /* that it has begun, with this event's */
	uint32_t thread;
	bool ends_clauses; /* the thread's next event is no depend clause */
};

/* A column of something for each id, of which the pages are wanted when ids are handed out. */
struct stream_column {
	void *at;
	size_t each_bytes;
};

struct stream;

/*
 * Opens a stream.
 *
 * @param first_id  [n_threads + 1] the first id of each thread; borrowed.
 * @param columns   [n_columns] pages are prepared ahead where reading is ahead; copied.
 * @param out       written on success; release with stream_close().
 * @return WN_OK · WN_E_NOMEM
 */
wn_status stream_open(struct wn_trace *trace, const uint32_t *first_id,
                      const struct stream_column *columns, size_t n_columns, struct stream **out,
                      wn_err *err);
void stream_close(struct stream *s);

/* The time of a thread's first event; false: it has none. Before the first stream_next() only. */
bool stream_first_ns(const struct stream *s, uint32_t thread, uint64_t *ns);

/*
 * The next events, one or more, valid up to the next call; none at the end.
 *
 * @return WN_OK · WN_E_NOMEM (the stream cannot be read further)
 * Cost     some tens of ns for each, less if read ahead.
 */
wn_status stream_next(struct stream *s, const struct stream_event **events, size_t *n);

#endif /* WN_GRAPH_STREAM_H */
