/* SPDX-License-Identifier: MIT */
/* progress.c - a thread prints the line, so that steps of any length show that they go on. It
 * neither allocates nor takes signals. */
#include "cli/progress.h"

#include "base/printable.h"
#include "cli/message.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define STEP_BYTES  96
#define NAME_BYTES  200
#define DELAY_MS    1000
#define INTERVAL_MS 250

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool is_on, is_over, is_shown;
	int fd; /* of the terminal: standard error may be redirected meanwhile */
	unsigned delay_ms;
	struct timespec begin;
	char name[NAME_BYTES], step[STEP_BYTES];
} p = {.lock = PTHREAD_MUTEX_INITIALIZER};

static unsigned
elapsed_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned)((now.tv_sec - p.begin.tv_sec) * 1000 +
	                  (now.tv_nsec - p.begin.tv_nsec) / 1000000);
}

static void
put(const char *text, size_t n)
{
	while (n > 0) {
		ssize_t written = write(p.fd, text, n);
		if (written <= 0 && errno != EINTR)
			return;
		text += written > 0 ? written : 0;
		n -= written > 0 ? (size_t)written : 0;
	}
}

static void
erase(void)
{
	if (p.is_shown)
		put("\r\x1b[K", 4);
	p.is_shown = false;
}

/* One column stays free, so that the terminal does not begin another line. */
static void
show(void)
{
	char line[NAME_BYTES + STEP_BYTES + 32];
	struct winsize size;
	size_t columns = ioctl(p.fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 8 ? size.ws_col : 80;
	int n = snprintf(line, sizeof line, "\r%s: %s, %u s", p.name, p.step, elapsed_ms() / 1000);
	size_t used = (size_t)n < columns ? (size_t)n : columns;
	put(line, used);
	put("\x1b[K", 3);
	p.is_shown = true;
}

static void *
run(void *unused)
{
	struct timespec next = p.begin;
	(void)unused;
	next.tv_sec += p.delay_ms / 1000;
	next.tv_nsec += p.delay_ms % 1000 * 1000000L;
	pthread_mutex_lock(&p.lock);
	while (!p.is_over) {
		next.tv_sec += next.tv_nsec / 1000000000L;
		next.tv_nsec %= 1000000000L;
		if (pthread_cond_timedwait(&p.changed, &p.lock, &next) != ETIMEDOUT)
			continue;
		show();
		next.tv_nsec += INTERVAL_MS * 1000000L;
	}
	pthread_mutex_unlock(&p.lock);
	return NULL;
}

/* Reads WINNOW_PROGRESS: seconds until the line is shown, or never. */
static bool
is_wanted(unsigned *delay_ms)
{
	const char *given = getenv("WINNOW_PROGRESS"), *term = getenv("TERM");
	*delay_ms = DELAY_MS;
	if (given && *given >= '0' && *given <= '9')
		*delay_ms = (unsigned)(strtod(given, NULL) * 1000);
	return isatty(STDERR_FILENO) && !(given && strcmp(given, "never") == 0) && term &&
	       strcmp(term, "dumb") != 0;
}

static void
set_step(const char *step)
{
	pthread_mutex_lock(&p.lock);
	snprintf(p.step, sizeof p.step, "%s", step);
	if (p.delay_ms == 0)
		show();
	pthread_mutex_unlock(&p.lock);
}

void
progress_begin(const char *file, const char *step)
{
	pthread_condattr_t attributes;
	sigset_t all, old;
	char name[NAME_BYTES];
	if (p.is_on || !is_wanted(&p.delay_ms) ||
	    (p.fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) < 0)
		return;
	snprintf(name, sizeof name, "winnow %s%s%.100s", message_verb, *file ? ": " : "", file);
	p.name[wn_printable(name, strlen(name), p.name, sizeof p.name - 1)] = '\0';
	p.is_over = p.is_shown = false;
	clock_gettime(CLOCK_MONOTONIC, &p.begin);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&p.changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (isatty(STDOUT_FILENO))
		setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	set_step(step);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	p.is_on = pthread_create(&p.thread, NULL, run, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!p.is_on)
		close(p.fd);
}

void
progress_step(const char *step)
{
	if (p.is_on)
		set_step(step);
}

void
progress_count(const char *step, size_t i, size_t n)
{
	char text[STEP_BYTES];
	snprintf(text, sizeof text, "%.60s, %zu of %zu", step, i, n);
	progress_step(text);
}

void
progress_clear(void)
{
	if (!p.is_on)
		return;
	pthread_mutex_lock(&p.lock);
	erase();
	pthread_mutex_unlock(&p.lock);
}

void
progress_end(void)
{
	if (!p.is_on)
		return;
	pthread_mutex_lock(&p.lock);
	p.is_over = true;
	erase();
	pthread_cond_signal(&p.changed);
	pthread_mutex_unlock(&p.lock);
	pthread_join(p.thread, NULL);
	pthread_cond_destroy(&p.changed);
	close(p.fd);
	p.is_on = false;
	fflush(stdout);
}
