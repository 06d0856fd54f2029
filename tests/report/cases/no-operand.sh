# Without a file there is nothing to report on
winnow report
