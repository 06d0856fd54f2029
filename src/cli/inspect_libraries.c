/* SPDX-License-Identifier: MIT */
#include "cli/inspect_libraries.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIST_BYTES_MAX (4u << 20)
#define WAIT_MS        5000

/* Only known names of the C library's loader: another one might ignore the listing mode and run the
 * program. */
static bool
is_trusted_loader(const char *loader)
{
	struct stat info;
	const char *slash = strrchr(loader, '/');
	return slash && strncmp(slash + 1, "ld-linux", 8) == 0 && stat(loader, &info) == 0 &&
	       S_ISREG(info.st_mode) && info.st_uid == 0 && (info.st_mode & 022) == 0;
}

/* The loader in listing mode maps the libraries and runs none of their code. */
static void
become_loader(const char *loader, const char *program, int out_fd)
{
	int null_fd = open("/dev/null", O_RDWR);
	dup2(null_fd, STDIN_FILENO);
	dup2(null_fd, STDERR_FILENO);
	dup2(out_fd, STDOUT_FILENO);
	unsetenv("LD_AUDIT");
	unsetenv("LD_DEBUG");
	unsetenv("LD_VERBOSE");
	setenv("LD_TRACE_LOADED_OBJECTS", "1",
	       1); /* unlike --list, continues after a missing one */
	/* by its real path, as the kernel starts it: $ORIGIN is the folder of the file, not of a
	 * link */
	char *real = realpath(program, NULL);
	execl(loader, loader, real ? real : program, (char *)NULL);
	_exit(127);
}

/* Returns the loader's output, NUL-terminated; NULL if it is too long or takes too long. */
static char *
read_all(int fd)
{
	size_t used = 0;
	size_t capacity = 1u << 16;
	char *text = malloc(capacity + 1);
	while (text) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		int n_ready = poll(&wait, 1, WAIT_MS);
		if (n_ready < 0 && errno == EINTR)
			continue;
		ssize_t got = n_ready > 0 ? read(fd, text + used, capacity - used) : -1;
		if (got == 0) {
			text[used] = '\0';
			return text;
		}
		if (got < 0 || (used += (size_t)got) >= LIST_BYTES_MAX)
			break;
		if (used < capacity)
			continue;
		capacity *= 2;
		char *grown = realloc(text, capacity + 1);
		if (!grown)
			break;
		text = grown;
	}
	free(text);
	return NULL;
}

/* "libm.so.6 => /lib/libm.so.6 (0x...)", "libx.so => not found", "/lib64/ld.so (0x...)" */
static void
take_line(char *line, void (*each)(const char *, const char *, void *), void *user)
{
	line += strspn(line, " \t");
	char *address = strstr(line, " (0x");
	if (address)
		*address = '\0';
	char *arrow = strstr(line, " => ");
	if (arrow) {
		*arrow = '\0';
		char *path = arrow + strlen(" => ");
		each(line, *path == '/' ? path : NULL, user);
	} else if (strchr(line, '/')) { /* needed by a path, which may be relative */
		each(line, line, user);
	}
}

bool
inspect_libraries(const char *loader, const char *program,
                  void (*each)(const char *name, const char *path, void *user), void *user)
{
	int out_pipe[2];
	if (!is_trusted_loader(loader) || pipe2(out_pipe, O_CLOEXEC) != 0)
		return false;
	pid_t pid = fork();
	if (pid == 0)
		become_loader(loader, program, out_pipe[1]);
	close(out_pipe[1]);
	char *text = pid > 0 ? read_all(out_pipe[0]) : NULL;
	close(out_pipe[0]);
	if (pid > 0) {
		if (!text)
			kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	bool is_listed = text && *text;
	char *save = NULL;
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		take_line(line, each, user);
	free(text);
	return is_listed;
}
