"""POST /quote"""

import logging

from services.quotes import carriers, pricing
from services.quotes.pool import Pool

log = logging.getLogger("quotes.app")


class Quotes:
    """The service, as the WSGI adapter calls it."""

    def __init__(self, settings, connect):
        self.settings = settings
        self.pool = Pool(connect, size=settings["database"]["pool_size"], timeout=settings["database"]["pool_timeout_seconds"])
        self.carrier = None

    def quote(self, request):
        """A price for each parcel of the request."""
        connection = self.pool.take()
        rows = connection.execute("SELECT * FROM parcels WHERE shipment = ?", (request["shipment"],)).fetchall()
        carrier = self.carrier or carriers.fetch()
        prices = [pricing.price(row, carrier, request.get("service", "standard")) for row in rows]
        # the connection must go back also when a price fails, see the ticket
        self.pool.give(connection)
        log.info("quoted %s for %s", request["shipment"], request["customer"])
        return {"prices": prices, "total": sum(prices)}
