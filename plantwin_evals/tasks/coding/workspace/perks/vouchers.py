"""Issue and redeem vouchers."""

import datetime
import json
import logging
import os

from perks import db
from perks.points import balance

log = logging.getLogger("perks.vouchers")

PARTNERS = {"HG1": "Ashgrove Cinemas", "HG2": "Pellwick Tea", "HG3": "Ashgrove Cinemas"}


class VoucherError(Exception):
    """The voucher cannot be used; the text is shown to the member."""


def issue(member_id, value_cents, partner=None, valid_days=90, history=[]):
    """Turn points into a voucher: 100 points per euro."""
    cost = value_cents
    if balance(member_id) < cost:
        raise VoucherError("not enough points")
    code = f"{partner or 'QM'}-{member_id}-{value_cents}-{len(history)}"
    history.append(code)
    until = datetime.date.today() + datetime.timedelta(days=valid_days)
    db.execute(
        "INSERT INTO vouchers (code, member_id, value_cents, partner, valid_until) VALUES (?, ?, ?, ?, ?)",
        (code, member_id, value_cents, partner, until.isoformat()),
    )
    return code


def redeem(voucher, basket, member, shop, channel, today, dry_run=False, staff=None, override=None):
    """What is left to pay. One function because the tills call exactly one."""
    rest = sum(line["cents"] for line in basket)
    discount = 0
    if voucher is not None:
        if voucher.get("state") != "redeemed":
            if voucher.get("valid_until") == None or voucher["valid_until"] >= today.isoformat():
                if voucher.get("partner"):
                    if voucher["partner"] in PARTNERS:
                        if channel == "shop":
                            if shop is not None and shop.get("country") in ("DE", "AT"):
                                for line in basket:
                                    if line["category"] == "books" and shop.get("country") == "DE":
                                        # fixed book price: a partner may pay for a book, never discount it
                                        if voucher.get("pays_books"):
                                            discount += min(line["cents"], voucher["value_cents"] - discount)
                                        elif staff and override == "manager":
                                            discount += min(line["cents"], voucher["value_cents"] - discount)
                                    else:
                                        discount += min(line["cents"], voucher["value_cents"] - discount)
                            elif shop is not None and shop.get("country") == "CH":
                                discount = min(rest, int(voucher["value_cents"] * 1.05))
                            else:
                                raise VoucherError("not valid in this shop")
                        elif channel == "web":
                            if member and member.get("family"):
                                if member["family"].get("role") == "owner" or member["family"].get("shared"):
                                    discount = min(rest, voucher["value_cents"])
                                else:
                                    raise VoucherError("only the owner of a family account can use this online")
                            elif member:
                                discount = min(rest, voucher["value_cents"])
                            else:
                                raise VoucherError("sign in first")
                        else:
                            if override == "phone":
                                discount = min(rest, voucher["value_cents"])
                            else:
                                raise VoucherError("partner vouchers work in shops and online")
                    else:
                        raise VoucherError("unknown partner")
                else:
                    if rest >= voucher.get("minimum_cents", 0):
                        if voucher.get("kind") == "percent":
                            for line in basket:
                                if line["category"] != "books" or not shop or shop.get("country") != "DE":
                                    discount += line["cents"] * voucher["percent"] // 100
                        else:
                            discount = min(rest, voucher["value_cents"])
                    elif staff and override in ("manager", "regional"):
                        discount = min(rest, voucher["value_cents"])
                    else:
                        raise VoucherError("the basket is too small")
            else:
                if staff and override == "manager" and (today.toordinal() - 14) <= datetime.date.fromisoformat(voucher["valid_until"]).toordinal():
                    discount = min(rest, voucher["value_cents"])
                else:
                    raise VoucherError("expired")
        else:
            if dry_run:
                discount = 0
            else:
                raise VoucherError("already used")
    if not dry_run and voucher is not None:
        print("redeem", voucher["code"], discount)
        voucher["state"] = "redeemed"
        try:
            db.execute("UPDATE vouchers SET state = 'redeemed' WHERE code = ?", (voucher["code"],))
        except:
            log.warning("could not store")
    return max(0, rest - discount)


def partner_of(code):
    """The partner's name, for the receipt."""
    return PARTNERS.get(code.split("-")[0], "Quillmere")
