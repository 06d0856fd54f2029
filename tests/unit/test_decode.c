/* SPDX-License-Identifier: MIT */
/*
 * What the decoder of x86-64 instructions says: by hand, after Intel's manual; and for
 * every instruction of the C and mathematics libraries of this machine against what objdump reads
 * in it, which is another implementation.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "count/decode_x86_64.h"
#include "count/qemu/decode.h"
#include "tap.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = INSN_BYTES_MAX, AT = 0x1000 };

/* ---- by hand ---- */

static const char *const class_names[] = {"integer", "float", "vector", "move",
                                          "branch",  "call",  "atomic", "other"};

struct known {
	const char *text;
	uint8_t n, bytes[BYTES_MAX];
	enum insn_class class;
	const char *flags; /* c call, r return, l locked, s repeats, t may run twice, y 256 bits */
	unsigned wide_bytes; /* told in pieces */
	/* NULL: the operands are not known; else l loads, s stores */
	const char *access;
	unsigned access_bytes;
	int64_t displacement;
	uint32_t writes;
	int stack_pointer;
};

#define BIT(r) (1u << (r))

static const struct known by_hand[] = {
    {"nop", 1, {0x90}, INSN_OTHER, "", 0, "", 0, 0, 0, 0},
    {"endbr64", 4, {0xf3, 0x0f, 0x1e, 0xfa}, INSN_OTHER, "", 0, "", 0, 0, 0, 0},
    {"push r12", 2, {0x41, 0x54}, INSN_MOVE, "", 0, "s", 8, -8, 0, -8},
    {"pop r12", 2, {0x41, 0x5c}, INSN_MOVE, "", 0, "l", 8, 0, BIT(R12), 8},
    {"pop rsp", 1, {0x5c}, INSN_MOVE, "", 0, "l", 8, 0, BIT(RSP), 0},
    {"sub rsp, 0x18", 4, {0x48, 0x83, 0xec, 0x18}, INSN_INTEGER, "", 0, "", 0, 0, 0, -24},
    {"add rsp, 0x120", 7, {0x48, 0x81, 0xc4, 0x20, 1, 0, 0}, INSN_INTEGER, "", 0, "", 0, 0, 0, 288},
    {"and rsp, -16", 4, {0x48, 0x83, 0xe4, 0xf0}, INSN_INTEGER, "", 0, "", 0, 0, 1u << 4, 0},
    {"mov rax, [rdi+8]", 4, {0x48, 0x8b, 0x47, 0x08}, INSN_MOVE, "", 0, "l", 8, 8, BIT(RAX), 0},
    {"mov [rsp-4], ecx", 4, {0x89, 0x4c, 0x24, 0xfc}, INSN_MOVE, "", 0, "s", 4, -4, 0, 0},
    {"mov al, ch", 2, {0x88, 0xe8}, INSN_MOVE, "", 0, "", 0, 0, BIT(RAX), 0},
    {"mov ch, al", 2, {0x88, 0xc5}, INSN_MOVE, "", 0, "", 0, 0, BIT(RCX), 0},
    {"mov word [rax], 1", 5, {0x66, 0xc7, 0x00, 1, 0}, INSN_MOVE, "", 0, "s", 2, 0, 0, 0},
    {"mov edx, [rip+16]",
     6,
     {0x8b, 0x15, 16, 0, 0, 0},
     INSN_MOVE,
     "",
     0,
     "l",
     4,
     AT + 22,
     BIT(RDX),
     0},
    {"lea rax, [rax+rax*4]",
     4,
     {0x48, 0x8d, 0x04, 0x80},
     INSN_INTEGER,
     "",
     0,
     "",
     0,
     0,
     BIT(RAX),
     0},
    {"add [rdx], rax", 3, {0x48, 0x01, 0x02}, INSN_INTEGER, "", 0, "ls", 8, 0, 0, 0},
    {"cmp byte [rdx], 3", 3, {0x80, 0x3a, 3}, INSN_INTEGER, "", 0, "l", 1, 0, 0, 0},
    {"inc dword [rcx]", 2, {0xff, 0x01}, INSN_INTEGER, "", 0, "ls", 4, 0, 0, 0},
    {"mul rcx", 3, {0x48, 0xf7, 0xe1}, INSN_INTEGER, "", 0, "", 0, 0, BIT(RAX) | BIT(RDX), 0},
    {"imul eax, [rcx], 10", 3, {0x6b, 0x01, 10}, INSN_INTEGER, "", 0, "l", 4, 0, BIT(RAX), 0},
    {"cmovle rax, rdx", 4, {0x48, 0x0f, 0x4e, 0xc2}, INSN_MOVE, "", 0, "", 0, 0, BIT(RAX), 0},
    {"movzx eax, byte [rcx]", 3, {0x0f, 0xb6, 0x01}, INSN_MOVE, "", 0, "l", 1, 0, BIT(RAX), 0},
    {"sete cl", 3, {0x0f, 0x94, 0xc1}, INSN_INTEGER, "", 0, "", 0, 0, BIT(RCX), 0},
    {"jne", 2, {0x75, 0x10}, INSN_BRANCH, "", 0, "", 0, 0, 0, 0},
    {"jmp rax", 2, {0xff, 0xe0}, INSN_BRANCH, "", 0, NULL, 0, 0, 0, 0},
    {"call", 5, {0xe8, 0, 0, 0, 0}, INSN_CALL, "c", 0, NULL, 0, 0, 0, 0},
    {"call [rax]", 2, {0xff, 0x10}, INSN_CALL, "c", 0, NULL, 0, 0, 0, 0},
    {"ret", 1, {0xc3}, INSN_CALL, "r", 0, NULL, 0, 0, 0, 0},
    {"lock add dword [rdi], 1", 4, {0xf0, 0x83, 0x07, 1}, INSN_ATOMIC, "l", 0, NULL, 0, 0, 0, 0},
    {"xchg [rdi], eax", 2, {0x87, 0x07}, INSN_ATOMIC, "l", 0, NULL, 0, 0, 0, 0},
    {"xchg ecx, eax", 2, {0x87, 0xc1}, INSN_MOVE, "", 0, "", 0, 0, BIT(RAX) | BIT(RCX), 0},
    {"lock cmpxchg16b [rdi]",
     5,
     {0xf0, 0x48, 0x0f, 0xc7, 0x0f},
     INSN_ATOMIC,
     "t",
     0,
     NULL,
     0,
     0,
     0,
     0},
    {"mfence", 3, {0x0f, 0xae, 0xf0}, INSN_ATOMIC, "", 0, "", 0, 0, 0, 0},
    {"rep movsq", 3, {0xf3, 0x48, 0xa5}, INSN_MOVE, "s", 0, NULL, 0, 0, 0, 0},
    {"movsd xmm0, [rax+rcx*8]",
     5,
     {0xf2, 0x0f, 0x10, 0x04, 0xc8},
     INSN_MOVE,
     "",
     0,
     "l",
     8,
     0,
     0,
     0},
    {"movss [rax], xmm0", 4, {0xf3, 0x0f, 0x11, 0x00}, INSN_MOVE, "", 0, "s", 4, 0, 0, 0},
    {"mulsd xmm0, [rax]", 4, {0xf2, 0x0f, 0x59, 0x00}, INSN_FLOAT, "", 0, "l", 8, 0, 0, 0},
    {"cvtsi2sd xmm0, [rax]", 4, {0xf2, 0x0f, 0x2a, 0x00}, INSN_FLOAT, "", 0, "l", 4, 0, 0, 0},
    {"cvttsd2si rax, xmm0",
     5,
     {0xf2, 0x48, 0x0f, 0x2c, 0xc0},
     INSN_FLOAT,
     "",
     0,
     "",
     0,
     0,
     BIT(RAX),
     0},
    {"movq rax, xmm0", 5, {0x66, 0x48, 0x0f, 0x7e, 0xc0}, INSN_MOVE, "", 0, "", 0, 0, BIT(RAX), 0},
    {"mulpd xmm0, [rax]", 4, {0x66, 0x0f, 0x59, 0x00}, INSN_VECTOR, "", 16, "l", 16, 0, 0, 0},
    {"movups [rax], xmm0", 3, {0x0f, 0x11, 0x00}, INSN_MOVE, "", 16, "s", 16, 0, 0, 0},
    {"movdqu xmm0, [rsi]", 4, {0xf3, 0x0f, 0x6f, 0x06}, INSN_MOVE, "", 16, "l", 16, 0, 0, 0},
    {"movaps [rsp+16], xmm1",
     5,
     {0x0f, 0x29, 0x4c, 0x24, 0x10},
     INSN_MOVE,
     "",
     16,
     "s",
     16,
     16,
     0,
     0},
    {"movq mm0, [rax]", 3, {0x0f, 0x6f, 0x00}, INSN_MOVE, "", 0, NULL, 0, 0, 0, 0},
    {"pxor xmm0, xmm0", 4, {0x66, 0x0f, 0xef, 0xc0}, INSN_VECTOR, "", 0, "", 0, 0, 0, 0},
    {"vmovdqu ymm0, [rsi]", 4, {0xc5, 0xfe, 0x6f, 0x06}, INSN_MOVE, "y", 32, "l", 32, 0, 0, 0},
    {"vmovups [r8], ymm9", 5, {0xc4, 0x41, 0x7c, 0x11, 0x08}, INSN_MOVE, "y", 32, "s", 32, 0, 0, 0},
    {"vzeroupper", 3, {0xc5, 0xf8, 0x77}, INSN_OTHER, "", 0, "", 0, 0, 0, 0},
    {"mov rax, fs:[0x28]",
     9,
     {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0},
     INSN_MOVE,
     "",
     0,
     "l",
     8,
     0x28,
     BIT(RAX),
     0},
    {"vstmxcsr [rsp+24]",
     6,
     {0xc5, 0xf8, 0xae, 0x5c, 0x24, 0x18},
     INSN_OTHER,
     "",
     0,
     "s",
     4,
     24,
     0,
     0},
    {"ldmxcsr [rsp]", 4, {0x0f, 0xae, 0x14, 0x24}, INSN_OTHER, "", 0, "l", 4, 0, 0, 0},
    {"fxsave [rsp]", 4, {0x0f, 0xae, 0x04, 0x24}, INSN_OTHER, "", 0, NULL, 0, 0, 0, 0},
    {"vmovq xmm9, [rip]",
     8,
     {0xc5, 0x7a, 0x7e, 0x0d, 0, 0, 0, 0},
     INSN_MOVE,
     "",
     0,
     "l",
     8,
     AT + 8,
     0,
     0},
    {"vmovq rax, xmm0", 5, {0xc4, 0xe1, 0xf9, 0x7e, 0xc0}, INSN_MOVE, "", 0, "", 0, 0, BIT(RAX), 0},
    {"shlx rax, [rcx], rdx",
     5,
     {0xc4, 0xe2, 0xe9, 0xf7, 0x01},
     INSN_INTEGER,
     "",
     0,
     NULL,
     0,
     0,
     0,
     0},
    {"vfmadd231sd xmm0, xmm1, [rax]",
     5,
     {0xc4, 0xe2, 0xf1, 0xb9, 0x00},
     INSN_FLOAT,
     "",
     8,
     "l",
     8,
     0,
     0,
     0},
    {"fld qword [rax]", 2, {0xdd, 0x00}, INSN_MOVE, "", 0, NULL, 0, 0, 0, 0},
    {"fadd qword [rax]", 2, {0xdc, 0x00}, INSN_FLOAT, "", 0, NULL, 0, 0, 0, 0},
    {"vbroadcasti128 ymm0, [rax]",
     5,
     {0xc4, 0xe2, 0x7d, 0x5a, 0x00},
     INSN_MOVE,
     "y",
     16,
     NULL,
     0,
     0,
     0,
     0},
    {"vpsllq ymm1, ymm0, [rax]",
     4,
     {0xc5, 0xfd, 0xf3, 0x08},
     INSN_VECTOR,
     "y",
     16,
     "l",
     16,
     0,
     0,
     0},
    {"cvtdq2pd xmm0, [rax]", 4, {0xf3, 0x0f, 0xe6, 0x00}, INSN_VECTOR, "", 8, NULL, 0, 0, 0, 0},
    {"vpmaskmovd ymm1, ymm0, [rax]",
     5,
     {0xc4, 0xe2, 0x7d, 0x8c, 0x08},
     INSN_MOVE,
     "y",
     0,
     NULL,
     0,
     0,
     0,
     0},
    {"cut off", 2, {0x48, 0x8b}, INSN_OTHER, "", 0, NULL, 0, 0, 0, 0},
    {"syscall", 2, {0x0f, 0x05}, INSN_OTHER, "", 0, NULL, 0, 0, 0, 0},
};

static bool
flag(const struct known *k, char c)
{
	return strchr(k->flags, c) != NULL;
}

/* Copied to the end of what is allocated, so that a sanitizer sees what reads beyond. */
static uint8_t *
copy_of(const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n);
	if (!copy)
		abort();
	memcpy(copy, bytes, n);
	return copy;
}

static void
test_known(const struct known *k)
{
	uint8_t *bytes = copy_of(k->bytes, k->n);
	struct emulated insn = qemu_decode_x86_64(bytes, k->n, AT);
	struct operands o = insn.operands;
	free(bytes);
	ok(insn.class == k->class && insn.wide_bytes == k->wide_bytes &&
	       insn.is_call == flag(k, 'c') && insn.is_return == flag(k, 'r') &&
	       insn.is_locked == flag(k, 'l') && insn.repeats == flag(k, 's') &&
	       insn.may_run_twice == flag(k, 't') && insn.is_256 == flag(k, 'y'),
	   "%s is of class %s", k->text, class_names[k->class]);
	if (!k->access)
		ok(!o.is_known, "%s: nothing is said of its operands", k->text);
	else
		ok(o.is_known && o.bytes == k->access_bytes &&
		       o.is_load == (strchr(k->access, 'l') != NULL) &&
		       o.is_store == (strchr(k->access, 's') != NULL) &&
		       o.displacement == k->displacement && o.writes == k->writes &&
		       o.stack_pointer == k->stack_pointer &&
		       (o.reported_bytes <= 8 ||
		        (o.bytes == insn.wide_bytes && o.reported_bytes == insn.reported_bytes)),
		   "%s has its operands", k->text);
}

/* Whatever is cut off or senseless is answered, and nothing beyond it is read. */
static void
test_senseless(void)
{
	uint64_t state = 1;
	unsigned n_known = 0;
	for (int i = 0; i < 300000; i++) {
		uint8_t bytes[BYTES_MAX];
		for (size_t k = 0; k < sizeof bytes; k++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			bytes[k] = (uint8_t)(state >> 56);
		}
		size_t n = 1 + (size_t)i % BYTES_MAX;
		uint8_t *copy = copy_of(bytes, n);
		struct emulated insn = qemu_decode_x86_64(copy, n, AT);
		n_known += insn.class < INSN_CLASS_N && insn.operands.is_known;
		free(copy);
	}
	ok(n_known > 0 && n_known < 300000,
	   "random bytes of any length are read within their bounds");
}

/* ---- against objdump ---- */

struct line {
	uint8_t bytes[BYTES_MAX + 1];
	size_t n;
	uint64_t at;
	char mnemonic[32];  /* behind prefixes */
	char operands[256]; /* as Intel writes them */
	bool has_lock, has_rep, has_other_prefix, has_fs;
};

struct found {
	uint64_t n, n_known, n_classes, n_bad;
};

static bool
is_one_of(const char *word, const char *list) /* words with a space behind each */
{
	size_t n = strlen(word);
	for (const char *at = list; (at = strstr(at, word)); at += n)
		if ((at == list || at[-1] == ' ') && at[n] == ' ')
			return true;
	return false;
}

static bool
parse_line(char *text, struct line *l)
{
	char *bytes = strchr(text, '\t'), *words = bytes ? strchr(bytes + 1, '\t') : NULL;
	*l = (struct line){.at = strtoull(text, NULL, 16)};
	if (!words)
		return false;
	*words++ = '\0';
	for (char *at = bytes + 1, *end; l->n < sizeof l->bytes; at = end) {
		unsigned long byte = strtoul(at, &end, 16);
		if (end == at)
			break;
		l->bytes[l->n++] = (uint8_t)byte;
	}
	words[strcspn(words, "#<\n")] = '\0';
	for (;;) {
		size_t n = strcspn(words, " ");
		if (n >= sizeof l->mnemonic)
			return false;
		memcpy(l->mnemonic, words, n);
		l->mnemonic[n] = '\0';
		words += n;
		words += strspn(words, " ");
		if (strcmp(l->mnemonic, "lock") == 0)
			l->has_lock = true;
		else if (is_one_of(l->mnemonic, "rep repz repnz "))
			l->has_rep = true;
		else if (is_one_of(l->mnemonic,
		                   "bnd notrack data16 cs ds es ss fs gs addr32 xacquire "
		                   "xrelease ") ||
		         strncmp(l->mnemonic, "rex", 3) == 0)
			l->has_other_prefix = true;
		else
			break;
	}
	char *absolute = strstr(words, "ds:0x");
	l->has_fs = strstr(words, "fs:") != NULL;
	if (!absolute)
		absolute = strstr(words, "fs:0x");
	if (absolute) /* an address without registers is written without brackets */
		snprintf(l->operands, sizeof l->operands, "%.*s[%.*s]%s", (int)(absolute - words),
		         words, (int)strcspn(absolute + 3, ", \n"), absolute + 3,
		         absolute + 3 + strcspn(absolute + 3, ", \n"));
	else
		snprintf(l->operands, sizeof l->operands, "%s", words);
	if (strcmp(l->mnemonic, "xchg") == 0 && strncmp(l->operands, "ax,ax", 5) == 0)
		snprintf(l->mnemonic, sizeof l->mnemonic, "nop"); /* of two bytes */
	return l->n >= 1 && l->n <= BYTES_MAX && strcmp(l->mnemonic, "(bad)") != 0;
}

/* Number of a general register of any width, -1 if it is none. */
static int
general_register(const char *name, size_t n)
{
	static const char *const names[16] = {
	    "rax eax ax al ah ",   "rcx ecx cx cl ch ",   "rdx edx dx dl dh ",
	    "rbx ebx bx bl bh ",   "rsp esp sp spl ",     "rbp ebp bp bpl ",
	    "rsi esi si sil ",     "rdi edi di dil ",     "r8 r8d r8w r8b ",
	    "r9 r9d r9w r9b ",     "r10 r10d r10w r10b ", "r11 r11d r11w r11b ",
	    "r12 r12d r12w r12b ", "r13 r13d r13w r13b ", "r14 r14d r14w r14b ",
	    "r15 r15d r15w r15b "};
	char word[8];
	if (n == 0 || n >= sizeof word)
		return -1;
	memcpy(word, name, n);
	word[n] = '\0';
	for (int i = 0; i < 16; i++)
		if (is_one_of(word, names[i]))
			return i;
	return -1;
}

/* "[rbp+rcx*8-0x10]", or with rip, to the same as struct operands has. */
static bool
parse_address(const char *text, const struct line *l, struct operands *o)
{
	uint32_t base = PLACE_NO_REGISTER, index = PLACE_NO_REGISTER, scale = 0;
	o->displacement = 0;
	for (const char *at = text + 1; *at && *at != ']';) {
		bool is_minus = *at == '-';
		at += *at == '-' || *at == '+';
		size_t n = strcspn(at, "+-*]");
		int r = general_register(at, n);
		if (n == 3 && strncmp(at, "rip", 3) == 0) {
			o->displacement += (int64_t)(l->at + l->n);
		} else if (r >= 0 && at[n] == '*') {
			index = (uint32_t)r;
			scale = at[n + 1] == '8' ? 3 : at[n + 1] == '4' ? 2 : at[n + 1] == '2';
			n += 2;
		} else if (r >= 0) {
			base = (uint32_t)r;
		} else if (strncmp(at, "riz", 3) == 0) {
			n += 2;
		} else {
			int64_t by = (int64_t)strtoull(at, NULL, 16);
			o->displacement += is_minus ? -by : by;
		}
		at += n;
	}
	o->place = base | index << 8 | scale << 16;
	return true;
}

static unsigned
bytes_of_pointer(const char *operands)
{
	static const struct {
		const char *name;
		unsigned bytes;
	} sizes[] = {{"YMMWORD PTR", 32}, {"XMMWORD PTR", 16}, {"QWORD PTR", 8},
	             {"DWORD PTR", 4},    {"BYTE PTR", 1},     {"WORD PTR", 2}};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (strstr(operands, sizes[i].name))
			return sizes[i].bytes;
	return 0;
}

/* What is not written by instructions that name a register first. */
#define READERS                                                                                    \
	"cmp test ucomisd ucomiss comisd comiss vucomisd vucomiss vcomisd vcomiss ldmxcsr "        \
	"vldmxcsr push jmp call "                                                                  \
	"nop endbr64 bt prefetcht0 ret mul "                                                       \
	"div idiv "

static bool
operands_agree(const struct line *l, const struct operands *o)
{
	const char *memory = strchr(l->operands, '['), *comma = strchr(l->operands, ',');
	bool is_stack = is_one_of(l->mnemonic, "push pop ");
	bool has_access = memory && !is_one_of(l->mnemonic, "lea nop ") &&
	                  strncmp(l->mnemonic, "prefetch", 8) != 0;
	int first = general_register(l->operands, strcspn(l->operands, ","));
	bool moves_stack = first == 4 && is_one_of(l->mnemonic, "sub add ") && o->stack_pointer;
	bool is_wide_product = !comma && strcmp(l->mnemonic, "imul") == 0;
	if (first >= 0 && !is_one_of(l->mnemonic, READERS) && !is_wide_product && !moves_stack &&
	    !(o->writes >> first & 1))
		return false;
	bool is_byte = l->bytes[0] == 0xf6 || l->bytes[1] == 0xf6; /* ax alone is its result */
	uint32_t results = is_byte ? BIT(RAX) : BIT(RAX) | BIT(RDX);
	if (is_one_of(l->mnemonic, "mul div idiv imul ") && !comma &&
	    (o->writes & results) != results)
		return false;
	if (is_stack)
		return o->bytes == 8 && o->is_store == (l->mnemonic[1] == 'u') && !memory;
	if (!has_access)
		return o->bytes == 0;
	bool is_first = !comma || memory < comma;
	bool is_only_read = is_one_of(l->mnemonic, READERS),
	     is_move = strncmp(l->mnemonic, "vm", 2) == 0 || l->mnemonic[0] == 'm' ||
	               strstr(l->mnemonic, "stmxcsr");
	struct operands wanted;
	if (o->bytes != bytes_of_pointer(l->operands) ||
	    o->is_store != (is_first && !is_only_read) ||
	    o->is_load != (!is_first || is_only_read || !is_move))
		return false;
	return parse_address(memory, l, &wanted) &&
	       (wanted.place | (l->has_fs ? PLACE_FS : 0)) == o->place &&
	       wanted.displacement == o->displacement;
}

/* The class that a mnemonic has, where it is plain to see. */
static int
class_of(const struct line *l)
{
	static const struct {
		enum insn_class class;
		const char *words;
	} plain[] = {
	    {INSN_MOVE,
	     "push pop mov movabs movzx movsx movsxd movsd movss movaps movups movapd movdqa "
	     "movdqu movq movd leave cmove cmovne cmovl cmovg cmovb cmova cmovae cmovbe cmovs "
	     "vmovdqu vmovdqa vmovsd vmovss vmovaps vmovups vmovapd fld fst fstp fxch "},
	    {INSN_INTEGER,
	     "add sub and or xor cmp test lea inc dec neg not imul mul div idiv shl shr sar "
	     "adc sbb sete setne setg setl seta setb bsf bsr tzcnt lzcnt popcnt bt bts "
	     "cdqe cqo rol ror shrd shld bswap "},
	    {INSN_FLOAT,
	     "addsd subsd mulsd divsd addss subss mulss divss ucomisd ucomiss comisd comiss "
	     "cvtsi2sd cvttsd2si cvtss2sd cvtsd2ss sqrtsd sqrtss vaddsd vsubsd vmulsd "
	     "vdivsd vfmadd132sd vfmadd213sd vfmadd231sd vfmadd231ss vfnmadd231sd fadd "
	     "faddp fmul fmulp fsub fdiv fchs fabs "},
	    {INSN_VECTOR,
	     "pxor por pand pandn paddb paddd paddq psubd pcmpeqb pcmpeqd pmovmskb pshufd "
	     "punpcklqdq addpd mulpd subpd addps mulps andpd andps orpd xorps unpcklpd "
	     "vpxor vpor vpand vpcmpeqb vpmovmskb vaddpd vmulpd "},
	    {INSN_CALL, "call ret "},
	    {INSN_ATOMIC, "mfence lfence sfence "},
	};
	if (l->has_lock)
		return INSN_ATOMIC;
	if (strcmp(l->mnemonic, "movsd") == 0 && strstr(l->operands, "rdi"))
		return INSN_MOVE;
	if (l->mnemonic[0] == 'j')
		return INSN_BRANCH;
	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
		if (is_one_of(l->mnemonic, plain[i].words))
			return (int)plain[i].class;
	return -1;
}

static bool
decoding_agrees(const struct line *l, const struct emulated *insn, struct found *found)
{
	int class = class_of(l);
	unsigned pointer = strchr(l->operands, '[') ? bytes_of_pointer(l->operands) : 0;
	bool is_string = is_one_of(l->mnemonic, "movs stos lods scas cmps ins outs ");
	if (class >= 0)
		found->n_classes++;
	if (class >= 0 && (enum insn_class) class != insn->class)
		return false;
	if (insn->repeats != (l->has_rep && is_string))
		return false;
	if (insn->is_call != (strcmp(l->mnemonic, "call") == 0) ||
	    insn->is_return != (strcmp(l->mnemonic, "ret") == 0))
		return false;
	if (class >= 0 && pointer >= 16)
		return insn->wide_bytes == pointer;
	return pointer >= 16 || insn->wide_bytes == 0 || insn->wide_bytes < insn->reported_bytes ||
	       l->has_other_prefix;
}

static void
check_line(const struct line *l, const char *text, struct found *found)
{
	if (l->bytes[0] == 0x62 || strstr(l->operands, "zmm"))
		return; /* the emulator has no such instructions */
	if (l->bytes[0] == 0x9b && l->n > 1)
		return; /* objdump reads fwait and another one as one */
	uint8_t *bytes = copy_of(l->bytes, l->n);
	struct emulated insn = qemu_decode_x86_64(bytes, l->n, l->at);
	struct operands o = insn.operands;
	free(bytes);
	found->n++;
	found->n_known += o.is_known;
	if (decoding_agrees(l, &insn, found) && (!o.is_known || operands_agree(l, &o)))
		return;
	if (found->n_bad++ < 10)
		note("%lx: %s %s (%s)", l->at, l->mnemonic, l->operands, text);
}

static void
check_library(const char *path, struct found *found)
{
	char command[4400], text[1024];
	snprintf(command, sizeof command, "objdump -d -w -M intel '%s' 2>/dev/null", path);
	FILE *pipe = popen(command, "r");
	struct line line;
	while (pipe && fgets(text, sizeof text, pipe)) {
		bool is_code = text[0] == ' ' && strchr(text, ':');
		if (is_code && parse_line(text, &line))
			check_line(&line, path, found);
	}
	if (pipe)
		pclose(pipe);
}

static void
test_library(const char *name, double known_share)
{
	struct found found = {0};
	struct link_map *map = NULL;
	void *library = dlopen(name, RTLD_LAZY);
	if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
		check_library(map->l_name, &found);
	if (found.n == 0) {
		skip("objdump and the library are needed", "%s: every instruction", name);
	} else {
		note("%s: %lu instructions, operands of %lu, classes of %lu", name, found.n,
		     found.n_known, found.n_classes);
		ok(found.n_bad == 0, "%s: every instruction is what objdump says", name);
		ok((double)found.n_known > known_share * (double)found.n,
		   "%s: the operands of most are known", name);
		ok((double)found.n_classes > 0.8 * (double)found.n,
		   "%s: the classes of most were compared", name);
	}
}

int
main(void)
{
	decode_x86_64_begin();
	for (size_t i = 0; i < sizeof by_hand / sizeof by_hand[0]; i++)
		test_known(&by_hand[i]);
	test_senseless();
#if defined(__x86_64__)
	test_library("libc.so.6", 0.7);
	test_library("libm.so.6", 0.3);
	test_library("libgomp.so.1", 0.7);
#endif
	return done();
}
