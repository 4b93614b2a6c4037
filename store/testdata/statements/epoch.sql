-- trash, postgres
one:   UPDATE "session" SET "deleted" = $1, "v" = "v" + 1 WHERE "tenant" = $2 AND "id" = $3 AND ("deleted" IS NULL OR "deleted" = 0) AND ("gone" IS NULL OR "gone" = 0)
read:  SELECT "tenant", "id", CASE WHEN 1 = 0 THEN 'reclaimed' WHEN "gone" <> 0 THEN 'purged' WHEN "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0) THEN 'trashed' WHEN ("deleted" IS NULL OR "deleted" = 0) AND ("gone" IS NULL OR "gone" = 0) THEN 'active' ELSE '' END, "deleted", NULL, 0, "v", 0, 0 FROM "session" WHERE (("tenant" = $1 AND "id" = $2) OR ("tenant" = $3 AND "id" = $4)) ORDER BY "tenant", "id" FOR UPDATE
write: UPDATE "session" SET "deleted" = $1, "v" = "v" + 1 WHERE (("tenant" = $2 AND "id" = $3) OR ("tenant" = $4 AND "id" = $5)) AND ("deleted" IS NULL OR "deleted" = 0) AND ("gone" IS NULL OR "gone" = 0)

-- trash, mysql
one:   (needs a lock first)
read:  SELECT `tenant`, `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN `gone` <> 0 THEN 'purged' WHEN `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) THEN 'trashed' WHEN (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) THEN 'active' ELSE '' END, `deleted`, NULL, 0, `v`, 0, 0 FROM `session` WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) ORDER BY `tenant`, `id` FOR UPDATE
write: UPDATE `session` SET `deleted` = ?, `v` = `v` + 1 WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) AND (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0)

-- trash, sqlite
one:   UPDATE `session` SET `deleted` = ?, `v` = `v` + 1 WHERE `tenant` = ? AND `id` = ? AND (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) AND typeof(`tenant`) = 'integer' AND typeof(`id`) = 'integer'
read:  SELECT `tenant`, `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN `gone` <> 0 THEN 'purged' WHEN `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) THEN 'trashed' WHEN (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) THEN 'active' ELSE '' END, `deleted`, NULL, 0, `v`, 0, 0 FROM `session` WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) ORDER BY `tenant`, `id`
write: UPDATE `session` SET `deleted` = ?, `v` = `v` + 1 WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) AND (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0)

-- restore, postgres
one:   UPDATE "session" SET "deleted" = 0, "v" = "v" + 1 WHERE "tenant" = $1 AND "id" = $2 AND "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0) AND NOT ((("deleted" <= $3 AND "deleted" >= $4)) AND "deleted" <= $5)
read:  SELECT "tenant", "id", CASE WHEN 1 = 0 THEN 'reclaimed' WHEN "gone" <> 0 THEN 'purged' WHEN "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0) THEN 'trashed' WHEN ("deleted" IS NULL OR "deleted" = 0) AND ("gone" IS NULL OR "gone" = 0) THEN 'active' ELSE '' END, "deleted", NULL, 0, "v", 0, 0 FROM "session" WHERE (("tenant" = $1 AND "id" = $2) OR ("tenant" = $3 AND "id" = $4)) ORDER BY "tenant", "id" FOR UPDATE
write: UPDATE "session" SET "deleted" = 0, "v" = "v" + 1 WHERE (("tenant" = $1 AND "id" = $2) OR ("tenant" = $3 AND "id" = $4)) AND "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0) AND NOT ((("deleted" <= $5 AND "deleted" >= $6)) AND "deleted" <= $7)

-- restore, mysql
one:   (needs a lock first)
read:  SELECT `tenant`, `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN `gone` <> 0 THEN 'purged' WHEN `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) THEN 'trashed' WHEN (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) THEN 'active' ELSE '' END, `deleted`, NULL, 0, `v`, 0, 0 FROM `session` WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) ORDER BY `tenant`, `id` FOR UPDATE
write: UPDATE `session` SET `deleted` = 0, `v` = `v` + 1 WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) AND NOT (((`deleted` <= ? AND `deleted` >= ?)) AND `deleted` <= ?)

-- restore, sqlite
one:   UPDATE `session` SET `deleted` = 0, `v` = `v` + 1 WHERE `tenant` = ? AND `id` = ? AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) AND NOT (((`deleted` <= ? AND `deleted` >= ?)) AND `deleted` <= ?) AND typeof(`tenant`) = 'integer' AND typeof(`id`) = 'integer'
read:  SELECT `tenant`, `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN `gone` <> 0 THEN 'purged' WHEN `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) THEN 'trashed' WHEN (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) THEN 'active' ELSE '' END, `deleted`, NULL, 0, `v`, 0, 0 FROM `session` WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) ORDER BY `tenant`, `id`
write: UPDATE `session` SET `deleted` = 0, `v` = `v` + 1 WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) AND NOT (((`deleted` <= ? AND `deleted` >= ?)) AND `deleted` <= ?)

-- purge, postgres
one:   UPDATE "session" SET "gone" = 1, "v" = "v" + 1 WHERE "tenant" = $1 AND "id" = $2 AND "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0)
read:  SELECT "tenant", "id", CASE WHEN 1 = 0 THEN 'reclaimed' WHEN "gone" <> 0 THEN 'purged' WHEN "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0) THEN 'trashed' WHEN ("deleted" IS NULL OR "deleted" = 0) AND ("gone" IS NULL OR "gone" = 0) THEN 'active' ELSE '' END, "deleted", NULL, 0, "v", 0, 0 FROM "session" WHERE (("tenant" = $1 AND "id" = $2) OR ("tenant" = $3 AND "id" = $4)) ORDER BY "tenant", "id" FOR UPDATE
write: UPDATE "session" SET "gone" = 1, "v" = "v" + 1 WHERE (("tenant" = $1 AND "id" = $2) OR ("tenant" = $3 AND "id" = $4)) AND "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0)

-- purge, mysql
one:   (needs a lock first)
read:  SELECT `tenant`, `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN `gone` <> 0 THEN 'purged' WHEN `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) THEN 'trashed' WHEN (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) THEN 'active' ELSE '' END, `deleted`, NULL, 0, `v`, 0, 0 FROM `session` WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) ORDER BY `tenant`, `id` FOR UPDATE
write: UPDATE `session` SET `gone` = 1, `v` = `v` + 1 WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0)

-- purge, sqlite
one:   UPDATE `session` SET `gone` = 1, `v` = `v` + 1 WHERE `tenant` = ? AND `id` = ? AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) AND typeof(`tenant`) = 'integer' AND typeof(`id`) = 'integer'
read:  SELECT `tenant`, `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN `gone` <> 0 THEN 'purged' WHEN `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) THEN 'trashed' WHEN (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) THEN 'active' ELSE '' END, `deleted`, NULL, 0, `v`, 0, 0 FROM `session` WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) ORDER BY `tenant`, `id`
write: UPDATE `session` SET `gone` = 1, `v` = `v` + 1 WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0)

-- expire, postgres
one:   UPDATE "session" SET "gone" = 1, "v" = "v" + 1 WHERE "tenant" = $1 AND "id" = $2 AND "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0) AND ((("deleted" <= $3 AND "deleted" >= $4)) AND "deleted" <= $5)
read:  SELECT "tenant", "id", CASE WHEN 1 = 0 THEN 'reclaimed' WHEN "gone" <> 0 THEN 'purged' WHEN "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0) THEN 'trashed' WHEN ("deleted" IS NULL OR "deleted" = 0) AND ("gone" IS NULL OR "gone" = 0) THEN 'active' ELSE '' END, "deleted", NULL, 0, "v", 0, 0 FROM "session" WHERE (("tenant" = $1 AND "id" = $2) OR ("tenant" = $3 AND "id" = $4)) ORDER BY "tenant", "id" FOR UPDATE
write: UPDATE "session" SET "gone" = 1, "v" = "v" + 1 WHERE (("tenant" = $1 AND "id" = $2) OR ("tenant" = $3 AND "id" = $4)) AND "deleted" <> 0 AND ("gone" IS NULL OR "gone" = 0) AND ((("deleted" <= $5 AND "deleted" >= $6)) AND "deleted" <= $7)

-- expire, mysql
one:   (needs a lock first)
read:  SELECT `tenant`, `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN `gone` <> 0 THEN 'purged' WHEN `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) THEN 'trashed' WHEN (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) THEN 'active' ELSE '' END, `deleted`, NULL, 0, `v`, 0, 0 FROM `session` WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) ORDER BY `tenant`, `id` FOR UPDATE
write: UPDATE `session` SET `gone` = 1, `v` = `v` + 1 WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) AND (((`deleted` <= ? AND `deleted` >= ?)) AND `deleted` <= ?)

-- expire, sqlite
one:   UPDATE `session` SET `gone` = 1, `v` = `v` + 1 WHERE `tenant` = ? AND `id` = ? AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) AND (((`deleted` <= ? AND `deleted` >= ?)) AND `deleted` <= ?) AND typeof(`tenant`) = 'integer' AND typeof(`id`) = 'integer'
read:  SELECT `tenant`, `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN `gone` <> 0 THEN 'purged' WHEN `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) THEN 'trashed' WHEN (`deleted` IS NULL OR `deleted` = 0) AND (`gone` IS NULL OR `gone` = 0) THEN 'active' ELSE '' END, `deleted`, NULL, 0, `v`, 0, 0 FROM `session` WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) ORDER BY `tenant`, `id`
write: UPDATE `session` SET `gone` = 1, `v` = `v` + 1 WHERE ((`tenant` = ? AND `id` = ?) OR (`tenant` = ? AND `id` = ?)) AND `deleted` <> 0 AND (`gone` IS NULL OR `gone` = 0) AND (((`deleted` <= ? AND `deleted` >= ?)) AND `deleted` <= ?)

