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
#ifndef WN_GRAPH_STREAM_H
#define WN_GRAPH_STREAM_H

#include "trace/trace_reader.h"

/* Small, since most are read by another core than the one that writes them. */
struct stream_event {
	enum wn_event_code code;
	uint32_t thread;
	uint32_t site;      /* as in struct wn_event */
	uint32_t aux;       /* of the site */
	const uint64_t *v;  /* as in struct wn_event; valid as long as the event */
	uint64_t ns;        /* never less than that of the thread's previous event */
	uint64_t next_ns;   /* of the thread's next event; `ns` if this is its last one */
	uint64_t n_ids;     /* ids that the thread has created, including this event's */
	uint32_t n_regions; /* regions that it has begun, including this event's */
	bool has_addr;      /* the site has an address */
	bool ends_clauses;  /* the thread's next event is not a depend clause */
};

/* A column with an element for each id, whose pages are populated before the ids are created. */
struct stream_column {
	void *at;
	size_t each_bytes;
};

struct stream;

/*
 * Opens a stream.
 *
 * @param first_id  [n_threads + 1] the first id of each thread; borrowed.
 * @param columns   [n_columns] populated by the reader; copied.
 * @param out       written on success; release with stream_close().
 * @return WN_OK · WN_E_NOMEM
 */
wn_status stream_open(struct wn_trace *trace, const uint32_t *first_id,
                      const struct stream_column *columns, size_t n_columns, struct stream **out,
                      wn_err *err);
void stream_close(struct stream *s);

/* Returns the time of a thread's first event; false if it has none. Only before the first
 * stream_next(). */
bool stream_first_ns(const struct stream *s, uint32_t thread, uint64_t *ns);

/*
 * Returns one or more next events, valid up to the next call; none at the end.
 *
 * @return WN_OK · WN_E_NOMEM (the stream cannot be read further)
 * Cost     some tens of ns for each, less if read ahead.
 */
wn_status stream_next(struct stream *s, const struct stream_event **events, size_t *n);

#endif /* WN_GRAPH_STREAM_H */
