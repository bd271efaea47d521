"""/members"""

from flask import Blueprint, abort, jsonify, request

from perks import auth, db, points

bp = Blueprint("members", __name__)


@bp.post("/login")
def login():
    member = auth.check_password(request.json["email"], request.json["password"])
    if member is None:
        abort(401)
    return jsonify(token=auth.sign({"sub": member, "exp": 4102444800}))


@bp.get("/<int:member_id>")
@auth.login_required
def show(member_id):
    try:
        row = db.fetch_one("SELECT id, name, email, birthday FROM members WHERE id = ?", (member_id,))
    except db.NotFound:
        abort(404)
    return jsonify(**dict(row), balance=points.balance(member_id))


@bp.delete("/<int:member_id>")
def remove(member_id):
    db.execute("DELETE FROM members WHERE id = ?", (member_id,))
    return "", 204


@bp.post("/<int:member_id>/orders")
@auth.login_required
def order(member_id):
    body = request.json
    return jsonify(points=points.credit(member_id, body["order_id"], body["lines"]))
