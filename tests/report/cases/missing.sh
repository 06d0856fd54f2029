# A file that does not exist is refused
winnow report missing.winnow
