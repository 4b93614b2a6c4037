CREATE TABLE IF NOT EXISTS {op} (
	id     varchar(32)  NOT NULL PRIMARY KEY,
	edge   varchar(32)  NOT NULL,
	actor  varchar(255) NOT NULL,
	reason varchar(1000) NOT NULL,
	at     timestamptz  NOT NULL
);
CREATE TABLE IF NOT EXISTS {audit} (
	id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	op         varchar(32)  NOT NULL,
	table_name varchar(127) NOT NULL,
	row_key    varchar(512) COLLATE "C" NOT NULL,
	edge       varchar(32)  NOT NULL,
	from_state varchar(32)  NOT NULL,
	to_state   varchar(32)  NOT NULL,
	at         timestamptz  NOT NULL
);
CREATE INDEX IF NOT EXISTS {audit_row} ON {audit} (table_name, row_key, id);
CREATE INDEX IF NOT EXISTS {audit_op} ON {audit} (op);
CREATE TABLE IF NOT EXISTS {object} (
	id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	bucket    varchar(255)  COLLATE "C" NOT NULL,
	obj_key   varchar(1024) COLLATE "C" NOT NULL,
	state     varchar(16)  NOT NULL CHECK (state IN ('live', 'doomed', 'reclaiming', 'reclaimed')),
	orphan    smallint     NOT NULL DEFAULT 0,
	fence     bigint       NOT NULL DEFAULT 0,
	attempts  bigint       NOT NULL DEFAULT 0,
	doomed_at timestamptz  NOT NULL,
	next_at   timestamptz  NOT NULL,
	last_code varchar(64)  NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX IF NOT EXISTS {object_key} ON {object} (bucket, obj_key);
CREATE INDEX IF NOT EXISTS {object_due} ON {object} (bucket, next_at, id) WHERE state IN ('doomed', 'reclaiming');
CREATE TABLE IF NOT EXISTS {waiting} (
	table_name varchar(127) NOT NULL,
	row_key    varchar(512) COLLATE "C" NOT NULL,
	object_id  bigint       NOT NULL,
	PRIMARY KEY (table_name, row_key, object_id)
);
CREATE INDEX IF NOT EXISTS {waiting_object} ON {waiting} (object_id);
CREATE TABLE IF NOT EXISTS {attempt} (
	id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	object_id bigint      NOT NULL,
	fence     bigint      NOT NULL,
	at        timestamptz NOT NULL,
	versions  bigint      NOT NULL,
	markers   bigint      NOT NULL,
	bytes     bigint      NOT NULL,
	code      varchar(64) NOT NULL
);
CREATE INDEX IF NOT EXISTS {attempt_object} ON {attempt} (object_id);
