# GraphML without Expat: one line names the package
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
echo '<graphml/>' > a.graphml
cat > broken.c << 'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
void *
dlopen(const char *file, int flags)
{
	static void *(*real)(const char *, int);
	if (!real)
		real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
	return file && strstr(file, "expat") ? 0 : real(file, flags);
}
C
gcc -shared -fPIC -w -o broken.so broken.c
LD_PRELOAD=$PWD/broken.so winnow import a.graphml
#= exit 1
#= stderr
#| winnow import: Expat (libexpat.so.1) is not there; on Debian: apt-get install libexpat1; nothing imported
