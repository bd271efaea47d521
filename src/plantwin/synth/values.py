"""Made-up values: names from public words, numbers and secrets from a seeded generator."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta

from plantwin.synth.templates import words

_BLANK = re.compile(r"<<(\w+)>>")
_ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_EPOCH = date(2024, 1, 1)


class Names:
    """What one object is called: different for each number, however many there are."""

    def __init__(self, number: int, seed: int) -> None:
        nouns = list(words()["nouns"])
        random.Random(f"names/{seed}").shuffle(nouns)  # noqa: S311 - made-up names
        parts = []
        while True:
            number, place = divmod(number, len(nouns))
            parts.append(nouns[place])
            if len(parts) > 1 and not number:
                break
        self.noun = "_".join(parts)
        self.word = parts[0]
        self.camel = "".join(part.capitalize() for part in parts)


class Values:
    """Fills the blanks of templates for one object."""

    def __init__(self, names: Names, seed: str, day: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - made-up values
        self._fixed = {
            "noun": names.noun, "Noun": names.camel, "NOUN": names.noun.upper(), "word": names.word,
            "number": "0001", "table": names.noun, "more": "<<more>>", "pins": "",
        }  # fmt: skip
        self.day = day
        self.minute = 0

    def set(self, name: str, value: str) -> None:
        """Fix what a blank stands for."""
        self._fixed[name] = value

    def fill(self, text: str, number: int = 1) -> str:
        """Put values into a template's blanks."""
        return _BLANK.sub(lambda found: self._value(found[1], number), text)

    def _value(self, name: str, number: int) -> str:
        known = self._fixed.get(name)
        return known if known is not None else str(getattr(self, f"_{name}")(number))

    def _n(self, number: int) -> str:
        return str(number)

    def _text(self, length: int) -> str:
        return "".join(self._random.choices(_ALPHABET, k=length))

    def _secret(self, _: int) -> str:
        return f"{self._text(9)}7{self._text(10)}Q4x"

    def _secret36(self, _: int) -> str:
        return self._text(36)

    def _base64(self, _: int) -> str:
        return self._text(64)

    def _first(self, _: int) -> str:
        return str(self._random.choice(words()["first"]))

    def _last(self, _: int) -> str:
        return str(self._random.choice(words()["last"]))

    def _email(self, number: int) -> str:
        return f"{self._first(0)}.{self._last(0)}{number}@{self._fixed['word']}-post.net".lower()

    def _digit(self, _: int) -> int:
        return self._random.randint(2, 9)

    def _decimal(self, _: int) -> str:
        return f"{self._random.random():.3f}"

    def _price(self, _: int) -> str:
        return f"{self._random.randint(100, 9999) / 100:.2f}"

    def _choice(self, _: int) -> str:
        return str(self._random.choice(words()["choice"]))

    def _code(self, number: int) -> str:
        return f"{self._fixed['word'][:2].upper()}{number}"

    def _maybe(self, number: int) -> str:
        return "" if number == 3 else f"{self._fixed['word']} {number}"

    def _ip(self, _: int) -> str:
        return f"10.{self._random.randint(16, 200)}.{self._random.randint(2, 200)}.{self._random.randint(2, 250)}"

    def _iban(self, _: int) -> str:
        body = "".join(self._random.choices("0123456789", k=18))
        check = 98 - int(body + "131400") % 97
        return f"DE{check:02d}{body}"

    def _date(self, number: int) -> str:
        return str(_EPOCH + timedelta(days=self.day % 9000 + number))

    def _clock(self) -> str:
        """The next minute: lines of a log follow each other."""
        self.minute += 1
        return f"{self.minute // 60 % 24:02d}:{self.minute % 60:02d}:07"

    def _when(self) -> date:
        return _EPOCH + timedelta(days=self.day + (self.minute + 1) // 1440)

    def _time(self, _: int) -> str:
        return f"{self._when()} {self._clock()}"

    def _stamp(self, _: int) -> str:
        return f"{self._when()}T{self._clock()}Z"

    def _httptime(self, _: int) -> str:
        return f"{self._when():%d/%b/%Y}:{self._clock()} +0000"

    def _systime(self, _: int) -> str:
        return f"{self._when():%b} {self._when().day:2d} {self._clock()}"
