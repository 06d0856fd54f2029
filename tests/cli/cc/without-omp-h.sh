# a program that does not include omp.h compiles without a warning, in C and in C++
cat > one.c <<'C'
int main(void)
{
	int n = 0;
#pragma omp parallel reduction(+ : n)
	n++;
	return n == 3 ? 0 : 1;
}
C
cp one.c one.cpp
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -Werror=implicit-function-declaration -fopenmp one.c -o one
OMP_NUM_THREADS=3 OMP_DYNAMIC=false ./one
winnow c++ --opari -- g++ -fopenmp one.cpp -o one++
OMP_NUM_THREADS=3 OMP_DYNAMIC=false ./one++
