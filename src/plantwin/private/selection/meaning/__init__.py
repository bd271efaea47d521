"""Objects by what they mean: sentence vectors of a small model, made and kept here, where the extra is installed.

offer      whether the extra is there
pieces     text as numbers of word pieces, as the model knows them
encoder    numbers of pieces to a vector: the model itself, on numpy alone
cards      the few words that stand for a file
vectors    vectors that were made, kept in the state folder
sense      what is near to a goal, and a choice in which no family of like objects takes all places
"""
