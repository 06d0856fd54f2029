/* SPDX-License-Identifier: MIT */
#include "serve/listen.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define BACKLOG 1024 /* the system may have a lower limit */

static wn_status
fail_errno(wn_err *err, const char *what)
{
	return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%.150s: %s", what, strerror(errno));
}

/* Tests for a folder that no other user can read or write. */
static bool
is_private(const char *folder)
{
	struct stat info;
	return folder && *folder == '/' && stat(folder, &info) == 0 && S_ISDIR(info.st_mode) &&
	       info.st_uid == geteuid() && (info.st_mode & 077) == 0 && access(folder, W_OK) == 0;
}

/* Finds or makes a folder for NAME-PID.SUFFIX and prints the whole path. */
static wn_status
make_place(const char *suffix, struct wn_listener *listener, char *path, size_t size, wn_err *err)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");
	const char *temporary = getenv("TMPDIR");
	int n =
	    snprintf(path, size, "%s/winnow-%ld.%s", folder ? folder : "", (long)getpid(), suffix);
	if (is_private(folder) && (size_t)n < size)
		return WN_OK;
	if (!*listener->folder) {
		n = snprintf(listener->folder, sizeof listener->folder, "%s/winnow-XXXXXX",
		             temporary && *temporary == '/' ? temporary : "/tmp");
		if ((size_t)n >= sizeof listener->folder - 32)
			snprintf(listener->folder, sizeof listener->folder, "/tmp/winnow-XXXXXX");
		if (!mkdtemp(listener->folder)) {
			*listener->folder = '\0';
			return wn_fail(
			    err, WN_E_IO, WN_NO_OFFSET,
			    "no folder for the server's socket can be made in %.100s: %s",
			    temporary && *temporary == '/' ? temporary : "/tmp", strerror(errno));
		}
	}
	snprintf(path, size, "%s/winnow.%s", listener->folder, suffix);
	return WN_OK;
}

/* Tests for a listening server. The socket of a dead one refuses. */
static bool
is_left_over(const struct sockaddr_un *address)
{
	struct stat info;
	if (lstat(address->sun_path, &info) != 0 || !S_ISSOCK(info.st_mode))
		return false;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	int refused = connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 &&
	              errno == ECONNREFUSED;
	close(fd);
	return refused;
}

static wn_status
listen_on_path(struct wn_listener *listener, wn_err *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	memcpy(address.sun_path, listener->path, strlen(listener->path) + 1);
	listener->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener->listen_fd < 0)
		return fail_errno(err, "no socket");
	/* Linux gives the file the mode of the socket at bind(), so it is never open to others */
	if (fchmod(listener->listen_fd, 0600) != 0)
		return fail_errno(err, listener->path);
	const struct sockaddr *name = (const struct sockaddr *)&address;
	int bound = bind(listener->listen_fd, name, sizeof address);
	if (bound != 0 && errno == EADDRINUSE && is_left_over(&address) &&
	    unlink(address.sun_path) == 0)
		bound = bind(listener->listen_fd, name, sizeof address);
	if (bound != 0) {
		wn_status st = errno == EADDRINUSE
		                   ? wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%.120s: exists already",
		                             listener->path)
		                   : fail_errno(err, listener->path);
		*listener->path = '\0'; /* another owner removes it */
		return st;
	}
	return listen(listener->listen_fd, BACKLOG) == 0 ? WN_OK : fail_errno(err, listener->path);
}

wn_status
wn_listen_socket(const char *path, struct wn_listener *out, wn_err *err)
{
	struct wn_listener listener = {.listen_fd = -1};
	wn_status st = WN_OK;
	if (path && strlen(path) >= sizeof listener.path)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               "the path of the socket has %zu bytes; a socket's has at most %zu",
		               strlen(path), sizeof listener.path - 1);
	if (path && !*path)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "the path of the socket is empty");
	if (path)
		memcpy(listener.path, path, strlen(path) + 1);
	else
		WN_TRY(make_place("sock", &listener, listener.path, sizeof listener.path, err));
	WN_TRY(listen_on_path(&listener, err));
	*out = listener;
out:
	if (st != WN_OK)
		wn_listen_close(&listener);
	return st;
}

static wn_status
make_token(char token[WN_LISTEN_TOKEN + 1], wn_err *err)
{
	unsigned char bytes[WN_LISTEN_TOKEN / 2];
	ssize_t n;
	do
		n = getrandom(bytes, sizeof bytes, 0);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof bytes)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "no random numbers for a token");
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(token + 2 * i, 3, "%02x", (unsigned)bytes[i]);
	return WN_OK;
}

wn_status
wn_listen_port(uint16_t port, struct wn_listener *out, wn_err *err)
{
	struct wn_listener listener = {.listen_fd = -1};
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof address;
	int yes = 1;
	wn_status st = WN_OK;
	WN_TRY(make_token(listener.token, err));
	listener.listen_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener.listen_fd < 0)
		WN_TRY(fail_errno(err, "no socket"));
	/* reuse a port that was in use a minute ago */
	setsockopt(listener.listen_fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(listener.listen_fd, (const struct sockaddr *)&address, size) != 0 ||
	    listen(listener.listen_fd, BACKLOG) != 0 ||
	    getsockname(listener.listen_fd, (struct sockaddr *)&address, &size) != 0)
		WN_TRY(wn_fail(err, WN_E_IO, WN_NO_OFFSET, "port %u: %s", (unsigned)port,
		               strerror(errno)));
	listener.port = ntohs(address.sin_port);
	*out = listener;
out:
	if (st != WN_OK)
		wn_listen_close(&listener);
	return st;
}

void
wn_listen_close(struct wn_listener *listener)
{
	if (listener->listen_fd >= 0)
		close(listener->listen_fd);
	listener->listen_fd = -1;
	if (*listener->path)
		unlink(listener->path);
	if (*listener->note)
		unlink(listener->note);
	if (*listener->folder)
		rmdir(listener->folder);
	*listener->path = *listener->note = *listener->folder = '\0';
}

static bool
is_set(const char *name)
{
	const char *value = getenv(name);
	return value && *value;
}

bool
wn_listen_is_remote(void)
{
	return is_set("SSH_CONNECTION") || is_set("SSH_TTY");
}

bool
wn_listen_has_screen(void)
{
	return !wn_listen_is_remote() && (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"));
}

static size_t
length(int n)
{
	return n > 0 ? (size_t)n : 0;
}

size_t
wn_listen_address(const struct wn_listener *listener, char *text, size_t size)
{
	if (listener->port == 0)
		return length(snprintf(text, size, "%s", ""));
	return length(snprintf(text, size, "http://127.0.0.1:%u/%s/", (unsigned)listener->port,
	                       listener->token));
}

size_t
wn_listen_ssh_line(const struct wn_listener *listener, const char *host, char *text, size_t size)
{
	if (listener->port == 0)
		return length(snprintf(text, size, "ssh -L %d:%s %s    # then http://localhost:%d/",
		                       WN_LISTEN_PORT, listener->path, host, WN_LISTEN_PORT));
	return length(snprintf(
	    text, size, "ssh -L %d:127.0.0.1:%u %s    # then http://localhost:%d/%s/",
	    WN_LISTEN_PORT, (unsigned)listener->port, host, WN_LISTEN_PORT, listener->token));
}

static wn_status
write_note(struct wn_listener *listener, wn_err *err)
{
	char address[96], text[256];
	wn_status st = make_place("html", listener, listener->note, sizeof listener->note, err);
	if (st != WN_OK) {
		*listener->note = '\0';
		return st;
	}
	wn_listen_address(listener, address, sizeof address);
	int n = snprintf(text, sizeof text,
	                 "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=%s\">"
	                 "<title>Winnow</title>\n",
	                 address);
	unlink(listener->note); /* left by a dead process with this number */
	int fd = open(listener->note, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool is_written = fd >= 0 && write(fd, text, length(n)) == (ssize_t)length(n);
	if (!is_written)
		st = fail_errno(err, listener->note);
	if (fd >= 0)
		close(fd);
	else
		*listener->note = '\0';
	return st;
}

/* Runs in the grandchild, which init adopts: the browser outlives winnow. */
static void
become_browser(const char *path)
{
	union {
		const char *given[3];
		char *taken[3];
	} command = {{"xdg-open", path, NULL}};
	sigset_t none;
	int null = open("/dev/null", O_RDWR);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	execvp("xdg-open", command.taken);
	_exit(1);
}

wn_status
wn_listen_open_browser(struct wn_listener *listener, wn_err *err)
{
	if (listener->port == 0)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "no browser opens a UNIX socket");
	wn_status st = write_note(listener, err);
	return st == WN_OK ? wn_listen_open_file(listener->note, err) : st;
}

wn_status
wn_listen_open_file(const char *path, wn_err *err)
{
	pid_t child = fork();
	if (child < 0)
		return fail_errno(err, "no process for a browser");
	if (child == 0) {
		if (fork() == 0)
			become_browser(path);
		_exit(0);
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return WN_OK;
}
