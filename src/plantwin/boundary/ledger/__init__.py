"""The ledger: what every audience has been told of every object, and the trail of all that happened.

One transaction records what is about to be told and the bytes that tell it; only when it is durable
may anything be sent. Keys are HMACs: the ledger holds no path and no content.

    chain.py        the hash chain of the trail, and the seals
    tree.py         the keyed tree against which every look-up is checked
    anchor.py       files that notice what was cut off, removed or put back, and the lock of local writers
    rules.py        what may be recorded at all
    transaction.py  the tables, and a transaction under way in them
    base.py         all that a ledger does, but for its database

The seam is `plantwin.types.ledger`. The databases are in `plantwin.ledgers`, with the verification of the whole.
"""
