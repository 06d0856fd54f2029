/* Marks in a library that it is linked to, and in one that it opens later. */
#include <dlfcn.h>
#include <stdio.h>

void library_work(void);

int
main(int argc, char **argv)
{
	(void)argc;
	int n = 0;
#pragma omp parallel reduction(+ : n)
	n++;
	library_work();
	void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	void (*work)(void) = library ? (void (*)(void))dlsym(library, "library_work") : NULL;
	if (!work)
		return 1;
	work();
	puts(n > 0 ? "ran" : "did not run");
	return 0;
}
