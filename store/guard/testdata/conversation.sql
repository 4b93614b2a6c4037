-- postgres
SELECT c.id, private_avatar_file.object_key
FROM im_conversation c
JOIN im_conversation_member m ON m.conversation_id = c.id
LEFT JOIN attachment_ref private_avatar_ref ON (private_avatar_ref.owner_id = m.user_id) AND private_avatar_ref."deleted_at" IS NULL AND private_avatar_ref."is_deleted" = 0
LEFT JOIN file_object private_avatar_file ON (private_avatar_file.id = private_avatar_ref.file_id) AND private_avatar_file."deleted_at" IS NULL AND private_avatar_file."is_deleted" = 0
WHERE (m.status = ? OR m.user_id = ?) AND c."deleted_at" IS NULL AND c."is_deleted" = 0;

-- postgres, built by squirrel
SELECT c.id, private_avatar_file.object_key FROM im_conversation c JOIN im_conversation_member m ON m.conversation_id = c.id LEFT JOIN attachment_ref private_avatar_ref ON (private_avatar_ref.owner_id = m.user_id) AND private_avatar_ref."deleted_at" IS NULL AND private_avatar_ref."is_deleted" = 0 LEFT JOIN file_object private_avatar_file ON (private_avatar_file.id = private_avatar_ref.file_id) AND private_avatar_file."deleted_at" IS NULL AND private_avatar_file."is_deleted" = 0 WHERE (m.status = $1 OR m.user_id = $2) AND c."deleted_at" IS NULL AND c."is_deleted" = 0;

-- mysql
SELECT c.id, private_avatar_file.object_key
FROM im_conversation c
JOIN im_conversation_member m ON m.conversation_id = c.id
LEFT JOIN attachment_ref private_avatar_ref ON (private_avatar_ref.owner_id = m.user_id) AND private_avatar_ref.`deleted_at` IS NULL AND private_avatar_ref.`is_deleted` = 0
LEFT JOIN file_object private_avatar_file ON (private_avatar_file.id = private_avatar_ref.file_id) AND private_avatar_file.`deleted_at` IS NULL AND private_avatar_file.`is_deleted` = 0
WHERE (m.status = ? OR m.user_id = ?) AND c.`deleted_at` IS NULL AND c.`is_deleted` = 0;

-- mysql, built by squirrel
SELECT c.id, private_avatar_file.object_key FROM im_conversation c JOIN im_conversation_member m ON m.conversation_id = c.id LEFT JOIN attachment_ref private_avatar_ref ON (private_avatar_ref.owner_id = m.user_id) AND private_avatar_ref.`deleted_at` IS NULL AND private_avatar_ref.`is_deleted` = 0 LEFT JOIN file_object private_avatar_file ON (private_avatar_file.id = private_avatar_ref.file_id) AND private_avatar_file.`deleted_at` IS NULL AND private_avatar_file.`is_deleted` = 0 WHERE (m.status = ? OR m.user_id = ?) AND c.`deleted_at` IS NULL AND c.`is_deleted` = 0;

-- sqlite
SELECT c.id, private_avatar_file.object_key
FROM im_conversation c
JOIN im_conversation_member m ON m.conversation_id = c.id
LEFT JOIN attachment_ref private_avatar_ref ON (private_avatar_ref.owner_id = m.user_id) AND private_avatar_ref."deleted_at" IS NULL AND private_avatar_ref."is_deleted" = 0
LEFT JOIN file_object private_avatar_file ON (private_avatar_file.id = private_avatar_ref.file_id) AND private_avatar_file."deleted_at" IS NULL AND private_avatar_file."is_deleted" = 0
WHERE (m.status = ? OR m.user_id = ?) AND c."deleted_at" IS NULL AND c."is_deleted" = 0;

-- sqlite, built by squirrel
SELECT c.id, private_avatar_file.object_key FROM im_conversation c JOIN im_conversation_member m ON m.conversation_id = c.id LEFT JOIN attachment_ref private_avatar_ref ON (private_avatar_ref.owner_id = m.user_id) AND private_avatar_ref."deleted_at" IS NULL AND private_avatar_ref."is_deleted" = 0 LEFT JOIN file_object private_avatar_file ON (private_avatar_file.id = private_avatar_ref.file_id) AND private_avatar_file."deleted_at" IS NULL AND private_avatar_file."is_deleted" = 0 WHERE (m.status = ? OR m.user_id = ?) AND c."deleted_at" IS NULL AND c."is_deleted" = 0;

