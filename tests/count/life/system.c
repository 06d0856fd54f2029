/* SPDX-License-Identifier: MIT */
/*
 * system.c - what programs ask of the kernel and are given by it: limits, files, identity, filters,
 * what is mapped where, clocks, the processor's own answers.
 */
#include "life.h"

#include <cpuid.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>

/* Something of everything: tasks, threads, memory, code that was not there before. */
static void *
work_in_thread(void *argument)
{
	return (void *)(uintptr_t)life_work((uintptr_t)argument, 1000);
}

static void
work(void)
{
	pthread_t thread;
	void *result;
	int n = 0;

	MUST(pthread_create(&thread, NULL, work_in_thread, (void *)5) == 0);
	pthread_join(thread, &result);
	MUST((uintptr_t)result == (uintptr_t)life_work(5, 1000));
#pragma omp parallel num_threads(2) reduction(+ : n)
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task
		free(malloc((size_t)life_work((unsigned)i, 10) % 10000));
		n++;
	}
	MUST(n == 20);
}

static void
closes_all(void)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	work();
	MUST(open("/dev/null", O_RDONLY) == 3);
	close(0);
	MUST(open("/dev/null", O_RDONLY) == 0);
	work();
	syscall(SYS_close_range, 3u, ~0u, 0u);
	work();
	close(2);
	work();
}

/* Numbers of files are the lowest that are free, as ever. */
static void
own_files(void)
{
	int used = 0;

	for (int fd = 3; fd < 256; fd++)
		used += fcntl(fd, F_GETFD) >= 0;
	tell("%d files are open", used);
	int a = open("/dev/null", O_RDONLY), b = dup(a);
	MUST(a == 3 && b == 4);
}

static void
few_files(void)
{
	struct rlimit limit = {3, 3};

	MUST(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	MUST(open("/dev/null", O_RDONLY) < 0 && errno == EMFILE);
	work();
}

static void
small_memory(void)
{
	struct rlimit limit;
	unsigned long pages = 0;
	FILE *stream = fopen("/proc/self/statm", "r");

	MUST(stream && fscanf(stream, "%lu", &pages) == 1);
	fclose(stream);
	work(); /* as much as it takes at first */
	limit.rlim_cur = limit.rlim_max = pages * 4096 + (256u << 20);
	MUST(setrlimit(RLIMIT_AS, &limit) == 0);
	work();
	for (int i = 0; i < 20; i++)
		MUST(life_work((unsigned)i, 10) != 1);
	char *a = malloc(1 << 20);
	MUST(a);
	memset(a, 1, 1 << 20);
	free(a);
}

static void
small_memory_told(void)
{
	struct rlimit limit = {1ul << 40, 1ul << 40}, now;

	MUST(setrlimit(RLIMIT_AS, &limit) == 0 && getrlimit(RLIMIT_AS, &now) == 0);
	MUST(now.rlim_cur == 1ul << 40);
	MUST(malloc(1ul << 41) == NULL && errno == ENOMEM);
	limit = (struct rlimit){300000, 300000};
	MUST(setrlimit(RLIMIT_STACK, &limit) == 0 && getrlimit(RLIMIT_STACK, &now) == 0);
	MUST(now.rlim_cur == 300000);
	work();
}

extern char **environ;

static void
no_environment(void)
{
	clearenv();
	MUST(!environ || !*environ);
	work();
	setenv("A", "b", 1);
	MUST(strcmp(getenv("A"), "b") == 0 && !environ[1]);
}

static void
elsewhere(void)
{
	char name[4096];

	MUST(chdir("/") == 0);
	work();
	MUST(getcwd(name, sizeof name) && strcmp(name, "/") == 0);
}

static void
same_user(void)
{
	MUST(setuid(getuid()) == 0 && setgid(getgid()) == 0);
	work();
	MUST(setresuid(getuid(), getuid(), getuid()) == 0);
	work();
}

static void
not_to_be_dumped(void)
{
	MUST(prctl(PR_SET_DUMPABLE, 0) == 0 && prctl(PR_GET_DUMPABLE) == 0);
	work();
	MUST(prctl(PR_SET_NAME, "another") == 0);
	char name[32] = "";
	MUST(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "another") == 0);
	MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	     prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
	work();
}

#define ALLOW(name)                                                                                \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                     \
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* What calculation, memory, output and an orderly end need; and what a recorder does at the end. */
static void
filter(unsigned otherwise, bool lets_record)
{
	struct sock_filter lines[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    ALLOW(read),
	    ALLOW(write),
	    ALLOW(brk),
	    ALLOW(mmap),
	    ALLOW(munmap),
	    ALLOW(exit_group),
	    ALLOW(rt_sigreturn),
	    ALLOW(futex),
	    ALLOW(clock_gettime),
	    ALLOW(gettid),
	    ALLOW(sched_yield),
	    ALLOW(close),
	    ALLOW(rt_sigprocmask),
	    ALLOW(exit),
	    ALLOW(madvise),
	    ALLOW(newfstatat),
	    BPF_STMT(BPF_JMP | BPF_JA, lets_record ? 0 : 14),
	    ALLOW(openat),
	    ALLOW(pread64),
	    ALLOW(pwrite64),
	    ALLOW(ftruncate),
	    ALLOW(fstatfs),
	    ALLOW(fallocate),
	    ALLOW(lseek),
	    BPF_STMT(BPF_RET | BPF_K, otherwise),
	};
	struct sock_fprog program = {sizeof lines / sizeof lines[0], lines};

	work();
	MUST(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	MUST(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
	for (unsigned i = 0; i < 100; i++) {
		free(malloc(i * 1000));
		MUST(life_work(i, 100) != 1);
	}
#pragma omp task
	life_work(2, 100);
}

/* Dies of any call that the program itself has no need for. */
static void
filtered_to_the_bone(void)
{
	filter(SECCOMP_RET_KILL_PROCESS, false);
	tell("goes on");
}

static void
filtered(void)
{
	filter(SECCOMP_RET_KILL_PROCESS, true);
	tell("goes on");
}

static void
filtered_softly(void)
{
	filter(SECCOMP_RET_ERRNO | EPERM, true);
	MUST(syscall(SYS_getppid) < 0 && errno == EPERM);
}

static void
filtered_to_death(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	filter(SECCOMP_RET_KILL_PROCESS, true);
	syscall(SYS_getppid);
	tell("not reached");
}

static void
take_sys(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	tell("call %d is told", info->si_syscall == SYS_getppid && info->si_code == 1);
}

static void
filtered_and_told(void)
{
	struct sigaction action = {.sa_sigaction = take_sys, .sa_flags = SA_SIGINFO};

	sigaction(SIGSYS, &action, NULL);
	filter(SECCOMP_RET_TRAP, true);
	syscall(SYS_getppid);
}

/* The strictest one there is: read, write, exit. */
static void
strictly(void)
{
	life_work(3, 1000);
	MUST(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0);
	tell("%llx", (unsigned long long)life_work(3, 1000));
	syscall(SYS_exit, 7);
}

/* The program is found where it says that it is, under its own name. */
static void
maps(void)
{
	char line[4600], name[4096], own[4096];
	FILE *stream = fopen("/proc/self/maps", "r");
	int n_found = 0, n_wrong = 0;

	ssize_t n = readlink("/proc/self/exe", name, sizeof name - 1);
	MUST(n > 0 && stream && realpath(life_argv[0], own));
	name[n] = 0;
	MUST(strcmp(name, own) == 0);
	while (fgets(line, sizeof line, stream)) {
		unsigned long from, to;
		char rights[8], path[4096] = "";
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %4095s", &from, &to, rights, path) < 3)
			n_wrong++;
		if ((uintptr_t)maps >= from && (uintptr_t)maps < to)
			n_found += rights[2] == 'x' && strcmp(path, own) == 0;
		if ((uintptr_t)line >= from && (uintptr_t)line < to)
			n_found += rights[1] == 'w';
	}
	fclose(stream);
	MUST(n_found == 2 && n_wrong == 0);
	stream = fopen("/proc/self/cmdline", "r");
	MUST(stream);
	size_t bytes = fread(line, 1, sizeof line, stream);
	MUST(bytes == strlen(life_argv[0]) + 1 + strlen(life_argv[1]) + 1 &&
	     strcmp(line, life_argv[0]) == 0);
	tell("%s", program_invocation_short_name);
}

static void
clocks(void)
{
	struct timespec a, b;
	struct timeval of_day;

	for (int i = 0; i < 1000; i++) {
		MUST(clock_gettime(CLOCK_MONOTONIC, &a) == 0);
		MUST(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &b) == 0);
		MUST(a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec <= b.tv_nsec));
		MUST(b.tv_sec - a.tv_sec < 20);
	}
	gettimeofday(&of_day, NULL);
	MUST(labs(time(NULL) - of_day.tv_sec) < 20);
	unsigned cpu = 9999;
	MUST(getcpu(&cpu, NULL) == 0 && cpu < 4096 && sched_getcpu() >= 0);
	MUST(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a) == 0);
	life_work(1, 100000);
	MUST(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b) == 0);
	MUST(a.tv_sec < b.tv_sec || a.tv_nsec < b.tv_nsec);
	/* as whoever looks for it by himself calls it */
	const char *vdso = (const char *)getauxval(AT_SYSINFO_EHDR);
	MUST(!vdso || memcmp(vdso, ELFMAG, SELFMAG) == 0);
}

static void
processor(void)
{
	uint32_t a, b, c, d, aux;
	uint64_t first, last = 0;

	MUST(__get_cpuid(0, &a, &b, &c, &d) && a >= 1);
	uint32_t most = a;
	MUST(__get_cpuid(1, &a, &b, &c, &d) && (d & bit_SSE2) && (d & bit_CMOV));
	uint32_t upper = 1;
	__asm__ volatile("cpuid"
	                 : "=a"(a), "=b"(b), "=c"(c), "=d"(d)
	                 : "0"(0ull | (uint64_t)upper << 40));
	MUST(a == most);
	for (int i = 0; i < 1000; i++) {
		first = __builtin_ia32_rdtsc();
		MUST(first >= last);
		last = __builtin_ia32_rdtscp(&aux);
		MUST(last >= first);
	}
	__builtin_cpu_init();
	char bytes[16];
	MUST(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
}

static void
told_at_the_start(void)
{
	Dl_info found;

	MUST(getauxval(AT_PAGESZ) == 4096 && getauxval(AT_UID) == getuid() &&
	     getauxval(AT_SECURE) == 0);
	MUST(dladdr((void *)getauxval(AT_ENTRY), &found) && found.dli_fbase);
	Dl_info own;
	MUST(dladdr((void *)told_at_the_start, &own) && own.dli_fbase == found.dli_fbase);
	const Elf64_Phdr *headers = (const Elf64_Phdr *)getauxval(AT_PHDR);
	MUST(headers[0].p_type == PT_PHDR || headers[0].p_type == PT_LOAD);
	MUST(strcmp((const char *)getauxval(AT_EXECFN), life_argv[0]) == 0 || getauxval(AT_EXECFN));
	MUST(getauxval(AT_RANDOM) != 0);
	struct utsname name;
	MUST(uname(&name) == 0 && strcmp(name.machine, "x86_64") == 0);
	MUST(getpid() == syscall(SYS_getpid) && getppid() == syscall(SYS_getppid));
	MUST(syscall(SYS_gettid) == getpid());
	MUST(syscall(1000) < 0 && errno == ENOSYS);
}

/* A sequence that the kernel begins again when it has interrupted it, counting for each processor.
 */
static struct {
	_Alignas(64) uint64_t n;
} counts[4096];
static volatile int n_registered;

static bool
is_registered(void)
{
	const struct rseq *own =
	    (const struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);

	return __rseq_size > 0 && (int32_t)own->cpu_id >= 0;
}

static void *
count_by_processor(void *unused)
{
	volatile struct rseq *own =
	    (volatile struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);

	if (!is_registered())
		return unused;
	n_registered++;
	for (int i = 0; i < 300000; i++) {
		uint64_t was;
		__asm__ volatile(".pushsection __rseq_cs, \"aw\"\n\t.balign 32\n"
		                 "3: .long 0, 0; .quad 1f, 2f - 1f, 4f\n\t.popsection\n"
		                 "5: leaq 3b(%%rip), %%rax; movq %%rax, %c3(%1)\n"
		                 "1: movl %c4(%1), %%eax; shlq $6, %%rax; movq (%2, %%rax), %0\n\t"
		                 "incq %0; movq %0, (%2, %%rax)\n"
		                 "2: jmp 6f; .byte 0x0f, 0xb9, 0x3d; .long 0x53053053\n"
		                 "4: jmp 5b\n6:"
		                 : "=&r"(was)
		                 : "r"(own), "r"(counts), "i"(offsetof(struct rseq, rseq_cs)),
		                   "i"(offsetof(struct rseq, cpu_id))
		                 : "rax", "memory", "cc");
	}
	return unused;
}

static void
restartable(void)
{
	pthread_t threads[4];
	uint64_t sum = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, count_by_processor, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	if (!is_registered())
		return;
	for (int i = 0; i < 4096; i++)
		sum += counts[i].n;
	if (sum != 4 * 300000)
		tell("%lld are missing", 4 * 300000ll - (long long)sum);
	MUST(sum == 4 * 300000);
}

static void
places_of_memory(void)
{
	char *low = mmap((void *)0x10000, 1 << 20, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	MUST(low == (char *)0x10000);
	memset(low, 3, 1 << 20);
	char *below =
	    mmap((void *)0x7000000, 256u << 20, PROT_READ | PROT_WRITE,
	         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
	MUST(below == (char *)0x7000000);
	below[200u << 20] = 1;
	char *large = mmap(NULL, 1ul << 34, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	MUST(large != MAP_FAILED);
	for (uint64_t i = 0; i < 64; i++)
		large[i << 28] = (char)i;
	MUST(madvise(large, 1ul << 26, MADV_DONTNEED) == 0 && large[0] == 0 &&
	     large[5ul << 28] == 5);
	MUST(madvise(large, 1ul << 22, MADV_HUGEPAGE) == 0 || errno == EINVAL);
	work();
	for (int i = 0; i < (1 << 20); i++)
		MUST(low[i] == 3);
	munmap(large, 1ul << 34);
	char *end = sbrk(1 << 20);
	memset(end, 1, 1 << 20);
	MUST(sbrk(0) == end + (1 << 20));
}

/* As sanitizers, runtimes of languages and allocators do. */
static void
much_reserved(void)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	char *kept = mmap(NULL, 1ul << 42, PROT_NONE, flags, -1, 0);

	MUST(kept != MAP_FAILED);
	for (uint64_t i = 0; i < 32; i++) {
		char *part = kept + (i << 37);
		MUST(mprotect(part, 1 << 16, PROT_READ | PROT_WRITE) == 0);
		part[77] = 1;
	}
	work();
	munmap(kept, 1ul << 42);
}

static void
low_memory(void)
{
	for (int i = 0; i < 20; i++) {
		char *at = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
		                MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
		MUST(at != MAP_FAILED && (uintptr_t)at + (1 << 20) <= 1ul << 31);
		at[77] = 1;
	}
}

static void
one_processor(void)
{
	cpu_set_t all, one;

	MUST(sched_getaffinity(0, sizeof all, &all) == 0);
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &all)) {
			CPU_SET(i, &one);
			break;
		}
	MUST(sched_setaffinity(0, sizeof one, &one) == 0);
	work();
	MUST(sched_getaffinity(0, sizeof all, &all) == 0 && CPU_COUNT(&all) == 1);
}

static void
told_of_files(void)
{
	int pair[2], fd, ends[2];
	char byte = 'a', control[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec part = {&byte, 1};
	struct msghdr message = {.msg_iov = &part,
	                         .msg_iovlen = 1,
	                         .msg_control = control,
	                         .msg_controllen = sizeof control};

	MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pipe(ends) == 0);
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	*head = (struct cmsghdr){
	    .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
	memcpy(CMSG_DATA(head), &ends[1], sizeof(int));
	MUST(sendmsg(pair[0], &message, 0) == 1 && recvmsg(pair[1], &message, 0) == 1);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
	MUST(write(fd, "z", 1) == 1 && read(ends[0], &byte, 1) == 1 && byte == 'z');
	struct stat about;
	MUST(fstat(fd, &about) == 0 && S_ISFIFO(about.st_mode) && stat("/nowhere", &about) < 0);
}

static void
ends_at_once(void)
{
	printf("what is never written");
	_exit(11);
}

static void
said_last(void)
{
	tell("at quick exit");
}

static void
ends_quickly(void)
{
	at_quick_exit(said_last);
	quick_exit(12);
}

static void
much_output(void)
{
	for (int i = 0; i < 20000; i++)
		printf("%d of 20000\n", i);
}

static const struct life_case cases[] = {
    {"closes-all", closes_all, 0, 0},
    {"own-files", own_files, 0, 0},
    {"few-files", few_files, 0, 0},
    {"small-memory", small_memory, 0, LIFE_OUTSIDE},
    {"small-memory-told", small_memory_told, 0, 0},
    {"no-environment", no_environment, 0, 0},
    {"elsewhere", elsewhere, 0, 0},
    {"same-user", same_user, 0, 0},
    {"not-to-be-dumped", not_to_be_dumped, 0, 0},
    {"filtered-to-the-bone", filtered_to_the_bone, 0, LIFE_OUTSIDE},
    {"filtered", filtered, 0, LIFE_OUTSIDE},
    {"filtered-softly", filtered_softly, 0, LIFE_OUTSIDE},
    {"filtered-to-death", filtered_to_death, 128 + SIGSYS, LIFE_OUTSIDE},
    {"filtered-and-told", filtered_and_told, 0, LIFE_OUTSIDE},
    {"strictly", strictly, 7, LIFE_OUTSIDE},
    {"maps", maps, 0, 0},
    {"clocks", clocks, 0, 0},
    {"processor", processor, 0, 0},
    {"told-at-the-start", told_at_the_start, 0, 0},
    {"restartable", restartable, 0, 0},
    {"places-of-memory", places_of_memory, 0, 0},
    {"much-reserved", much_reserved, 0, 0},
    {"low-memory", low_memory, 0, 0},
    {"one-processor", one_processor, 0, 0},
    {"told-of-files", told_of_files, 0, 0},
    {"ends-at-once", ends_at_once, 11, 0},
    {"ends-quickly", ends_quickly, 12, 0},
    {"much-output", much_output, 0, 0},
};

LIFE_MAIN(cases)
