# what follows the program is the program's
winnow record echo --blow -o -- x
