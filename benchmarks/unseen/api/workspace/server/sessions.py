"""Starting, stopping and listing of charging sessions (v2)."""

import sqlite3
import uuid

try:
    from flask import Blueprint, jsonify, request
except ImportError:  # tests of the plain functions run without Flask
    Blueprint = None

CONNECTORS = {"type2": 22, "ccs": 150, "chademo": 50}


def check_start(message):
    """Problems of a start message, an empty list if there are none."""
    problems = []
    for name in ("point_id", "card", "connector"):
        if name not in message:
            problems.append("missing " + name)
    if message.get("connector") not in CONNECTORS:
        problems.append("unknown connector")
    return problems


def power_limit(message, point):
    """Kilowatts that the point may give."""
    wanted = CONNECTORS[message["connector"].lower()]
    return min(wanted, point["max_kw"] / point["cars_plugged"])


def estimate_minutes(max_kwh, kilowatts):
    return round(int(max_kwh) / kilowatts * 60)


def start(db, message, point):
    kilowatts = power_limit(message, point)
    session = str(uuid.uuid4())
    db.execute(
        "INSERT INTO sessions (id, point, card, kw) VALUES ('%s', '%s', '%s', %s)"
        % (session, message["point_id"], message["card"], kilowatts)
    )
    return {"id": session, "kw": kilowatts, "minutes": estimate_minutes(message["max_kwh"], kilowatts)}


if Blueprint:
    routes = Blueprint("sessions", __name__)

    @routes.post("/sessions")
    def post_session():
        message = request.get_json(force=True)
        problems = check_start(message)
        if problems:
            return jsonify(problems), 400
        db = sqlite3.connect("charging.db")
        point = db.execute("SELECT * FROM points WHERE id = '" + message["point_id"] + "'").fetchone()
        return jsonify(start(db, message, point)), 201

    @routes.get("/sessions")
    def list_sessions():
        limit = request.args.get("limit", 50)
        db = sqlite3.connect("charging.db")
        rows = db.execute(f"SELECT * FROM sessions ORDER BY started LIMIT {limit}").fetchall()
        return jsonify(rows)

    @routes.post("/sessions/<session_id>/stop")
    def stop_session(session_id):
        db = sqlite3.connect("charging.db")
        db.execute("UPDATE sessions SET stopped = 1 WHERE id = ?", (session_id,))
        return "", 200
