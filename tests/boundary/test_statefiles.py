"""Files of the state folder: links, pipes and other people's files are never opened."""

from __future__ import annotations

import os
import socket

import pytest

from plantwin.statefiles import need_own, need_own_folder, open_own


@pytest.fixture
def stranger(monkeypatch):
    """Whoever asks is neither root nor the owner of what is there."""

    def become(path):
        if os.getuid() == 0:
            os.chown(path, 12345, 12345)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: 12345)

    return become


def test_a_regular_file_is_made_closed_to_others_and_opened(tmp_path):
    path = tmp_path / "file"
    assert not need_own(path)
    before = os.umask(0)
    try:
        os.close(open_own(path, os.O_RDWR | os.O_CREAT))
    finally:
        os.umask(before)
    assert need_own(path)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileNotFoundError):
        open_own(tmp_path / "other", os.O_RDONLY)


@pytest.mark.parametrize("what", ["link", "dangling link", "pipe", "folder", "socket"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, what):
    path = tmp_path / "file"
    (tmp_path / "target").write_text("theirs")
    if what == "link":
        path.symlink_to(tmp_path / "target")
    elif what == "dangling link":
        path.symlink_to(tmp_path / "nothing")
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    else:
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(path))
        listening.close()
    for use in (
        lambda: open_own(path, os.O_RDONLY),
        lambda: open_own(path, os.O_RDWR | os.O_CREAT),
        lambda: need_own(path),
    ):
        with pytest.raises(OSError, match=r"not a regular file of your own|Is a directory"):
            use()
    assert not (tmp_path / "nothing").exists()
    assert (tmp_path / "target").read_text() == "theirs"


def test_a_file_of_somebody_else_is_refused(tmp_path, stranger):
    path = tmp_path / "file"
    path.write_text("theirs")
    stranger(path)
    for use in (lambda: open_own(path, os.O_RDONLY), lambda: need_own(path)):
        with pytest.raises(OSError, match="not a regular file of your own"):
            use()


def test_a_folder_that_others_may_write_is_refused(tmp_path, stranger):
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o755)
    need_own_folder(folder)
    for mode in (0o775, 0o757):
        folder.chmod(mode)
        with pytest.raises(OSError, match="chmod go-w"):
            need_own_folder(folder)
    folder.chmod(0o700)
    stranger(folder)
    with pytest.raises(OSError, match="others own"):
        need_own_folder(folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="others own"):
        need_own_folder(tmp_path / "file")
