"""/vouchers"""

import datetime

from flask import Blueprint, jsonify, redirect, request

from perks import auth, db, payments, vouchers

bp = Blueprint("vouchers", __name__)


@bp.post("/redeem")
@auth.login_required
def redeem():
    body = request.json
    voucher = dict(db.fetch_one("SELECT * FROM vouchers WHERE code = ?", (body["code"],)))
    rest = vouchers.redeem(
        voucher, body["basket"], request.member, body.get("shop"), body.get("channel", "web"), datetime.date.today()
    )
    return jsonify(rest=rest)


@bp.get("/charges")
@auth.login_required
def charges():
    return jsonify([dict(row) for row in payments.find_charges(request.args["q"], request.args.get("sort", "id"))])


@bp.get("/partner")
def partner():
    return redirect(request.args["next"])
