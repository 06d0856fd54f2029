# A folder is refused
mkdir folder
winnow report folder
