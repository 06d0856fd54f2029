# A threshold keeps its direction
winnow report --threshold "parallel_benefit>1" missing.winnow
