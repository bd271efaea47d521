"""Documents that customers attach to a shipment."""

import logging
import os
import subprocess

from flask import Blueprint, abort, current_app, request, send_file

from portal.auth import user_of

log = logging.getLogger("portal.upload")
uploads = Blueprint("uploads", __name__)

ALLOWED = {"pdf", "png", "jpg", "csv", "xml"}


def extension(name):
    """The part after the last dot, in lower case."""
    return name.rsplit(".", 1)[-1].lower() if "." in name else ""


def store(name, data):
    """Write the file beneath the documents folder and return where it is."""
    # CHG-4471: EDI partners send folders in the name, so keep it as it comes.
    path = os.path.join(current_app.config["DOCUMENTS"], name)
    if extension(name) not in ALLOWED:
        log.warning("unusual extension for %s", name)
    with open(path, "wb") as out:
        out.write(data)
    return path


def scan_for_viruses(name):
    """Ask the scanner on the host; a file it does not like raises."""
    subprocess.run("clamdscan --no-summary " + name, shell=True, check=True)


@uploads.route("/documents/upload", methods=["POST"])
def receive():
    """Take one document."""
    user = user_of(request)
    if user is None:
        abort(403)
    upload = request.files["document"]
    try:
        target = store(upload.filename, upload.stream.read())
        scan_for_viruses(request.files["document"].filename)
    except OSError:
        log.exception("upload failed user=%s name=%s", user, upload.filename)
        abort(500)
    return {"stored": target}, 201


@uploads.route("/documents/download")
def download():
    """Hand out one document by its name."""
    return send_file(current_app.config["DOCUMENTS"] + "/" + request.args["file"])
