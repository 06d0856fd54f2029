/* SPDX-License-Identifier: MIT */
/*
 * get.c - get SOCKET|PORT TARGET [FIELD]... - asks a server on a UNIX socket or on a port of
 * 127.0.0.1 once, with Host: localhost unless a FIELD is a Host, and prints the answer as it comes.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int
call(const char *where)
{
	struct sockaddr_un path = {.sun_family = AF_UNIX};
	struct sockaddr_in port = {.sin_family = AF_INET,
	                           .sin_port = htons((uint16_t)atoi(where)),
	                           .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int is_path = strchr(where, '/') != NULL;
	if (is_path && strlen(where) < sizeof path.sun_path)
		memcpy(path.sun_path, where, strlen(where) + 1);
	int fd = socket(is_path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const struct sockaddr *to = is_path ? (struct sockaddr *)&path : (struct sockaddr *)&port;
	if (fd < 0 || connect(fd, to, is_path ? sizeof path : sizeof port) != 0) {
		perror(where);
		exit(1);
	}
	return fd;
}

int
main(int argc, char **argv)
{
	char text[16384];
	const char *host = "Host: localhost\r\n";
	if (argc < 3)
		return 2;
	int fd = call(argv[1]);
	for (int i = 3; i < argc; i++)
		if (strncmp(argv[i], "Host:", 5) == 0)
			host = "";
	int n = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n%sConnection: close\r\n", argv[2],
	                 host);
	for (int i = 3; i < argc; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s\r\n", argv[i]);
	n += snprintf(text + n, sizeof text - (size_t)n, "\r\n");
	if (write(fd, text, (size_t)n) != n)
		return 1;
	ssize_t got;
	while ((got = read(fd, text, sizeof text)) > 0)
		fwrite(text, 1, (size_t)got, stdout);
	return got < 0;
}
