CREATE TABLE IF NOT EXISTS {op} (
	id     VARCHAR(32)   NOT NULL PRIMARY KEY,
	edge   VARCHAR(32)   NOT NULL,
	actor  VARCHAR(255)  NOT NULL,
	reason VARCHAR(1000) NOT NULL,
	at     DATETIME(6)   NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE TABLE IF NOT EXISTS {audit} (
	id         BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
	op         VARCHAR(32)  NOT NULL,
	table_name VARCHAR(127) NOT NULL,
	row_key    VARCHAR(512) NOT NULL,
	edge       VARCHAR(32)  NOT NULL,
	from_state VARCHAR(32)  NOT NULL,
	to_state   VARCHAR(32)  NOT NULL,
	at         DATETIME(6)  NOT NULL,
	INDEX {audit_row} (table_name, row_key, id),
	INDEX {audit_op} (op)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE TABLE IF NOT EXISTS {object} (
	id        BIGINT          NOT NULL AUTO_INCREMENT PRIMARY KEY,
	bucket    VARBINARY(255)  NOT NULL,
	obj_key   VARBINARY(1024) NOT NULL,
	state     VARCHAR(16)     NOT NULL CHECK (state IN ('live', 'doomed', 'reclaiming', 'reclaimed')),
	orphan    SMALLINT        NOT NULL DEFAULT 0,
	fence     BIGINT          NOT NULL DEFAULT 0,
	attempts  BIGINT          NOT NULL DEFAULT 0,
	doomed_at DATETIME(6)     NOT NULL,
	next_at   DATETIME(6)     NOT NULL,
	last_code VARCHAR(64)     NOT NULL DEFAULT '',
	UNIQUE INDEX {object_key} (bucket, obj_key),
	INDEX {object_due} (bucket, state, next_at, id)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE TABLE IF NOT EXISTS {waiting} (
	table_name VARCHAR(127) NOT NULL,
	row_key    VARCHAR(512) NOT NULL,
	object_id  BIGINT       NOT NULL,
	PRIMARY KEY (table_name, row_key, object_id),
	INDEX {waiting_object} (object_id)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE TABLE IF NOT EXISTS {attempt} (
	id        BIGINT      NOT NULL AUTO_INCREMENT PRIMARY KEY,
	object_id BIGINT      NOT NULL,
	fence     BIGINT      NOT NULL,
	at        DATETIME(6) NOT NULL,
	versions  BIGINT      NOT NULL,
	markers   BIGINT      NOT NULL,
	bytes     BIGINT      NOT NULL,
	code      VARCHAR(64) NOT NULL,
	INDEX {attempt_object} (object_id)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
