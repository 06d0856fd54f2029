/* SPDX-License-Identifier: MIT */
/*
 * test_server.c - a server on real sockets: what is sent arrives, at any speed; what is slow,
 * silent or gone does not delay others; listeners are for one user and leave nothing behind.
 */
#include "base/mem.h"
#include "serve/listen.h"
#include "serve/server.h"

#include "tests/tap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define RUN_BYTES  (3u << 20)
#define WAIT_MS    20000
#define SHORT_MS   300
#define HOST       "Host: localhost\r\n"
#define GET_PAGE   "GET / HTTP/1.1\r\n" HOST "\r\n"
#define GET_RUN    "GET /run.grains HTTP/1.1\r\n" HOST "\r\n"
#define PAGE       "<!doctype html><p>page\n"
#define NOT_CLOSED (-2)

static unsigned char *content; /* [RUN_BYTES] of the run */

struct serving {
	struct wn_listener listener;
	struct wn_server server;
	int stop[2];
	pthread_t thread;
	wn_status result;
};

static int
file_of(const unsigned char *bytes, size_t n)
{
	int fd = memfd_create("run", MFD_CLOEXEC);
	for (size_t done = 0; done < n;) {
		ssize_t written = write(fd, bytes + done, n - done);
		if (written <= 0)
			abort();
		done += (size_t)written;
	}
	return fd;
}

static void *
serve(void *user)
{
	struct serving *s = user;
	wn_err err = {.msg = ""};
	s->result = wn_serve(&s->server, &err);
	return NULL;
}

static void
start(struct serving *s, bool is_port)
{
	wn_err err = {.msg = ""};
	wn_status st = is_port ? wn_listen_port(0, &s->listener, &err)
	                       : wn_listen_socket(NULL, &s->listener, &err);
	if (st != WN_OK || pipe(s->stop) != 0) {
		note("%s", err.msg);
		abort();
	}
	s->server.listen_fd = s->listener.listen_fd;
	s->server.stop_fd = s->stop[0];
	s->server.run_fd = file_of(content, RUN_BYTES);
	s->server.offer =
	    (struct wn_offer){PAGE, sizeof PAGE - 1, RUN_BYTES, is_port ? s->listener.token : NULL};
	pthread_create(&s->thread, NULL, serve, s);
}

static void
stop(struct serving *s)
{
	char byte = 0;
	if (write(s->stop[1], &byte, 1) != 1)
		abort();
	pthread_join(s->thread, NULL);
	close(s->stop[0]);
	close(s->stop[1]);
	close(s->server.run_fd);
	wn_listen_close(&s->listener);
}

static int
call_from(const struct wn_listener *listener, uint32_t from)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(from)}};
	struct sockaddr_un there = {.sun_family = AF_UNIX};
	struct sockaddr_in port = {.sin_family = AF_INET,
	                           .sin_port = htons(listener->port),
	                           .sin_addr = {htonl(INADDR_LOOPBACK)}};
	bool is_port = listener->port != 0;
	memcpy(there.sun_path, listener->path, sizeof listener->path);
	int fd = socket(is_port ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (is_port && bind(fd, (struct sockaddr *)&here, sizeof here) != 0)
		abort();
	if (connect(fd, is_port ? (struct sockaddr *)&port : (struct sockaddr *)&there,
	            is_port ? sizeof port : sizeof there) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static int
call(const struct wn_listener *listener)
{
	return call_from(listener, INADDR_LOOPBACK);
}

static void
tell(int fd, const char *text)
{
	size_t n = strlen(text);
	if (send(fd, text, n, MSG_NOSIGNAL) != (ssize_t)n)
		note("not all of it could be sent");
}

/* Bytes until the end of the connection, `most` of them, or nothing comes for wait_ms. */
static ssize_t
listen_to(int fd, char *bytes, size_t most, int wait_ms, bool *is_closed)
{
	size_t n = 0;
	*is_closed = false;
	while (n < most) {
		struct pollfd one = {.fd = fd, .events = POLLIN};
		if (poll(&one, 1, wait_ms) <= 0)
			break;
		ssize_t got = recv(fd, bytes + n, most - n, 0);
		if (got <= 0) {
			*is_closed = true;
			break;
		}
		n += (size_t)got;
	}
	return (ssize_t)n;
}

/* One request and its answer, of `most` bytes or up to the end. Terminated. */
static size_t
ask(const struct wn_listener *listener, const char *text, char *answer, size_t most)
{
	bool is_closed;
	int fd = call(listener);
	if (fd < 0)
		return 0;
	tell(fd, text);
	ssize_t n = listen_to(fd, answer, most - 1, WAIT_MS, &is_closed);
	answer[n] = '\0';
	close(fd);
	return (size_t)n;
}

static int
status_of(const char *answer)
{
	return strncmp(answer, "HTTP/1.1 ", 9) == 0 ? atoi(answer + 9) : 0;
}

/* Is the answer whole, with these bytes of the run from `at` on? */
static bool
is_run(const char *answer, size_t n, size_t at, size_t n_bytes)
{
	const char *body = strstr(answer, "\r\n\r\n");
	return body && n == (size_t)(body + 4 - answer) + n_bytes &&
	       memcmp(body + 4, content + at, n_bytes) == 0;
}

static void
test_answers(bool is_port)
{
	struct serving s = {0};
	char text[256];
	char *answer = malloc(RUN_BYTES + 4096);
	start(&s, is_port);
	const char *listener = is_port ? "a port" : "a socket";
	const char *first = is_port ? "/" : "", *token = s.listener.token;
	snprintf(text, sizeof text, "GET %s%s/ HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n",
	         first, token);
	ask(&s.listener, text, answer, 8192);
	ok(status_of(answer) == 200 && strstr(answer, "\r\n\r\n" PAGE), "%s gives the page",
	   listener);
	snprintf(text, sizeof text,
	         "GET %s%s/run.grains HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", first, token);
	size_t n = ask(&s.listener, text, answer, RUN_BYTES + 4096);
	ok(status_of(answer) == 200 && is_run(answer, n, 0, RUN_BYTES), "%s gives the run",
	   listener);
	snprintf(text, sizeof text,
	         "GET %s%s/run.grains HTTP/1.1\r\n" HOST
	         "Range: bytes=1000000-1700000\r\nConnection: close\r\n\r\n",
	         first, token);
	n = ask(&s.listener, text, answer, RUN_BYTES + 4096);
	ok(status_of(answer) == 206 && is_run(answer, n, 1000000, 700001),
	   "%s gives a part of it, the right one", listener);
	snprintf(text, sizeof text,
	         "HEAD %s%s/run.grains HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", first,
	         token);
	n = ask(&s.listener, text, answer, RUN_BYTES + 4096);
	ok(status_of(answer) == 200 && is_run(answer, n, 0, 0) &&
	       strstr(answer, "Content-Length: 3145728\r\n"),
	   "%s tells its length", listener);
	ask(&s.listener, "POST / HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello", answer, 8192);
	ok(status_of(answer) == 405, "%s takes nothing", listener);
	ask(&s.listener, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", answer, 8192);
	ok(status_of(answer) == 403, "%s is nobody else's host", listener);
	ask(&s.listener, "\r\n\r\n\r\n", answer, 8192);
	ok(status_of(answer) == 400, "%s knows what no request is", listener);
	ask(&s.listener, GET_PAGE, answer, 64);
	ok(status_of(answer) == (is_port ? 401 : 200), "%s without a token: %d", listener,
	   is_port ? 401 : 200);
	stop(&s);
	ok(s.result == WN_OK, "and ends when told to");
	free(answer);
}

static void
test_keeping(void)
{
	struct serving s = {0};
	char answer[16384];
	bool is_closed;
	size_t n_pages = 0;
	start(&s, false);
	int fd = call(&s.listener);
	for (int i = 0; i < 100; i++) {
		/* byte by byte once, then whole */
		for (const char *c = GET_PAGE; i == 0 && *c; c++)
			tell(fd, (char[]){*c, '\0'});
		if (i > 0)
			tell(fd, GET_PAGE);
		ssize_t n = 0;
		do {
			ssize_t more = listen_to(fd, answer + n, 1, WAIT_MS, &is_closed);
			n = more > 0 ? n + more : -1;
		} while (n > 0 &&
		         !(n > (ssize_t)sizeof PAGE &&
		           memcmp(answer + n - sizeof PAGE + 1, PAGE, sizeof PAGE - 1) == 0));
		n_pages += n > 0;
	}
	ok(n_pages == 100, "100 requests on one connection are answered, one of them byte by byte");
	tell(fd, GET_PAGE GET_PAGE GET_PAGE "GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n");
	ssize_t n = listen_to(fd, answer, sizeof answer - 1, WAIT_MS, &is_closed);
	answer[n > 0 ? n : 0] = '\0';
	n_pages = 0;
	for (const char *at = answer; (at = strstr(at, PAGE)); at++)
		n_pages++;
	ok(n_pages == 4 && is_closed, "so are four sent at once, in order, up to the last");
	close(fd);
	stop(&s);
}

/* How long until the other side hangs up; NOT_CLOSED if it does not within WAIT_MS. */
static int
closed_after_ms(int fd)
{
	static char bytes[65536];
	struct timespec a, b;
	bool is_closed = false;
	clock_gettime(CLOCK_MONOTONIC, &a);
	while (!is_closed && listen_to(fd, bytes, sizeof bytes, WAIT_MS, &is_closed) > 0)
		;
	clock_gettime(CLOCK_MONOTONIC, &b);
	return is_closed ? (int)((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000)
	                 : NOT_CLOSED;
}

static void
test_slow(void)
{
	struct serving s = {0};
	char answer[8192];
	s.server.request_ms = s.server.idle_ms = s.server.stall_ms = SHORT_MS;
	start(&s, false);
	int silent = call(&s.listener), half = call(&s.listener), idle = call(&s.listener),
	    full = call(&s.listener);
	tell(half, "GET / HT");
	tell(idle, GET_PAGE);
	tell(full, GET_RUN); /* and takes nothing of it for now */
	ask(&s.listener, "GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", answer,
	    sizeof answer);
	ok(status_of(answer) == 200, "four slow clients keep nobody from being served");
	/* lower bounds only: the machine may be slow, but nobody is hung up on early */
	ok(closed_after_ms(silent) != NOT_CLOSED, "who says nothing is hung up on");
	ok(closed_after_ms(half) != NOT_CLOSED, "so is who says half a request");
	ok(closed_after_ms(idle) != NOT_CLOSED, "and who has had all and stays");
	struct timespec pause = {0, 3 * SHORT_MS * 1000000L};
	nanosleep(&pause, NULL);
	static char run[RUN_BYTES + 4096];
	bool is_closed;
	ssize_t n = listen_to(full, run, sizeof run, WAIT_MS, &is_closed);
	ok(is_closed && n < (ssize_t)RUN_BYTES, "and who takes nothing of what it asked for");
	close(silent);
	close(half);
	close(idle);
	close(full);
	stop(&s);
	ok(s.result == WN_OK && wn_mem_live() == 0, "nothing is left of them");
}

static void
test_leaving(void)
{
	struct serving s = {0};
	char answer[8192];
	start(&s, false);
	for (int i = 0; i < 200; i++) {
		struct linger now = {1, 0};
		int fd = call(&s.listener);
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
		tell(fd, i % 2 ? GET_RUN : "GET / HTTP/1.1\r\nHo");
		if (i % 6 == 1)
			listen_to(fd, answer, 100, WAIT_MS, &(bool){false});
		close(fd);
	}
	ask(&s.listener, "GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", answer,
	    sizeof answer);
	ok(status_of(answer) == 200, "200 clients that hang up at any time do no harm");
	stop(&s);
}

/* Time-outs are so long that nobody is served for them. */
static void
test_many(bool is_port)
{
	enum { CROWD = 400 };
	struct serving s = {0};
	char answer[8192], request[256];
	static int fds[CROWD];
	s.server.request_ms = s.server.idle_ms = s.server.stall_ms = 600000;
	start(&s, is_port);
	snprintf(request, sizeof request, "GET /%s%s HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n",
	         is_port ? "?token=" : "", is_port ? s.listener.token : "");
	const char *listener = is_port ? "a port" : "a socket";
	for (int i = 0; i < CROWD; i++) {
		fds[i] = call(&s.listener);
		if (i % 2)
			tell(fds[i], "GET / HTTP/1.1\r\n");
	}
	size_t n_served = 0;
	for (int i = 0; i < 10; i++) {
		ask(&s.listener, request, answer, sizeof answer);
		n_served += status_of(answer) != 0;
	}
	ok(n_served == 10, "%s: %d clients that say half a request or nothing hold nobody up",
	   listener, CROWD);
	for (int i = 0; i < CROWD; i++)
		close(fds[i]);
	for (int i = 0; i < WN_SERVE_CONNECTIONS; i++) {
		fds[i] = call(&s.listener);
		tell(fds[i], GET_PAGE);
		listen_to(fds[i], answer, 12, WAIT_MS, &(bool){false});
	}
	n_served = 0;
	for (int i = 0; i < 10; i++) {
		ask(&s.listener, request, answer, sizeof answer);
		n_served += status_of(answer) != 0;
	}
	ok(n_served == 10, "%s: idle ones make room", listener);
	for (int i = 0; i < WN_SERVE_CONNECTIONS; i++)
		close(fds[i]);
	stop(&s);
	ok(s.result == WN_OK && wn_mem_live() == 0, "nothing is left of them");
}

/* Of 127.0.0.2, none of which ever asks. */
static void
test_peers(void)
{
	enum { CROWD = 200 };
	struct serving s = {0};
	char answer[8192], request[256];
	bool is_closed;
	static int fds[CROWD];
	s.server.request_ms = s.server.idle_ms = s.server.stall_ms = 600000;
	start(&s, true);
	snprintf(request, sizeof request, "GET /%s/ HTTP/1.1\r\n" HOST "\r\n", s.listener.token);
	int idle = call(&s.listener);
	tell(idle, request);
	bool is_answered = listen_to(idle, answer, 12, WAIT_MS, &is_closed) == 12;
	for (int i = 0; i < CROWD; i++)
		fds[i] = call_from(&s.listener, INADDR_LOOPBACK + 1);
	ask(&s.listener, "GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", answer,
	    sizeof answer);
	is_answered &= status_of(answer) != 0;
	while (recv(idle, answer, sizeof answer, MSG_DONTWAIT) > 0)
		;
	tell(idle, request);
	is_answered &= listen_to(idle, answer, 12, WAIT_MS, &is_closed) == 12;
	ok(is_answered, "%d connections of one address take nothing from another's", CROWD);
	for (int i = 0; i < CROWD; i++)
		close(fds[i]);
	close(idle);
	stop(&s);
}

static void
test_shrunk(void)
{
	struct serving s = {0};
	static char answer[RUN_BYTES + 4096];
	start(&s, false);
	if (ftruncate(s.server.run_fd, 1000) != 0)
		abort();
	size_t n = ask(&s.listener, GET_RUN, answer, sizeof answer);
	ok(status_of(answer) == 200 && n < 4096,
	   "a file that has become shorter ends the connection, not the answer");
	ask(&s.listener, "GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", answer, 8192);
	ok(status_of(answer) == 200, "and the server stays");
	stop(&s);
}

static unsigned
mode_of(const char *path)
{
	struct stat info;
	return lstat(path, &info) == 0 ? info.st_mode & 07777 : 07777;
}

static void
test_listeners(const char *folder)
{
	struct wn_listener a = {0}, b = {0}, c = {0};
	char path[256], text[512], long_path[300];
	wn_err err = {.msg = ""};
	umask(0); /* the mode is not the user's mask's doing */
	ok(wn_listen_socket(NULL, &a, &err) == WN_OK && mode_of(a.path) == 0600,
	   "a socket has mode 0600");
	snprintf(path, sizeof path, "%s/winnow-%ld.sock", folder, (long)getpid());
	ok(strcmp(a.path, path) == 0 && !*a.folder, "and is in the user's own runtime folder");
	ok(wn_listen_socket(a.path, &b, &err) == WN_E_IO && strstr(err.msg, "already"),
	   "a second server does not take it away");
	ok(access(a.path, F_OK) == 0, "it is still there then");
	close(a.listen_fd); /* as a server that is killed */
	ok(wn_listen_socket(path, &b, &err) == WN_OK, "what a killed server left is replaced");
	wn_listen_ssh_line(&b, "login.cluster", text, sizeof text);
	snprintf(long_path, sizeof long_path,
	         "ssh -L 8098:%.200s login.cluster    # then http://localhost:8098/", path);
	ok(strcmp(text, long_path) == 0, "the ssh line leads to the socket");
	ok(wn_listen_address(&b, text, sizeof text) == 0, "which has no address here");
	wn_listen_close(&b);
	ok(access(path, F_OK) != 0, "a closed listener leaves nothing behind");

	setenv("XDG_RUNTIME_DIR", "/tmp", 1); /* not this user's alone */
	ok(wn_listen_socket(NULL, &a, &err) == WN_OK && mode_of(a.folder) == 0700 &&
	       mode_of(a.path) == 0600,
	   "without a runtime folder there is one of mode 0700");
	ok(wn_listen_socket(NULL, &b, &err) == WN_OK && strcmp(a.path, b.path) != 0,
	   "two servers have two");
	snprintf(path, sizeof path, "%s", a.folder);
	wn_listen_close(&a);
	wn_listen_close(&b);
	ok(access(path, F_OK) != 0, "which go with them");
	setenv("XDG_RUNTIME_DIR", folder, 1);

	memset(long_path, 'a', sizeof long_path);
	long_path[0] = '/';
	long_path[108] = '\0';
	ok(wn_listen_socket(long_path, &a, &err) == WN_E_ARG && strstr(err.msg, "at most 107"),
	   "a path of 108 bytes is too long: %s", err.msg);
	ok(wn_listen_socket("", &a, &err) == WN_E_ARG, "an empty one is none");
	ok(wn_listen_socket("/nowhere/at/all", &a, &err) == WN_E_IO &&
	       strstr(err.msg, "No such file"),
	   "a folder that is not there: %s", err.msg);
	snprintf(path, sizeof path, "%s/file", folder);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	ok(wn_listen_socket(path, &a, &err) == WN_E_IO && access(path, F_OK) == 0,
	   "a file in the place of the socket stays: %s", err.msg);
	unlink(path);

	ok(wn_listen_port(0, &a, &err) == WN_OK && a.port != 0 && strlen(a.token) == 32,
	   "a port has a token");
	ok(wn_listen_port(a.port, &b, &err) == WN_E_IO && strstr(err.msg, "in use"),
	   "a port that is taken is said: %s", err.msg);
	ok(wn_listen_port(0, &c, &err) == WN_OK && strcmp(a.token, c.token) != 0,
	   "each server has its own token");
	snprintf(path, sizeof path, "http://127.0.0.1:%u/%s/", (unsigned)a.port, a.token);
	wn_listen_address(&a, text, sizeof text);
	ok(strcmp(text, path) == 0, "the address holds it");
	struct sockaddr_in name;
	socklen_t size = sizeof name;
	getsockname(a.listen_fd, (struct sockaddr *)&name, &size);
	ok(name.sin_addr.s_addr == htonl(INADDR_LOOPBACK), "it listens on 127.0.0.1");
	wn_listen_close(&a);
	wn_listen_close(&c);
}

/* An xdg-open of ours writes down what it was given. */
static void
test_browser(const char *folder)
{
	struct wn_listener listener = {0};
	char path[256], said[256], text[2048] = "", note_path[WN_LISTEN_PATH_MAX + 16];
	wn_err err = {.msg = ""};
	snprintf(path, sizeof path, "%s/xdg-open", folder);
	snprintf(said, sizeof said, "%s/said", folder);
	FILE *script = fopen(path, "w");
	fprintf(script,
	        "#!/bin/sh\ncat \"$1\" > '%s.new'; echo \"$1\" >> '%s.new'; mv '%s.new' '%s'\n",
	        said, said, said, said);
	fclose(script);
	chmod(path, 0700);
	char *old = strdup(getenv("PATH"));
	snprintf(text, sizeof text, "%s:%s", folder, old);
	setenv("PATH", text, 1);
	ok(wn_listen_port(0, &listener, &err) == WN_OK &&
	       wn_listen_open_browser(&listener, &err) == WN_OK && mode_of(listener.note) == 0600,
	   "a browser is led in by a file of mode 0600");
	for (int i = 0; i < 1000 && access(said, F_OK) != 0; i++)
		usleep(20000);
	int fd = open(said, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	text[n > 0 ? n : 0] = '\0';
	close(fd);
	wn_listen_address(&listener, path, sizeof path);
	ok(strstr(text, path), "which holds the address");
	const char *argument = strrchr(text, '>');
	ok(argument && strstr(argument, listener.note) && !strstr(argument, listener.token),
	   "and the command line does not");
	snprintf(note_path, sizeof note_path, "%s", listener.note);
	wn_listen_close(&listener);
	ok(access(note_path, F_OK) != 0, "the file goes with the listener");
	setenv("PATH", old, 1);
	free(old);
	unlink(said);
	snprintf(path, sizeof path, "%s/xdg-open", folder);
	unlink(path);
}

static void
test_session(void)
{
	static const char *const names[] = {"SSH_CONNECTION", "SSH_TTY", "DISPLAY",
	                                    "WAYLAND_DISPLAY"};
	for (size_t i = 0; i < 4; i++)
		unsetenv(names[i]);
	ok(!wn_listen_is_remote() && !wn_listen_has_screen(), "no screen, no ssh: no browser");
	setenv("WAYLAND_DISPLAY", "wayland-0", 1);
	ok(wn_listen_has_screen(), "a screen: a browser");
	setenv("DISPLAY", "localhost:10.0", 1);
	setenv("SSH_CONNECTION", "10.0.0.1 50000 10.0.0.2 22", 1);
	ok(wn_listen_is_remote() && !wn_listen_has_screen(),
	   "a screen that ssh lends: no browser here");
	for (size_t i = 0; i < 4; i++)
		unsetenv(names[i]);
}

int
main(void)
{
	char folder[] = "/tmp/winnow-serve-XXXXXX";
	if (!mkdtemp(folder))
		return 1;
	setenv("XDG_RUNTIME_DIR", folder, 1);
	content = malloc(RUN_BYTES);
	for (size_t i = 0; i < RUN_BYTES; i++)
		content[i] = (unsigned char)((i * 2654435761u) >> 13);
	test_answers(false);
	test_answers(true);
	test_keeping();
	test_slow();
	test_leaving();
	test_many(false);
	test_many(true);
	test_peers();
	test_shrunk();
	test_listeners(folder);
	test_browser(folder);
	test_session();
	free(content);
	ok(rmdir(folder) == 0, "nothing is left in the runtime folder");
	return done();
}
