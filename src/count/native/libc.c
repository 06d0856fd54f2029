/* SPDX-License-Identifier: MIT */
/* libc.c - the engine's own copies of the few C library functions that it uses. The program's C
 * library cannot be used: it changes errno and vector registers, and its code is followed. */
#include "count/native/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

long
wn_native_call(long number, ...)
{
	va_list list;
	va_start(list, number);
	long a1 = va_arg(list, long), a2 = va_arg(list, long), a3 = va_arg(list, long);
	register long a4 __asm__("r10") = va_arg(list, long);
	register long a5 __asm__("r8") = va_arg(list, long);
	register long a6 __asm__("r9") = va_arg(list, long);
	va_end(list);
	long result;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a1), "S"(a2), "d"(a3), "r"(a4), "r"(a5), "r"(a6)
	                 : "rcx", "r11", "memory");
	return result;
}

static int last_error;

int *
__errno_location(void)
{
	return &last_error;
}

static long
checked(long result)
{
	if (result >= 0 || result < -4095)
		return result;
	last_error = (int)-result;
	return -1;
}

void *
mmap(void *at, size_t bytes, int rights, int flags, int fd, off_t offset)
{
	return (void *)checked(
	    wn_native_call(SYS_mmap, at, bytes, (long)rights, (long)flags, (long)fd, offset));
}

int
munmap(void *at, size_t bytes)
{
	return (int)checked(wn_native_call(SYS_munmap, at, bytes, 0L, 0L, 0L, 0L));
}

int
open(const char *path, int flags, ...)
{
	return (int)checked(wn_native_call(SYS_open, path, (long)flags, 0666L, 0L, 0L, 0L));
}

int
close(int fd)
{
	return (int)checked(wn_native_call(SYS_close, (long)fd, 0L, 0L, 0L, 0L, 0L));
}

int
fstat(int fd, struct stat *out)
{
	return (int)checked(wn_native_call(SYS_fstat, (long)fd, out, 0L, 0L, 0L, 0L));
}

ssize_t
read(int fd, void *to, size_t n)
{
	return checked(wn_native_call(SYS_read, (long)fd, to, n, 0L, 0L, 0L));
}

ssize_t
write(int fd, const void *from, size_t n)
{
	return checked(wn_native_call(SYS_write, (long)fd, from, n, 0L, 0L, 0L));
}

pid_t
getpid(void)
{
	return (pid_t)wn_native_call(SYS_getpid, 0L, 0L, 0L, 0L, 0L, 0L);
}

pid_t
gettid(void)
{
	return (pid_t)wn_native_call(SYS_gettid, 0L, 0L, 0L, 0L, 0L, 0L);
}

int
sched_yield(void)
{
	return (int)wn_native_call(SYS_sched_yield, 0L, 0L, 0L, 0L, 0L, 0L);
}

void *
memset(void *to, int value, size_t n)
{
	void *at = to;
	__asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(value) : "memory");
	return to;
}

void *
memcpy(void *restrict to, const void *restrict from, size_t n)
{
	void *at = to;
	__asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(n) : : "memory");
	return to;
}

size_t
strlen(const char *text)
{
	size_t n = 0;
	while (text[n])
		n++;
	return n;
}

int
strncmp(const char *a, const char *b, size_t n)
{
	for (; n > 0; a++, b++, n--)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

char *
strerror(int number)
{
	static char text[] = "cannot be mapped";
	(void)number;
	return text;
}
