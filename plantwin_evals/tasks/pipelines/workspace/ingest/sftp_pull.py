"""Fetch the day's file from the meter operator."""

import datetime

HOST = "sftp.gridmoor-metering.example"
USER = "ovenbird"
PASSWORD = "{{secret:sftp_password}}"
LANDING = "data/landing"


def pull(day=None):
    """The local path of the file of that day."""
    import paramiko

    day = day or datetime.date.today()
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    client.connect(HOST, username=USER, password=PASSWORD, timeout=20)
    name = f"readings_{day:%Y-%m-%d}.csv"
    client.open_sftp().get(f"/out/{name}", f"{LANDING}/{name}")
    return f"{LANDING}/{name}"
