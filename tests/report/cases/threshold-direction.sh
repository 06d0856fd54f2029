# A threshold keeps its direction
winnow report --threshold "parallel_benefit>1" missing.winnow
#= exit 2
#= stderr glob
#| winnow report: --threshold 'parallel_benefit>1': not one of these with a number after it: parallel_benefit< *chunk_work_cpu_balance> *compute_intensity< *
