"""Takes requests and talks to the lockers."""

import logging
import time

from lockers import assign, codes, notify

log = logging.getLogger("gateway")


class LockerOffline(Exception):
    pass


class Gateway:
    def __init__(self, settings, stations, link):
        self.settings = settings
        self.stations = stations
        self.link = link
        self.parcels = {}

    def store(self, station, parcel, litres, phone):
        """A courier brings a parcel."""
        doors = self.stations[station]
        door = assign.pick(doors, litres)
        code = codes.new_code({p["code"] for p in self.parcels.values()})
        self.parcels[parcel] = {"door": door.number, "station": station, "code": code, "at": time.time()}
        self.open_door(station, door.number)
        notify.send_code(self.settings, phone, station, code)
        return door.number

    def collect(self, station, code):
        """A customer types a code."""
        share = assign.free_share(self.stations[station])
        log.info("collect station=%s free=%.2f", station, share)
        for name, parcel in self.parcels.items():
            if parcel["station"] == station and codes.matches(code, parcel["code"]):
                self.open_door(station, parcel["door"])
                assign.release(self.stations[station], parcel["door"])
                del self.parcels[name]
                return parcel["door"]
        raise PermissionError("unknown code")

    def open_door(self, station, number):
        """Tell a locker to open a door and wait until it has."""
        self.link.send(station, {"open": number})
        waited = 0
        while waited < self.settings["door_timeout_ms"]:
            time.sleep(self.settings["poll_interval_ms"] / 1000)
            waited += self.settings["poll_interval_ms"]
            if self.link.state(station, number) == "open":
                log.info("opened station=%s door=%s after=%dms", station, number, waited)
                return
        raise LockerOffline(f"{station} door {number}")
