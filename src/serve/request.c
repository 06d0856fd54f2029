/* SPDX-License-Identifier: MIT */
#include "serve/request.h"

#include <string.h>

struct span {
	const char *at;
	size_t n;
};

/* Header values that are combined after all are read. */
struct head {
	struct wn_request *request;
	unsigned n_hosts, n_ranges;
	bool has_body, has_validator, closes;
};

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_word(struct span text, const char *word)
{
	size_t n = strlen(word);
	if (text.n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (lower(text.at[i]) != word[i])
			return false;
	return true;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* RFC 9110, section 5.6.2: characters of methods and header names. */
static bool
is_token(struct span text)
{
	for (size_t i = 0; i < text.n; i++) {
		char c = lower(text.at[i]);
		if (!(c >= 'a' && c <= 'z') && !is_digit(c) &&
		    (!c || !strchr("!#$%&'*+-.^_`|~", c)))
			return false;
	}
	return text.n > 0;
}

static bool
is_visible(struct span text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.at[i] <= ' ' || text.at[i] == 0x7f)
			return false;
	return text.n > 0;
}

/* Header values: no control characters except tabs. */
static bool
is_value(struct span text)
{
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.at[i];
		if ((c < ' ' && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

static struct span
trim(struct span text)
{
	while (text.n && (*text.at == ' ' || *text.at == '\t')) {
		text.at++;
		text.n--;
	}
	while (text.n && (text.at[text.n - 1] == ' ' || text.at[text.n - 1] == '\t'))
		text.n--;
	return text;
}

/* Removes the text before `separator` from the front; false if there is none. */
static bool
take(struct span *text, char separator, struct span *out)
{
	const char *end = text->n ? memchr(text->at, separator, text->n) : NULL;
	if (!end)
		return false;
	*out = (struct span){text->at, (size_t)(end - text->at)};
	text->at = end + 1;
	text->n -= out->n + 1;
	return true;
}

/* Digits only, at most UINT64_MAX - 1, so that the length of a range never overflows. */
static bool
number(struct span text, uint64_t *out)
{
	uint64_t value = 0;
	for (size_t i = 0; i < text.n; i++) {
		if (!is_digit(text.at[i]))
			return false;
		unsigned digit = (unsigned)(text.at[i] - '0');
		if (value > (UINT64_MAX - 1 - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*out = value;
	return text.n > 0;
}

/* "bytes=0-99", "bytes=100-", "bytes=-5"; others are ignored. */
static struct wn_range
read_range(struct span value)
{
	struct wn_range range = {WN_RANGE_NONE, 0, UINT64_MAX};
	struct span unit, first;
	if (!take(&value, '=', &unit) || !is_word(unit, "bytes"))
		return range;
	value = trim(value);
	if (!take(&value, '-', &first))
		return range;
	if (first.n == 0) {
		if (number(value, &range.last))
			range.kind = WN_RANGE_LAST;
	} else if (number(first, &range.first) &&
	           (value.n == 0 || (number(value, &range.last) && range.last >= range.first))) {
		range.kind = WN_RANGE_FROM;
	}
	return range;
}

static void
read_connection(struct head *head, struct span value)
{
	struct span word;
	for (bool is_last = false; !is_last;) {
		if (!take(&value, ',', &word)) {
			word = value;
			is_last = true;
		}
		word = trim(word);
		head->closes |= is_word(word, "close");
	}
}

static void
read_field(struct head *head, struct span name, struct span value)
{
	uint64_t length;
	if (is_word(name, "host")) {
		head->request->host = value.at;
		head->request->host_bytes = value.n;
		head->n_hosts++;
	} else if (is_word(name, "range")) {
		head->request->range = read_range(value);
		head->n_ranges++;
	} else if (is_word(name, "if-range")) {
		head->has_validator = true;
	} else if (is_word(name, "connection")) {
		read_connection(head, value);
	} else if (is_word(name, "transfer-encoding")) {
		head->has_body = true;
	} else if (is_word(name, "content-length")) {
		head->has_body |= !number(value, &length) || length > 0;
	}
}

static enum wn_request_state
read_first_line(struct span line, struct wn_request *out, bool *is_old)
{
	struct span method, target, path;
	if (!take(&line, ' ', &method) || !take(&line, ' ', &target) || !is_token(method) ||
	    !is_visible(target))
		return WN_REQUEST_BAD;
	if (line.n != 8 || memcmp(line.at, "HTTP/", 5) != 0 || !is_digit(line.at[5]) ||
	    line.at[6] != '.' || !is_digit(line.at[7]))
		return WN_REQUEST_BAD;
	if (line.at[5] != '1')
		return WN_REQUEST_VERSION;
	*is_old = line.at[7] == '0';
	/* methods are case-sensitive */
	out->method = WN_METHOD_OTHER;
	if (method.n == 3 && memcmp(method.at, "GET", 3) == 0)
		out->method = WN_METHOD_GET;
	if (method.n == 4 && memcmp(method.at, "HEAD", 4) == 0)
		out->method = WN_METHOD_HEAD;
	if (out->method != WN_METHOD_OTHER && *target.at != '/')
		return WN_REQUEST_BAD;
	path = target;
	struct span rest = target;
	take(&rest, '?', &path);
	out->path = path.at;
	out->path_bytes = path.n;
	return WN_REQUEST_OK;
}

static bool
read_fields(struct head *head, struct span text)
{
	struct span line, name;
	while (text.n) {
		if (!take(&text, '\n', &line) || line.n == 0 || line.at[line.n - 1] != '\r')
			return false;
		line.n--;
		/* a blank before the colon, or a continued line, is an invalid name */
		if (!take(&line, ':', &name) || !is_token(name) || !is_value(line))
			return false;
		read_field(head, name, trim(line));
	}
	return true;
}

enum wn_request_state
wn_request_parse(const char *bytes, size_t n, struct wn_request *out)
{
	struct wn_request request = {0};
	struct head head = {.request = &request};
	bool is_old = false;
	const char *end = memmem(bytes, n < WN_REQUEST_MAX ? n : WN_REQUEST_MAX, "\r\n\r\n", 4);
	if (!end)
		return n < WN_REQUEST_MAX ? WN_REQUEST_MORE : WN_REQUEST_LONG;
	request.head_bytes = (size_t)(end - bytes) + 4;
	/* without the empty line: every line has its own end */
	struct span text = {bytes, request.head_bytes - 2}, line;
	if (!take(&text, '\n', &line) || line.n == 0 || line.at[line.n - 1] != '\r')
		return WN_REQUEST_BAD;
	line.n--;
	enum wn_request_state state = read_first_line(line, &request, &is_old);
	if (state != WN_REQUEST_OK)
		return state;
	if (!read_fields(&head, text) || head.n_hosts > 1)
		return WN_REQUEST_BAD;
	/* there are no validators here, so If-Range never matches */
	if (head.n_ranges > 1 || head.has_validator)
		request.range.kind = WN_RANGE_NONE;
	/* bodies are not read, so the connection closes */
	request.may_keep = !head.has_body && !head.closes && !is_old;
	*out = request;
	return WN_REQUEST_OK;
}

bool
wn_request_host_is_ours(const char *host, size_t n)
{
	static const char *const ours[] = {"localhost", "127.0.0.1", "[::1]"};
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
		size_t name_bytes = strlen(ours[i]);
		struct span port = {host + name_bytes, n - name_bytes};
		uint64_t value;
		if (n < name_bytes || !is_word((struct span){host, name_bytes}, ours[i]))
			continue;
		if (port.n == 0)
			return true;
		if (*port.at != ':')
			continue;
		port.at++;
		port.n--;
		return port.n <= 5 && number(port, &value) && value <= 65535;
	}
	return false;
}
