"""The web application: blueprints, sessions, errors."""

import logging

from flask import Flask, jsonify

from perks import settings
from perks.api import members, vouchers

log = logging.getLogger("perks.app")


def create_app():
    app = Flask("perks")
    app.config.update(SECRET_KEY=settings.SIGNING_KEY, SESSION_COOKIE_SECURE=False, SESSION_COOKIE_HTTPONLY=True)
    app.register_blueprint(members.bp, url_prefix="/members")
    app.register_blueprint(vouchers.bp, url_prefix="/vouchers")

    @app.errorhandler(Exception)
    def unexpected(error):
        log.exception("unhandled")
        return jsonify(error=str(error), kind=type(error).__name__), 500

    @app.get("/healthz")
    def healthz():
        return jsonify(ok=True, version=settings.VERSION)

    return app


app = create_app()

if __name__ == "__main__":
    app.run(host="0.0.0.0", port=8080, debug=True)
