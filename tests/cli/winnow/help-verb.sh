# help VERB prints the verb's option table
winnow help record
