# Kept until the depot handhelds are migrated, see services/auth for the current one.
import hashlib
import time

import memcache

mc = memcache.Client(["127.0.0.1:11211"])


def do_login(db, username, password):
    row = db.execute("select id, pw, salt from users where username = %s", (username,)).fetchone()
    if not row:
        return None
    digest = hashlib.md5((row["salt"] + password).encode()).hexdigest()
    if digest != row["pw"]:
        time.sleep(1)
        return None
    sid = hashlib.md5(("%s%s" % (row["id"], time.time())).encode()).hexdigest()
    mc.set("sess_" + sid, {"uid": row["id"], "ts": time.time()}, time=86400)
    return sid


def current_user(db, cookies):
    sid = cookies.get("PHSESSID")
    sess = sid and mc.get("sess_" + sid)
    if not sess:
        return None
    return db.execute("select * from users where id = %s", (sess["uid"],)).fetchone()


def logout(cookies):
    mc.delete("sess_" + cookies.get("PHSESSID", ""))
