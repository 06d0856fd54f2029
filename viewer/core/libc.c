/* SPDX-License-Identifier: MIT */
/* libc.c - the few functions of a C library that the core calls. Compiled with -mbulk-memory, the
 * built-ins of memcpy, memmove and memset are instructions. */
#include <stddef.h>
#include <stdint.h>

void *
memcpy(void *restrict to, const void *restrict from, size_t n)
{
	__builtin_memcpy(to, from, n);
	return to;
}

void *
memmove(void *to, const void *from, size_t n)
{
	__builtin_memmove(to, from, n);
	return to;
}

void *
memset(void *to, int byte, size_t n)
{
	__builtin_memset(to, byte, n);
	return to;
}

int
memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;
	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

int
strncmp(const char *a, const char *b, size_t n)
{
	for (; n; a++, b++, n--)
		if (*a != *b || *a == '\0')
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
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
strcmp(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return (unsigned char)*a - (unsigned char)*b;
}

#include <stdarg.h>
#include <stdbool.h>

struct text {
	char *to;
	size_t size, n;
};

static void
put(struct text *t, char c)
{
	if (t->n + 1 < t->size)
		t->to[t->n] = c;
	t->n++;
}

static void
put_number(struct text *t, uint64_t value, unsigned base, bool is_negative, int width, char fill)
{
	char digits[24];
	int n = 0;
	do
		digits[n++] = "0123456789abcdef"[value % base];
	while ((value /= base) != 0);
	if (is_negative)
		digits[n++] = '-';
	for (; width > n; width--)
		put(t, fill);
	while (n > 0)
		put(t, digits[--n]);
}

static uint64_t
number_of(va_list *args, int n_long, bool is_signed, bool *is_negative)
{
	int64_t value = n_long > 1  ? va_arg(*args, long long)
	                : is_signed ? va_arg(*args, int)
	                            : (int64_t)va_arg(*args, unsigned);
	*is_negative = is_signed && value < 0;
	return *is_negative ? 0 - (uint64_t)value : (uint64_t)value;
}

/* %% %c %s %.*s %.Ns %d %i %u %x with widths, zeros, l, ll and z. No fractions: they are written by
 * code that both builds share. */
int
vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list given)
{
	struct text t = {to, size, 0};
	va_list args;
	va_copy(args, given);
	for (const char *f = format; *f; f++) {
		if (*f != '%') {
			put(&t, *f);
			continue;
		}
		char fill = ' ';
		int width = 0, most = -1, n_long = 0;
		bool is_negative;
		if (*++f == '0')
			fill = *f++;
		for (; *f >= '0' && *f <= '9'; f++)
			width = width * 10 + *f - '0';
		if (*f == '.' && f[1] == '*') {
			most = va_arg(args, int);
			f += 2;
		} else if (*f == '.') {
			for (most = 0, f++; *f >= '0' && *f <= '9'; f++)
				most = most * 10 + *f - '0';
		}
		for (; *f == 'l' || *f == 'z'; f++)
			n_long += *f == 'l';
		if (*f == 'c')
			put(&t, (char)va_arg(args, int));
		else if (*f == 's')
			for (const char *s = va_arg(args, const char *); most-- != 0 && *s; s++)
				put(&t, *s);
		else if (*f == 'd' || *f == 'i' || *f == 'u' || *f == 'x') {
			uint64_t value =
			    number_of(&args, n_long, *f == 'd' || *f == 'i', &is_negative);
			put_number(&t, value, *f == 'x' ? 16 : 10, is_negative, width, fill);
		} else
			put(&t, *f);
	}
	va_end(args);
	if (size)
		to[t.n < size ? t.n : size - 1] = '\0';
	return (int)t.n;
}

int
snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}
