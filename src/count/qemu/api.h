/* SPDX-License-Identifier: MIT */
/*
 * api.h - the part of QEMU's plug-in interface (version 1, since QEMU 4.2) that is used here.
 * Declared here because Debian packages the emulator without its header.
 *
 * The emulator provides the functions when it loads the plug-in. Pointers to incomplete types are
 * valid only during the call-back that received them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_API_VERSION 1

typedef uint64_t qemu_plugin_id;

struct qemu_plugin_tb;   /* a block being translated */
struct qemu_plugin_insn; /* an instruction of it */

/* Arguments of the plug-in's entry point; more members may follow. */
struct qemu_plugin_info {
	const char *target_name; /* "x86_64", "aarch64" */
	struct {
		int min, current;
	} version;
	bool is_system; /* a whole machine is emulated, not a program */
};

enum qemu_plugin_registers { QEMU_NO_REGISTERS };
enum qemu_plugin_access { QEMU_READ = 1, QEMU_WRITE = 2, QEMU_READ_WRITE = 3 };

typedef void (*qemu_vcpu_function)(qemu_plugin_id id, unsigned vcpu);
typedef void (*qemu_translate_function)(qemu_plugin_id id, struct qemu_plugin_tb *block);
typedef void (*qemu_run_function)(unsigned vcpu, void *user);
typedef void (*qemu_access_function)(unsigned vcpu, uint32_t info, uint64_t address, void *user);
typedef void (*qemu_exit_function)(qemu_plugin_id id, void *user);
typedef void (*qemu_syscall_function)(qemu_plugin_id id, unsigned vcpu, int64_t number, uint64_t a1,
                                      uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5,
                                      uint64_t a6, uint64_t a7, uint64_t a8);
typedef void (*qemu_syscall_end_function)(qemu_plugin_id id, unsigned vcpu, int64_t number,
                                          int64_t result);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id id, qemu_vcpu_function f);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id id, qemu_vcpu_function f);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id id, qemu_translate_function f);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id id, qemu_syscall_function f);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id id, qemu_syscall_end_function f);
void qemu_plugin_register_atexit_cb(qemu_plugin_id id, qemu_exit_function f, void *user);

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, qemu_run_function f,
                                          enum qemu_plugin_registers registers, void *user);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_run_function f,
                                            enum qemu_plugin_registers registers, void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_access_function f,
                                      enum qemu_plugin_registers registers,
                                      enum qemu_plugin_access access, void *user);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn); /* address of its bytes */

unsigned qemu_plugin_mem_size_shift(uint32_t info); /* 2^n bytes */
bool qemu_plugin_mem_is_store(uint32_t info);       /* true also for read-modify-write */
