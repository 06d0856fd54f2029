/* SPDX-License-Identifier: MIT */
/*
 * unwind.cc - exceptions through many frames, out of tasks, between threads, from handlers of
 * signals; what C++ calls through tables; what is done at the end. Cases as in life.h.
 */
// FLAGS: -fnon-call-exceptions
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>

namespace
{

void
must(bool truth, int line)
{
	if (truth)
		return;
	printf("wrong: unwind.cc:%d\n", line);
	fflush(stdout);
	_exit(99);
}
#define MUST(truth) must(truth, __LINE__)

int n_alive, n_destroyed;

struct Thing {
	Thing()
	{
		n_alive++;
	}
	Thing(const Thing &)
	{
		n_alive++;
	}
	~Thing()
	{
		n_alive--;
		n_destroyed++;
	}
};

struct Fault : std::runtime_error {
	int number;
	explicit Fault(int n) : std::runtime_error("fault " + std::to_string(n)), number(n)
	{
	}
};

__attribute__((noinline)) int
down(int levels, int number)
{
	Thing thing;
	if (levels == 0)
		throw Fault(number);
	return down(levels - 1, number) + 1;
}

void
frames()
{
	for (int i = 0; i < 300; i++) {
		try {
			down(i % 40, i);
			MUST(false);
		} catch (const std::exception &e) {
			MUST("fault " + std::to_string(i) == e.what() && n_alive == 0);
		}
	}
	printf("%d destroyed\n", n_destroyed);
}

__attribute__((noinline)) void
again(int n)
{
	try {
		down(3, n);
	} catch (Fault &f) {
		f.number++;
		if (n % 2)
			throw;
		std::throw_with_nested(std::logic_error("outer"));
	}
}

void
thrown_again()
{
	for (int i = 0; i < 100; i++) {
		try {
			again(i);
		} catch (const Fault &f) {
			MUST(i % 2 && f.number == i + 1);
		} catch (const std::logic_error &e) {
			try {
				std::rethrow_if_nested(e);
				MUST(false);
			} catch (const Fault &f) {
				MUST(i % 2 == 0 && f.number == i + 1);
			}
		} catch (...) {
			MUST(false);
		}
	}
}

void
in_tasks()
{
	std::atomic<int> sum{0};
#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(i) shared(sum)
		try {
			down(i % 10, i);
		} catch (const Fault &f) {
			sum += f.number;
		}
	}
	MUST(sum == 199 * 100);
}

void
between_threads()
{
	for (int i = 0; i < 30; i++) {
		auto result = std::async(std::launch::async, [i] { return down(i % 10, i); });
		try {
			result.get();
			MUST(false);
		} catch (const Fault &f) {
			MUST(f.number == i);
		}
	}
	std::vector<std::thread> threads;
	std::atomic<int> n{0};
	for (int i = 0; i < 8; i++)
		threads.emplace_back([&n] {
			for (int k = 0; k < 100; k++) {
				try {
					down(5, k);
				} catch (const Fault &) {
					n++;
				}
			}
		});
	for (auto &thread : threads)
		thread.join();
	MUST(n == 800);
}

char *page;

void
throw_it(int)
{
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, SIGSEGV);
	sigprocmask(SIG_UNBLOCK, &one, nullptr);
	throw Fault(7);
}

/* Compiled with -fnon-call-exceptions: the unwinder finds its way through the signal's frame. */
__attribute__((noinline)) int
read_it(const volatile char *at)
{
	Thing thing;
	return *at;
}

void
from_handler()
{
	page =
	    static_cast<char *>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	signal(SIGSEGV, throw_it);
	for (int i = 0; i < 50; i++) {
		try {
			read_it(page);
			MUST(false);
		} catch (const Fault &f) {
			MUST(f.number == 7 && n_alive == 0);
		}
	}
}

struct Shape {
	virtual ~Shape() = default;
	virtual int area() const = 0;
};
struct Square : Shape {
	int a;
	explicit Square(int n) : a(n)
	{
	}
	int
	area() const override
	{
		return a * a;
	}
};
struct Other : virtual Shape {
	int
	area() const override
	{
		return 1;
	}
};

void
by_tables()
{
	std::vector<std::unique_ptr<Shape>> shapes;
	std::map<std::string, std::function<int(int)>> functions;
	int sum = 0, n_squares = 0;

	for (int i = 0; i < 1000; i++) {
		if (i % 3)
			shapes.push_back(std::make_unique<Square>(i));
		else
			shapes.push_back(std::make_unique<Other>());
	}
	for (auto &shape : shapes) {
		sum += shape->area();
		n_squares += dynamic_cast<Square *>(shape.get()) != nullptr;
	}
	functions["double"] = [](int a) { return a * 2; };
	functions["add"] = [sum](int a) { return a + sum; };
	std::ostringstream text;
	text << sum << ' ' << n_squares << ' ' << functions["double"](21) << ' '
	     << functions["add"](1) << ' ' << 0.1;
	std::string line = text.str();
	std::smatch found;
	MUST(std::regex_search(line, found, std::regex("([0-9]+) ([0-9]+) 42")));
	printf("%s|%s\n", line.c_str(), found[2].str().c_str());
}

struct Last {
	~Last()
	{
		printf("last\n");
		fflush(stdout);
	}
};

int
once()
{
	static Last last;
	static thread_local Thing thing;
	return n_alive;
}

void
at_the_end()
{
	MUST(once() == 1 && once() == 1);
	std::thread([] { once(); }).join();
	MUST(n_alive == 1 && n_destroyed == 1);
}

void
dies_uncaught()
{
	setrlimit(RLIMIT_CORE, new rlimit{0, 0});
	std::set_terminate([] {
		printf("terminates\n");
		fflush(stdout);
		std::abort();
	});
	down(5, 1);
}

struct Case {
	const char *name;
	void (*run)();
	int status;
};
const Case cases[] = {
    {"frames", frames, 0},
    {"thrown-again", thrown_again, 0},
    {"in-tasks", in_tasks, 0},
    {"between-threads", between_threads, 0},
    {"from-handler", from_handler, 0},
    {"by-tables", by_tables, 0},
    {"at-the-end", at_the_end, 0},
    {"dies-uncaught", dies_uncaught, 128 + SIGABRT},
};

} // namespace

int
main(int argc, char **argv)
{
	int sum = 0;
#pragma omp parallel num_threads(1) reduction(+ : sum)
#pragma omp single
#pragma omp task shared(sum)
	sum++;
	for (const Case &c : cases) {
		if (argc > 1 && strcmp(argv[1], "list") == 0)
			printf("%s %d\n", c.name, c.status);
		else if (argc > 1 && strcmp(argv[1], c.name) == 0)
			c.run();
	}
	if (argc > 1 && strcmp(argv[1], "list") == 0)
		return 0;
#pragma omp parallel num_threads(1) reduction(+ : sum)
#pragma omp single
#pragma omp task shared(sum)
	for (int i = 0; i < 200000; i++) {
		sum = sum * 3 + i;
		__asm__ volatile("" : "+r"(sum));
	}
	printf("end\n");
	return 0;
}
