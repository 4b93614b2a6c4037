-- trash, postgres
one:   UPDATE "app"."order" SET "deleted_at" = $1 WHERE "id" = $2 AND "deleted_at" IS NULL
read:  SELECT "id", CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN "deleted_at" IS NOT NULL THEN 'trashed' WHEN "deleted_at" IS NULL THEN 'active' ELSE '' END, "deleted_at", NULL, 0, NULL, 0, 0 FROM "app"."order" WHERE "id" IN ($1, $2) ORDER BY "id" FOR UPDATE
write: UPDATE "app"."order" SET "deleted_at" = $1 WHERE "id" IN ($2, $3) AND "deleted_at" IS NULL

-- trash, mysql
one:   (needs a lock first)
read:  SELECT `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN `deleted_at` IS NOT NULL THEN 'trashed' WHEN `deleted_at` IS NULL THEN 'active' ELSE '' END, `deleted_at`, NULL, 0, NULL, 0, 0 FROM `app`.`order` WHERE `id` IN (?, ?) ORDER BY `id` FOR UPDATE
write: UPDATE `app`.`order` SET `deleted_at` = ? WHERE `id` IN (?, ?) AND `deleted_at` IS NULL

-- trash, sqlite
one:   UPDATE `app`.`order` SET `deleted_at` = ? WHERE `id` = ? AND `deleted_at` IS NULL AND typeof(`id`) = 'integer'
read:  SELECT `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN `deleted_at` IS NOT NULL THEN 'trashed' WHEN `deleted_at` IS NULL THEN 'active' ELSE '' END, CAST(`deleted_at` AS TEXT), NULL, 0, NULL, 0, 0 FROM `app`.`order` WHERE `id` IN (?, ?) ORDER BY `id`
write: UPDATE `app`.`order` SET `deleted_at` = ? WHERE `id` IN (?, ?) AND `deleted_at` IS NULL

-- restore, postgres
one:   UPDATE "app"."order" SET "deleted_at" = NULL WHERE "id" = $1 AND "deleted_at" IS NOT NULL AND NOT ((("deleted_at" <= $2 AND "deleted_at" >= $3)) AND "deleted_at" <= $4)
read:  SELECT "id", CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN "deleted_at" IS NOT NULL THEN 'trashed' WHEN "deleted_at" IS NULL THEN 'active' ELSE '' END, "deleted_at", NULL, 0, NULL, 0, 0 FROM "app"."order" WHERE "id" IN ($1, $2) ORDER BY "id" FOR UPDATE
write: UPDATE "app"."order" SET "deleted_at" = NULL WHERE "id" IN ($1, $2) AND "deleted_at" IS NOT NULL AND NOT ((("deleted_at" <= $3 AND "deleted_at" >= $4)) AND "deleted_at" <= $5)

-- restore, mysql
one:   (needs a lock first)
read:  SELECT `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN `deleted_at` IS NOT NULL THEN 'trashed' WHEN `deleted_at` IS NULL THEN 'active' ELSE '' END, `deleted_at`, NULL, 0, NULL, 0, 0 FROM `app`.`order` WHERE `id` IN (?, ?) ORDER BY `id` FOR UPDATE
write: UPDATE `app`.`order` SET `deleted_at` = NULL WHERE `id` IN (?, ?) AND `deleted_at` IS NOT NULL AND NOT (((`deleted_at` <= ? AND `deleted_at` >= ?)) AND `deleted_at` <= ?)

-- restore, sqlite
one:   UPDATE `app`.`order` SET `deleted_at` = NULL WHERE `id` = ? AND `deleted_at` IS NOT NULL AND NOT (((`deleted_at` <= ? AND `deleted_at` >= ?)) AND `deleted_at` <= ? AND `deleted_at` GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]Z') AND typeof(`id`) = 'integer'
read:  SELECT `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN `deleted_at` IS NOT NULL THEN 'trashed' WHEN `deleted_at` IS NULL THEN 'active' ELSE '' END, CAST(`deleted_at` AS TEXT), NULL, 0, NULL, 0, 0 FROM `app`.`order` WHERE `id` IN (?, ?) ORDER BY `id`
write: UPDATE `app`.`order` SET `deleted_at` = NULL WHERE `id` IN (?, ?) AND `deleted_at` IS NOT NULL AND NOT (((`deleted_at` <= ? AND `deleted_at` >= ?)) AND `deleted_at` <= ? AND `deleted_at` GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]Z')

-- purge, postgres
one:   DELETE FROM "app"."order" WHERE "id" = $1 AND "deleted_at" IS NOT NULL
read:  SELECT "id", CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN "deleted_at" IS NOT NULL THEN 'trashed' WHEN "deleted_at" IS NULL THEN 'active' ELSE '' END, "deleted_at", NULL, 0, NULL, 0, 0 FROM "app"."order" WHERE "id" IN ($1, $2) ORDER BY "id" FOR UPDATE
write: DELETE FROM "app"."order" WHERE "id" IN ($1, $2) AND "deleted_at" IS NOT NULL

-- purge, mysql
one:   (needs a lock first)
read:  SELECT `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN `deleted_at` IS NOT NULL THEN 'trashed' WHEN `deleted_at` IS NULL THEN 'active' ELSE '' END, `deleted_at`, NULL, 0, NULL, 0, 0 FROM `app`.`order` WHERE `id` IN (?, ?) ORDER BY `id` FOR UPDATE
write: DELETE FROM `app`.`order` WHERE `id` IN (?, ?) AND `deleted_at` IS NOT NULL

-- purge, sqlite
one:   DELETE FROM `app`.`order` WHERE `id` = ? AND `deleted_at` IS NOT NULL AND typeof(`id`) = 'integer'
read:  SELECT `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN `deleted_at` IS NOT NULL THEN 'trashed' WHEN `deleted_at` IS NULL THEN 'active' ELSE '' END, CAST(`deleted_at` AS TEXT), NULL, 0, NULL, 0, 0 FROM `app`.`order` WHERE `id` IN (?, ?) ORDER BY `id`
write: DELETE FROM `app`.`order` WHERE `id` IN (?, ?) AND `deleted_at` IS NOT NULL

-- expire, postgres
one:   DELETE FROM "app"."order" WHERE "id" = $1 AND "deleted_at" IS NOT NULL AND ((("deleted_at" <= $2 AND "deleted_at" >= $3)) AND "deleted_at" <= $4)
read:  SELECT "id", CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN "deleted_at" IS NOT NULL THEN 'trashed' WHEN "deleted_at" IS NULL THEN 'active' ELSE '' END, "deleted_at", NULL, 0, NULL, 0, 0 FROM "app"."order" WHERE "id" IN ($1, $2) ORDER BY "id" FOR UPDATE
write: DELETE FROM "app"."order" WHERE "id" IN ($1, $2) AND "deleted_at" IS NOT NULL AND ((("deleted_at" <= $3 AND "deleted_at" >= $4)) AND "deleted_at" <= $5)

-- expire, mysql
one:   (needs a lock first)
read:  SELECT `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN `deleted_at` IS NOT NULL THEN 'trashed' WHEN `deleted_at` IS NULL THEN 'active' ELSE '' END, `deleted_at`, NULL, 0, NULL, 0, 0 FROM `app`.`order` WHERE `id` IN (?, ?) ORDER BY `id` FOR UPDATE
write: DELETE FROM `app`.`order` WHERE `id` IN (?, ?) AND `deleted_at` IS NOT NULL AND (((`deleted_at` <= ? AND `deleted_at` >= ?)) AND `deleted_at` <= ?)

-- expire, sqlite
one:   DELETE FROM `app`.`order` WHERE `id` = ? AND `deleted_at` IS NOT NULL AND (((`deleted_at` <= ? AND `deleted_at` >= ?)) AND `deleted_at` <= ? AND `deleted_at` GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]Z') AND typeof(`id`) = 'integer'
read:  SELECT `id`, CASE WHEN 1 = 0 THEN 'reclaimed' WHEN 1 = 0 THEN 'purged' WHEN `deleted_at` IS NOT NULL THEN 'trashed' WHEN `deleted_at` IS NULL THEN 'active' ELSE '' END, CAST(`deleted_at` AS TEXT), NULL, 0, NULL, 0, 0 FROM `app`.`order` WHERE `id` IN (?, ?) ORDER BY `id`
write: DELETE FROM `app`.`order` WHERE `id` IN (?, ?) AND `deleted_at` IS NOT NULL AND (((`deleted_at` <= ? AND `deleted_at` >= ?)) AND `deleted_at` <= ? AND `deleted_at` GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]Z')

