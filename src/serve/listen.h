/* SPDX-License-Identifier: MIT */
/*
 * listen.h - where a server listens, and how browsers connect to it.
 *
 * On a shared machine a port of the loopback interface is open to all users. So there are two ways:
 * a UNIX socket of mode 0600, which the file system protects, and a port of 127.0.0.1 with a random
 * token in its addresses. There is no other way to listen.
 */
#pragma once

#include "winnow/base.h"

#define WN_LISTEN_PATH_MAX 108  /* of sockaddr_un, with the final zero */
#define WN_LISTEN_TOKEN    32   /* hexadecimal digits: 128 bits */
#define WN_LISTEN_PORT     8098 /* local port of the ssh line; arbitrary */

struct wn_listener {
	int listen_fd;
	uint16_t port;                   /* 0: a UNIX socket */
	char token[WN_LISTEN_TOKEN + 1]; /* empty for a UNIX socket */
	char path[WN_LISTEN_PATH_MAX];   /* path of the socket, else empty */
	char folder[WN_LISTEN_PATH_MAX]; /* created for the listener and removed with it, else empty
	                                  */
	char note[WN_LISTEN_PATH_MAX + 16]; /* a file that redirects a browser, else empty */
};

/**
 * Listens on a UNIX socket that only this user can connect to.
 *
 * @param path  where; NULL: winnow-PID.sock in $XDG_RUNTIME_DIR if that is a folder of this user's
 *              alone, else in a new folder of mode 0700 in $TMPDIR or /tmp. A socket that is left
 *              from a server that has died is replaced; anything else that is there stays.
 * @param out   written only on success; end with wn_listen_close().
 * @return WN_OK · WN_E_ARG (the path is too long for a socket) · WN_E_IO.
 */
wn_status wn_listen_socket(const char *path, struct wn_listener *out, wn_err *err);

/**
 * Listens on a port of 127.0.0.1; 0: any that is free. Addresses hold a new token.
 *
 * @return WN_OK · WN_E_IO (the port is taken, no random numbers).
 */
wn_status wn_listen_port(uint16_t port, struct wn_listener *out, wn_err *err);

/* Stops listening and removes what the listener created: socket, folder, note. */
void wn_listen_close(struct wn_listener *listener);

/* Tests for an ssh session, in which a browser would run on the wrong machine. */
bool wn_listen_is_remote(void);

/* Tests for a local display, so that a browser can be opened. */
bool wn_listen_has_screen(void);

/* Writes the address for this machine's browsers, "http://127.0.0.1:PORT/TOKEN/"; "" for a socket,
 * which browsers do not open. As snprintf. */
size_t wn_listen_address(const struct wn_listener *listener, char *text, size_t size);

/* Writes the command for the user's own machine, and the address there: "ssh -L
 * 8098:/run/user/1000/winnow-4711.sock HOST    # then http://localhost:8098/". As snprintf. */
size_t wn_listen_ssh_line(const struct wn_listener *listener, const char *host, char *text,
                          size_t size);

/**
 * Opens the address of a port in the user's browser, without waiting: xdg-open of a file that only
 * this user can read and that redirects. The address with its token never appears in a command
 * line, which all users of the machine could read.
 *
 * @return WN_OK, also if xdg-open finds no browser · WN_E_IO (no file, no process, a socket).
 */
wn_status wn_listen_open_browser(struct wn_listener *listener, wn_err *err);

/**
 * Opens a file in the user's browser, without waiting: xdg-open.
 *
 * @param path  absolute.
 * @return WN_OK, also if xdg-open finds no browser · WN_E_IO (no process).
 */
wn_status wn_listen_open_file(const char *path, wn_err *err);
