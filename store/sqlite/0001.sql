CREATE TABLE IF NOT EXISTS {op} (
	id     TEXT NOT NULL PRIMARY KEY,
	edge   TEXT NOT NULL,
	actor  TEXT NOT NULL,
	reason TEXT NOT NULL,
	at     TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS {audit} (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	op         TEXT NOT NULL,
	table_name TEXT NOT NULL,
	row_key    TEXT NOT NULL,
	edge       TEXT NOT NULL,
	from_state TEXT NOT NULL,
	to_state   TEXT NOT NULL,
	at         TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS {audit_row} ON {audit} (table_name, row_key, id);
CREATE INDEX IF NOT EXISTS {audit_op} ON {audit} (op);
CREATE TABLE IF NOT EXISTS {object} (
	id        INTEGER PRIMARY KEY AUTOINCREMENT,
	bucket    TEXT    NOT NULL,
	obj_key   TEXT    NOT NULL,
	state     TEXT    NOT NULL CHECK (state IN ('live', 'doomed', 'reclaiming', 'reclaimed')),
	orphan    INTEGER NOT NULL DEFAULT 0,
	fence     INTEGER NOT NULL DEFAULT 0,
	attempts  INTEGER NOT NULL DEFAULT 0,
	doomed_at TEXT    NOT NULL,
	next_at   TEXT    NOT NULL,
	last_code TEXT    NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX IF NOT EXISTS {object_key} ON {object} (bucket, obj_key);
CREATE INDEX IF NOT EXISTS {object_due} ON {object} (bucket, next_at, id) WHERE state IN ('doomed', 'reclaiming');
CREATE TABLE IF NOT EXISTS {waiting} (
	table_name TEXT    NOT NULL,
	row_key    TEXT    NOT NULL,
	object_id  INTEGER NOT NULL,
	PRIMARY KEY (table_name, row_key, object_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS {waiting_object} ON {waiting} (object_id);
CREATE TABLE IF NOT EXISTS {attempt} (
	id        INTEGER PRIMARY KEY AUTOINCREMENT,
	object_id INTEGER NOT NULL,
	fence     INTEGER NOT NULL,
	at        TEXT    NOT NULL,
	versions  INTEGER NOT NULL,
	markers   INTEGER NOT NULL,
	bytes     INTEGER NOT NULL,
	code      TEXT    NOT NULL
);
CREATE INDEX IF NOT EXISTS {attempt_object} ON {attempt} (object_id);
