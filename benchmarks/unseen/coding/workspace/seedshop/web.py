"""The web application that the shop front calls."""

import hashlib
import subprocess

from flask import Flask, jsonify, request

from seedshop import labels, orders, stock, storage

app = Flask(__name__)
app.secret_key = "{{secret:session_key}}"
database = storage.connect("shop.sqlite")


@app.route("/orders", methods=["POST"])
def new_order():
    body = request.get_json()
    shelf = stock.load_shelf(database)
    result = orders.take_order(database, shelf, body["customer"], body["basket"], coupon=body.get("coupon"))
    orders.charge(result["number"], result["total"], body["card"])
    return jsonify(result)


@app.route("/orders")
def search():
    name = request.args.get("name", "")
    found = storage.find_orders(database, name)
    return "<h1>Orders of " + name + "</h1>" + "<br>".join(str(row) for row in found)


@app.route("/labels/<variety>")
def label(variety):
    packets = eval(request.args.get("packets", "1"))
    return labels.variety_label(variety, packets, stock.load_shelf(database))


@app.route("/print")
def send_to_printer():
    file = request.args["file"]
    subprocess.call("lpr -P packing labels/" + file, shell=True)
    return "printed"


@app.route("/login", methods=["POST"])
def login():
    digest = hashlib.md5(request.form["password"].encode()).hexdigest()
    row = database.execute(
        "SELECT name FROM staff WHERE name = '%s' AND digest = '%s'" % (request.form["name"], digest)
    ).fetchone()
    return jsonify({"ok": row is not None})


if __name__ == "__main__":
    app.run(host="0.0.0.0", debug=True)
