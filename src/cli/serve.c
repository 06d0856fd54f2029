/* SPDX-License-Identifier: MIT */
#include "cli/serve.h"

#include "base/mem.h"
#include "cli/exit.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "serve/listen.h"
#include "serve/server.h"
#include "view/served.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOST_BYTES 256
#define LINE_BYTES 1024

static bool
read_port(const char *text, uint16_t *out)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);
	*out = (uint16_t)n;
	return *text >= '0' && *text <= '9' && !*end && n <= UINT16_MAX;
}

bool
serve_check(const struct serve_options *given, const char *output)
{
	uint16_t port;
	const char *option = given->socket_path      ? "--socket"
	                     : given->port           ? "--port"
	                     : given->has_no_browser ? "--no-open"
	                                             : NULL;
	if (!given->is_asked && option) {
		message("%s is of --serve; see winnow help view", option);
		return false;
	}
	if (given->is_asked && output) {
		message("--serve writes no file; leave out -o, or --serve");
		return false;
	}
	if (given->socket_path && given->port) {
		message("--socket and --port: only one of them");
		return false;
	}
	if (given->port && !read_port(given->port, &port)) {
		message("--port '%s': not a number from 0 to %d", given->port, UINT16_MAX);
		return false;
	}
	return true;
}

/* Selects a socket if other users could connect to a port, or if no local browser could; else a
 * port. */
static wn_status
open_listener(const struct serve_options *given, struct wn_listener *listener, wn_err *err)
{
	uint16_t port = 0;
	if (given->socket_path || (!given->port && !wn_listen_has_screen()))
		return wn_listen_socket(given->socket_path, listener, err);
	if (given->port)
		read_port(given->port, &port);
	return wn_listen_port(port, listener, err);
}

/* Prints the address if there is a local browser, else the ssh command that forwards it. */
static void
print_ways(const struct wn_listener *listener)
{
	char line[LINE_BYTES], host[HOST_BYTES] = "HOST";
	gethostname(host, sizeof host - 1);
	if (wn_listen_address(listener, line, sizeof line))
		printf("%s\n", line);
	if (listener->port == 0 || wn_listen_is_remote()) {
		wn_listen_ssh_line(listener, host, line, sizeof line);
		printf("%s\n", line);
	}
	fflush(stdout);
}

static void
open_browser(const struct serve_options *given, struct wn_listener *listener)
{
	wn_err err = {.msg = ""};
	if (listener->port == 0 || given->has_no_browser || !wn_listen_has_screen())
		return;
	if (wn_listen_open_browser(listener, &err) != WN_OK)
		message("%s; open the address yourself", err.msg);
}

static int
serve(const struct serve_options *given, const char *name, struct wn_server *server)
{
	struct wn_listener listener;
	wn_err err = {.msg = ""};
	char size[16];
	wn_status st = open_listener(given, &listener, &err);
	if (st != WN_OK) {
		message("%s; nothing served", err.msg);
		return st == WN_E_ARG ? CLI_USAGE : CLI_FAILURE;
	}
	server->listen_fd = listener.listen_fd;
	server->offer.token = listener.port ? listener.token : NULL;
	print_ways(&listener);
	message("%s: %s, served to you alone until Ctrl-C", name,
	        message_bytes(server->offer.run_bytes > 0 ? server->offer.run_bytes
	                                                  : server->offer.page_bytes,
	                      size));
	open_browser(given, &listener);
	st = wn_serve(server, &err);
	wn_listen_close(&listener);
	if (st != WN_OK)
		message("%s", err.msg);
	return st == WN_OK ? CLI_OK : CLI_FAILURE;
}

/* Serves a page and the files that it requests. `own_page` NULL: the page of recordings. */
static int
serve_with(const struct serve_options *given, const char *name, int run_fd, const char *own_page,
           size_t own_bytes)
{
	progress_end();
	struct wn_server server = {.run_fd = run_fd};
	struct stat info;
	wn_err err = {.msg = ""};
	sigset_t ends, before;
	char *page = NULL;
	int code = CLI_FAILURE;
	/* before anything is created that signals must clean up */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, &before);
	server.stop_fd = signalfd(-1, &ends, SFD_CLOEXEC);
	if (server.stop_fd < 0 || fstat(run_fd, &info) != 0) {
		message("%s: %s; nothing served", name, strerror(errno));
	} else if (!own_page &&
	           wn_view_served_page(&page, &server.offer.page_bytes, &err) != WN_OK) {
		message("%s; nothing served", err.msg);
	} else {
		server.offer.page = own_page ? own_page : page;
		if (own_page)
			server.offer.page_bytes = own_bytes;
		server.offer.run_bytes = (uint64_t)info.st_size;
		code = serve(given, name, &server);
	}
	wn_free(page);
	if (server.stop_fd >= 0)
		close(server.stop_fd);
	return code;
}

int
serve_run(const struct serve_options *given, const char *name, int run_fd)
{
	return serve_with(given, name, run_fd, NULL, 0);
}

int
serve_page(const struct serve_options *given, const char *name, const char *page, size_t n_bytes)
{
	int run_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (run_fd < 0)
		return FAILURE("/dev/null: %s; nothing served", strerror(errno));
	int code = serve_with(given, name, run_fd, page, n_bytes);
	close(run_fd);
	return code;
}
