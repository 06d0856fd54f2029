/* SPDX-License-Identifier: MIT */
/*
 * server.c - connections are in one of four states:
 *
 *     READING --- a whole head ---> SENDING --- all sent, may be kept ---> READING
 *                                      |
 *                                      +------- all sent, not kept ------> LEAVING ---> FREE
 *
 * LEAVING briefly reads what the client still sends: closing at once would reset the connection,
 * and the answer could be lost.
 */
#include "serve/server.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REQUEST_MS  3000
#define IDLE_MS     60000
#define STALL_MS    30000
#define LEAVE_MS    2000
#define PATIENCE_MS 2000 /* for a client that receives nothing while others wait */
#define NO_FILES_MS 100  /* delay before accept() is retried without free descriptors */
#define PIECE_BYTES (256 * 1024)

enum state { FREE = 0, READING, SENDING, LEAVING };

struct connection {
	enum state state;
	int fd;
	uint32_t peer; /* address; 0 for a UNIX socket */
	int64_t deadline_ms;
	size_t n_in;          /* bytes in `in` */
	uint64_t n_sent;      /* bytes of the answer, head and body */
	size_t request_bytes; /* bytes of `in`: the request being answered */
	struct wn_answer answer;
	char in[WN_REQUEST_MAX];
};

struct loop {
	const struct wn_server *server;
	struct connection *all; /* [WN_SERVE_CONNECTIONS] */
	char *piece;            /* [PIECE_BYTES] */
	int64_t now_ms, accept_again_ms;
};

static int64_t
clock_ms(void)
{
	return (int64_t)(wn_now_ns(CLOCK_MONOTONIC) / 1000000);
}

static unsigned
or_default(unsigned given_ms, unsigned default_ms)
{
	return given_ms ? given_ms : default_ms;
}

static void
hang_up(struct connection *c)
{
	close(c->fd);
	c->state = FREE;
}

static bool
is_idle(const struct connection *c)
{
	return c->state == READING && c->n_in == 0;
}

/* Ranks which connection gives way first: idle, leaving, without a complete request, not receiving
 * its answer. Browsers send a head in one piece, so an incomplete one can be requested again; an
 * answer in progress is never cut. 0: stays. */
static int
gives_way(const struct loop *l, const struct connection *c)
{
	int64_t stall_ms = or_default(l->server->stall_ms, STALL_MS);
	if (is_idle(c))
		return 4;
	if (c->state == LEAVING)
		return 3;
	if (c->state == READING)
		return 2;
	return c->deadline_ms - stall_ms + PATIENCE_MS <= l->now_ms ? 1 : 0;
}

#define ANYBODY UINT32_MAX

/* Returns a free connection, or the one that gives way, ties by the longest wait; NULL if all are
 * being answered. With a peer: considers only its used connections. */
static struct connection *
room(struct loop *l, uint32_t peer)
{
	struct connection *found = NULL;
	int most = 0;
	for (size_t i = 0; i < WN_SERVE_CONNECTIONS; i++) {
		struct connection *c = &l->all[i];
		if (peer != ANYBODY && (c->state == FREE || c->peer != peer))
			continue;
		if (c->state == FREE)
			return c;
		int way = gives_way(l, c);
		if (way > most || (way && way == most && c->deadline_ms < found->deadline_ms)) {
			found = c;
			most = way;
		}
	}
	return found;
}

/* The same for a new connection of this peer, which may be at its limit. */
static struct connection *
room_for(struct loop *l, uint32_t peer)
{
	size_t n = 0;
	for (size_t i = 0; peer && i < WN_SERVE_CONNECTIONS; i++)
		n += l->all[i].state != FREE && l->all[i].peer == peer;
	return room(l, n >= WN_SERVE_OF_ONE_PEER ? peer : ANYBODY);
}

static void
accept_one(struct loop *l)
{
	int yes = 1;
	struct sockaddr_in from = {.sin_family = AF_UNSPEC};
	socklen_t from_bytes = sizeof from;
	if (!room(l, ANYBODY))
		return;
	int fd = accept4(l->server->listen_fd, (struct sockaddr *)&from, &from_bytes,
	                 SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
			l->accept_again_ms = l->now_ms + NO_FILES_MS;
		return;
	}
	uint32_t peer = from.sin_family == AF_INET ? from.sin_addr.s_addr : 0;
	struct connection *c = room_for(l, peer);
	if (!c) {
		close(fd);
		return;
	}
	if (c->state != FREE)
		hang_up(c);
	/* a UNIX socket neither has nor needs this option */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	c->fd = fd;
	c->peer = peer;
	c->n_in = 0;
	c->state = READING;
	c->deadline_ms = l->now_ms + or_default(l->server->request_ms, REQUEST_MS);
}

/* Starts to answer once a whole request is read. */
static void
look(struct loop *l, struct connection *c)
{
	struct wn_request request;
	enum wn_request_state state = wn_request_parse(c->in, c->n_in, &request);
	if (state == WN_REQUEST_MORE)
		return;
	c->request_bytes = state == WN_REQUEST_OK ? request.head_bytes : c->n_in;
	wn_answer_make(state, &request, &l->server->offer, &c->answer);
	c->n_sent = 0;
	c->state = SENDING;
	c->deadline_ms = l->now_ms + or_default(l->server->stall_ms, STALL_MS);
}

static void
read_more(struct loop *l, struct connection *c)
{
	ssize_t n = recv(c->fd, c->in + c->n_in, sizeof c->in - c->n_in, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		hang_up(c);
		return;
	}
	if (c->n_in == 0) /* the head has begun: no longer idle */
		c->deadline_ms = l->now_ms + or_default(l->server->request_ms, REQUEST_MS);
	c->n_in += (size_t)n;
	look(l, c);
}

static void
finish(struct loop *l, struct connection *c)
{
	if (!c->answer.may_keep) {
		shutdown(c->fd, SHUT_WR);
		c->state = LEAVING;
		c->deadline_ms = l->now_ms + LEAVE_MS;
		return;
	}
	c->n_in -= c->request_bytes;
	memmove(c->in, c->in + c->request_bytes, c->n_in);
	c->state = READING;
	c->deadline_ms = l->now_ms + (c->n_in ? or_default(l->server->request_ms, REQUEST_MS)
	                                      : or_default(l->server->idle_ms, IDLE_MS));
	if (c->n_in)
		look(l, c);
}

/* Reads the next bytes of the answer, at most a piece; 0 if the file has become shorter. */
static size_t
next_bytes(struct loop *l, const struct connection *c, const char **out)
{
	const struct wn_answer *a = &c->answer;
	if (c->n_sent < a->head_bytes) {
		*out = a->head + c->n_sent;
		return a->head_bytes - (size_t)c->n_sent;
	}
	uint64_t done = c->n_sent - a->head_bytes;
	uint64_t left = a->n_bytes - done;
	size_t n = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
	if (a->body == WN_BODY_PAGE) {
		*out = l->server->offer.page + a->at + done;
		return n;
	}
	ssize_t got;
	do
		got = pread(l->server->run_fd, l->piece, n, (off_t)(a->at + done));
	while (got < 0 && errno == EINTR);
	*out = l->piece;
	return got > 0 ? (size_t)got : 0;
}

static void
send_more(struct loop *l, struct connection *c)
{
	const struct wn_answer *a = &c->answer;
	const char *bytes;
	size_t n = next_bytes(l, c, &bytes);
	if (n == 0) {
		hang_up(c);
		return;
	}
	bool is_last = c->n_sent + n == a->head_bytes + a->n_bytes;
	ssize_t sent = send(c->fd, bytes, n, MSG_NOSIGNAL | (is_last ? 0 : MSG_MORE));
	if (sent < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (sent < 0) {
		hang_up(c);
		return;
	}
	c->n_sent += (uint64_t)sent;
	c->deadline_ms = l->now_ms + or_default(l->server->stall_ms, STALL_MS);
	if (c->n_sent == a->head_bytes + a->n_bytes)
		finish(l, c);
}

static void
leave(struct loop *l, struct connection *c)
{
	ssize_t n = recv(c->fd, l->piece, PIECE_BYTES, 0);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		hang_up(c);
}

static void
serve_one(struct loop *l, struct connection *c, short events)
{
	if (events && c->state == READING)
		read_more(l, c);
	else if (events && c->state == SENDING)
		send_more(l, c);
	else if (events && c->state == LEAVING)
		leave(l, c);
	if (c->state != FREE && c->deadline_ms <= l->now_ms)
		hang_up(c);
}

/* Computes the timeout and the poll set: the stop, the listener, the connections. */
static int
prepare(struct loop *l, struct pollfd *fds)
{
	int64_t due_ms = INT64_MAX;
	bool is_open = l->accept_again_ms <= l->now_ms;
	fds[0] = (struct pollfd){.fd = l->server->stop_fd, .events = POLLIN};
	fds[1] = (struct pollfd){.fd = is_open && room(l, ANYBODY) ? l->server->listen_fd : -1,
	                         .events = POLLIN};
	if (!is_open)
		due_ms = l->accept_again_ms;
	for (size_t i = 0; i < WN_SERVE_CONNECTIONS; i++) {
		const struct connection *c = &l->all[i];
		fds[i + 2] = (struct pollfd){.fd = c->state == FREE ? -1 : c->fd,
		                             .events = c->state == SENDING ? POLLOUT : POLLIN};
		if (c->state != FREE && c->deadline_ms < due_ms)
			due_ms = c->deadline_ms;
	}
	if (due_ms == INT64_MAX)
		return -1;
	return due_ms <= l->now_ms ? 0 : (int)(due_ms - l->now_ms);
}

static wn_status
run(struct loop *l, wn_err *err)
{
	struct pollfd fds[WN_SERVE_CONNECTIONS + 2];
	for (;;) {
		l->now_ms = clock_ms();
		int wait_ms = prepare(l, fds);
		if (poll(fds, WN_SERVE_CONNECTIONS + 2, wait_ms) < 0) {
			if (errno == EINTR)
				continue;
			return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "waiting for requests: %s",
			               strerror(errno));
		}
		if (fds[0].revents)
			return WN_OK;
		l->now_ms = clock_ms();
		for (size_t i = 0; i < WN_SERVE_CONNECTIONS; i++)
			if (l->all[i].state != FREE)
				serve_one(l, &l->all[i], fds[i + 2].revents);
		if (fds[1].revents)
			accept_one(l);
	}
}

wn_status
wn_serve(const struct wn_server *server, wn_err *err)
{
	struct loop l = {.server = server};
	wn_status st = WN_OK;
	l.all = wn_calloc(WN_SERVE_CONNECTIONS, sizeof *l.all);
	l.piece = wn_calloc(1, PIECE_BYTES);
	if (!l.all || !l.piece)
		WN_TRY(wn_no_memory(err));
	st = run(&l, err);
	for (size_t i = 0; i < WN_SERVE_CONNECTIONS; i++)
		if (l.all[i].state != FREE)
			hang_up(&l.all[i]);
out:
	wn_free(l.piece);
	wn_free(l.all);
	return st;
}
