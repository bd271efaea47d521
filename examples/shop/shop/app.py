"""Starts the shop: reads the settings, wires the services, registers the routes."""

import logging
import os
from pathlib import Path

import yaml
from flask import Flask, g, jsonify, request

from shop import orders
from shop.auth.service import AuthService, InvalidLogin
from shop.db import connect
from shop.payments.quillfjord_gateway import QuillfjordGateway
from shop.payments.service import Declined, PaymentService, RefundRefused


def load_config() -> dict:
    name = os.environ.get("SHOP_ENV", "staging")
    return yaml.safe_load(Path("config", f"{name}.yaml").read_text())


def create_app() -> Flask:
    config = load_config()
    logging.basicConfig(level=config["logging"]["level"])
    app = Flask(__name__, static_folder="../web")
    auth = AuthService(connect, os.environ["SECRET_KEY"], config["sessions"], config["features"]["legacy_login"])
    payments = PaymentService(connect, QuillfjordGateway(config["payments"]), config["payments"]["refund_window_days"])

    @app.before_request
    def identify() -> None:
        g.customer = auth.customer_of(request.headers.get("Authorization", ""))

    @app.post("/api/login")
    def login():
        body = request.get_json()
        try:
            return jsonify(token=auth.login(body["email"], body["password"]))
        except InvalidLogin:
            return jsonify(error="wrong address or password"), 401

    @app.get("/api/orders")
    def list_orders():
        return jsonify(orders.of_customer(connect(), g.customer, request.args.get("status", "open")))

    @app.post("/api/orders/<int:order_id>/pay")
    def pay(order_id: int):
        try:
            return jsonify(payments.charge(order_id, request.get_json()["card"])), 201
        except Declined:
            return jsonify(error="declined"), 402

    @app.post("/api/orders/<int:order_id>/refund")
    def refund(order_id: int):
        try:
            return jsonify(payments.refund(order_id)), 201
        except RefundRefused as error:
            return jsonify(error=error.reason), 409

    return app
