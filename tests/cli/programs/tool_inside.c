/* SPDX-License-Identifier: MIT */
/* What a program with libomp linked into it defines, and the tool that is asked, or with -DNO_TOOL
 * the runtime's own weak definition.
 */
void __kmpc_fork_call(void);
void *ompt_start_tool(unsigned version, const char *runtime);

void
__kmpc_fork_call(void)
{
}

#ifdef NO_TOOL
__attribute__((weak))
#endif
void *
ompt_start_tool(unsigned version, const char *runtime)
{
	(void)version;
	(void)runtime;
	return 0;
}

int
main(void)
{
	return 0;
}
