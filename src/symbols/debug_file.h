/* SPDX-License-Identifier: MIT */
/*
 * debug_file.h - finds the debug information of a stripped file on this machine.
 *
 * elfutils' own search would query a debuginfod server when the environment names one. An analysis
 * must not depend on the network or reveal what is being analysed, so the search is done here:
 *
 *   1  /usr/lib/debug/.build-id/ab/cdef....debug           the build id must be equal
 *   2  DIR/NAME, DIR/.debug/NAME, /usr/lib/debug/DIR/NAME   .gnu_debuglink: build id, or CRC-32
 *   3  for .gnu_debugaltlink (dwz): 1, then the path it gives, from the linking file's folder
 */
#pragma once

#include <elfutils/libdwfl.h>

/* A Dwfl_Callbacks.find_debuginfo; see libdwfl.h for the meaning of each parameter. *user, NULL at
 * first, becomes non-NULL when a dwz file was requested and found: if it is needed and was not
 * found, the debug information must not be used, or libdw would search by its own rules. */
int wn_debug_file_find(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                       const char *file_name, const char *link_name, GElf_Word link_crc,
                       char **found_name);
