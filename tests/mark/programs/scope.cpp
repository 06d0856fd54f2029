/* Regions that end with their scope. Prints what the report has to say of them. */
#include <winnow/mark.h>

#include <cstdio>
#include <stdexcept>
#include <string>

static void
thrower()
{
	WINNOW_REGION("thrower");
	throw std::runtime_error("x");
}

template <int n>
static void
named()
{
	WINNOW_REGION("template");
	winnow::region r(("template " + std::to_string(n)).c_str());
}

int
main()
{
#pragma omp parallel num_threads(2)
	{
		WINNOW_REGION("team");
	}
	for (int i = 0; i < 3; i++) {
		try {
			thrower();
		} catch (const std::exception &) {
		}
	}
	const char *names[] = {"a", "b"};
	for (const char *name : names)
		winnow::region r(name);
	named<1>();
	named<2>();
	std::puts("mark team 2\nmark thrower 3\nmark a 1\nmark b 1\nmark template 2\n"
	          "mark template 1 1\nmark template 2 1");
	return winnow_is_present() ? 0 : 3;
}
