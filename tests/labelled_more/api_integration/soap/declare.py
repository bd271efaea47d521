import logging
from dataclasses import dataclass
from functools import cached_property

import requests
from zeep import Client, Settings
from zeep.exceptions import Fault, TransportError
from zeep.transports import Transport
from zeep.wsse.username import UsernameToken

log = logging.getLogger(__name__)


class Rejected(Exception):
    pass


@dataclass
class Customs:
    wsdl: str
    user: str
    password: str
    timeout: float = 25.0

    @cached_property
    def _svc(self):
        s = requests.Session()
        s.headers["User-Agent"] = "kvist/3"
        c = Client(
            self.wsdl,
            transport=Transport(session=s, operation_timeout=self.timeout),
            wsse=UsernameToken(self.user, self.password, use_digest=True),
            settings=Settings(strict=False),
        )
        return c.service

    def submit(self, ref: str, goods: list[str]) -> str:
        for left in (2, 1, 0):
            try:
                return self._svc.Submit(Reference=ref, Goods=goods)
            except Fault as f:
                raise Rejected(f.message) from f
            except TransportError as e:
                if not left or e.status_code < 500:
                    raise
                log.warning("customs %s, %d left", e.status_code, left)
        raise AssertionError
