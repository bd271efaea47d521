"""Announce one parcel and follow it until it is delivered.

Run against the sandbox:  python examples/quickstart.py
"""

import os
import time

from parcelhub import Client, Parcel

# 1. A client needs nothing but a key; the sandbox accepts any value.
client = Client(api_key=os.environ.get("PARCELHUB_KEY", "sandbox"))

# 2. Announce a parcel.
parcel = client.announce(Parcel(weight_grams=850, to_zone="AX", service="standard"))
print("tracking code:", parcel.code)

# 3. Poll. In production you would register a callback instead.
while (state := client.status(parcel.code)) != "delivered":
    print("still", state)
    time.sleep(2)
print("done")
