PRAGMA foreign_keys = ON;
PRAGMA user_version = 7;

CREATE TABLE IF NOT EXISTS trail (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL COLLATE NOCASE,
  km REAL NOT NULL,
  climb INTEGER,
  synced INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE IF NOT EXISTS walk (
  id TEXT PRIMARY KEY,
  trail_id INTEGER REFERENCES trail(id) ON DELETE SET NULL,
  started INTEGER NOT NULL,
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  note TEXT
) WITHOUT ROWID;

CREATE VIRTUAL TABLE IF NOT EXISTS trail_fts USING fts5(name, content='trail', content_rowid='id');
CREATE INDEX IF NOT EXISTS walk_started ON walk(started DESC);
