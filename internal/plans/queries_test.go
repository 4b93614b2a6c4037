package plans

// pair is a query and what a careful person makes of it: {d} stands for the
// filter of the reference d.
type pair struct {
	name, plain, hand string
	// sqlite is another way to write it there.
	sqlite string
	// but are products that do not have it.
	but []string
}

var queries = []pair{
	{
		name: "by key", plain: "SELECT d.title FROM document d WHERE d.id = 4711",
		hand: "SELECT d.title FROM document d WHERE d.id = 4711 AND {d}",
	}, {
		name: "list by an index", plain: "SELECT d.id, d.title FROM document d WHERE d.folder_id = 42",
		hand: "SELECT d.id, d.title FROM document d WHERE d.folder_id = 42 AND {d}",
	}, {
		name: "keyset page", plain: "SELECT d.id FROM document d WHERE d.owner_id = 7 AND d.created > 1000 ORDER BY d.created LIMIT 20",
		hand: "SELECT d.id FROM document d WHERE d.owner_id = 7 AND d.created > 1000 AND {d} ORDER BY d.created LIMIT 20",
	}, {
		name: "or", plain: "SELECT d.id FROM document d WHERE d.id = 5 OR d.folder_id = 42",
		hand: "SELECT d.id FROM document d WHERE (d.id = 5 OR d.folder_id = 42) AND {d}",
	}, {
		name: "in list", plain: "SELECT d.title FROM document d WHERE d.id IN (1, 20, 300, 4000)",
		hand: "SELECT d.title FROM document d WHERE d.id IN (1, 20, 300, 4000) AND {d}",
	}, {
		name: "count", plain: "SELECT count(*) FROM document d WHERE d.owner_id = 7",
		hand: "SELECT count(*) FROM document d WHERE d.owner_id = 7 AND {d}",
	}, {
		name: "group by", plain: "SELECT d.folder_id, count(*), sum(d.size) FROM document d WHERE d.owner_id = 7 GROUP BY d.folder_id",
		hand: "SELECT d.folder_id, count(*), sum(d.size) FROM document d WHERE d.owner_id = 7 AND {d} GROUP BY d.folder_id",
	}, {
		name: "group by a key", plain: "SELECT f.id, f.name, count(d.id) FROM folder f JOIN document d ON d.folder_id = f.id WHERE f.owner_id = 7 GROUP BY f.id, f.name",
		hand: "SELECT f.id, f.name, count(d.id) FROM folder f JOIN document d ON d.folder_id = f.id WHERE f.owner_id = 7 AND {f} AND {d} GROUP BY f.id, f.name",
	}, {
		name: "inner join", plain: "SELECT d.id, f.name FROM document d JOIN folder f ON f.id = d.folder_id WHERE d.owner_id = 7",
		hand: "SELECT d.id, f.name FROM document d JOIN folder f ON f.id = d.folder_id WHERE d.owner_id = 7 AND {d} AND {f}",
	}, {
		name: "left join", plain: "SELECT f.id, d.id FROM folder f LEFT JOIN document d ON d.folder_id = f.id WHERE f.owner_id = 7",
		hand: "SELECT f.id, d.id FROM folder f LEFT JOIN document d ON d.folder_id = f.id AND {d} WHERE f.owner_id = 7 AND {f}",
	}, {
		name: "right join", plain: "SELECT f.id, d.id FROM document d RIGHT JOIN folder f ON d.folder_id = f.id WHERE f.owner_id = 7",
		hand: "SELECT f.id, d.id FROM document d RIGHT JOIN folder f ON d.folder_id = f.id AND {d} WHERE f.owner_id = 7 AND {f}",
	}, {
		name: "full join", plain: "SELECT f.id, d.id FROM document d FULL JOIN folder f ON d.folder_id = f.id WHERE f.owner_id = 7 OR d.owner_id = 7",
		hand: "SELECT f.id, d.id FROM (SELECT * FROM document WHERE {document}) AS d FULL JOIN (SELECT * FROM folder WHERE {folder}) AS f " +
			"ON d.folder_id = f.id WHERE f.owner_id = 7 OR d.owner_id = 7",
		sqlite: "SELECT f.id, d.id FROM document d FULL JOIN folder f ON d.folder_id = f.id AND {d} AND {f} " +
			"WHERE (f.owner_id = 7 OR d.owner_id = 7) AND d.deleted_at IS NULL AND (d.is_deleted IS NULL OR d.is_deleted = 0) " +
			"AND f.deleted_at IS NULL AND (f.is_deleted IS NULL OR f.is_deleted = 0)",
		but: []string{"mariadb"},
	}, {
		name: "left join using", plain: "SELECT f.id, d.id FROM folder f LEFT JOIN document d USING (owner_id) WHERE f.id = 7",
		hand: "SELECT f.id, d.id FROM folder f LEFT JOIN (SELECT * FROM document WHERE {document}) AS d USING (owner_id) WHERE f.id = 7 AND {f}",
	}, {
		name: "two left joins", plain: "SELECT f.id, d.id, t.label FROM folder f LEFT JOIN document d ON d.folder_id = f.id LEFT JOIN tag t ON t.document_id = d.id WHERE f.owner_id = 7",
		hand: "SELECT f.id, d.id, t.label FROM folder f LEFT JOIN document d ON d.folder_id = f.id AND {d} LEFT JOIN tag t ON t.document_id = d.id AND {t} " +
			"WHERE f.owner_id = 7 AND {f}",
	}, {
		name: "anti-join", plain: "SELECT f.id FROM folder f LEFT JOIN document d ON d.folder_id = f.id WHERE f.owner_id = 7 AND d.id IS NULL",
		hand: "SELECT f.id FROM folder f LEFT JOIN document d ON d.folder_id = f.id AND {d} WHERE f.owner_id = 7 AND d.id IS NULL AND {f}",
	}, {
		name: "group on the right of a left join", plain: "SELECT f.id, t.label FROM folder f LEFT JOIN (document d JOIN tag t ON t.document_id = d.id) ON d.folder_id = f.id WHERE f.owner_id = 7",
		hand: "SELECT f.id, t.label FROM folder f LEFT JOIN (document d JOIN tag t ON t.document_id = d.id) ON d.folder_id = f.id AND {d} AND {t} WHERE f.owner_id = 7 AND {f}",
	}, {
		name: "self join", plain: "SELECT p.id, f.id FROM folder p JOIN folder f ON f.parent_id = p.id WHERE p.owner_id = 7",
		hand: "SELECT p.id, f.id FROM folder p JOIN folder f ON f.parent_id = p.id WHERE p.owner_id = 7 AND {p} AND {f}",
	}, {
		name: "exists", plain: "SELECT f.id FROM folder f WHERE f.owner_id = 7 AND EXISTS (SELECT 1 FROM document d WHERE d.folder_id = f.id)",
		hand: "SELECT f.id FROM folder f WHERE f.owner_id = 7 AND EXISTS (SELECT 1 FROM document d WHERE d.folder_id = f.id AND {d}) AND {f}",
	}, {
		name: "not exists", plain: "SELECT f.id FROM folder f WHERE f.owner_id = 7 AND NOT EXISTS (SELECT 1 FROM document d WHERE d.folder_id = f.id)",
		hand: "SELECT f.id FROM folder f WHERE f.owner_id = 7 AND NOT EXISTS (SELECT 1 FROM document d WHERE d.folder_id = f.id AND {d}) AND {f}",
	}, {
		name: "in a sub-select", plain: "SELECT d.id FROM document d WHERE d.folder_id IN (SELECT f.id FROM folder f WHERE f.owner_id = 7)",
		hand: "SELECT d.id FROM document d WHERE d.folder_id IN (SELECT f.id FROM folder f WHERE f.owner_id = 7 AND {f}) AND {d}",
	}, {
		name: "scalar sub-select", plain: "SELECT f.id, (SELECT max(d.created) FROM document d WHERE d.folder_id = f.id) AS newest FROM folder f WHERE f.owner_id = 7",
		hand: "SELECT f.id, (SELECT max(d.created) FROM document d WHERE d.folder_id = f.id AND {d}) AS newest FROM folder f WHERE f.owner_id = 7 AND {f}",
	}, {
		name: "derived table", plain: "SELECT x.n FROM (SELECT d.folder_id, count(*) AS n FROM document d WHERE d.owner_id = 7 GROUP BY d.folder_id) x WHERE x.n > 2",
		hand: "SELECT x.n FROM (SELECT d.folder_id, count(*) AS n FROM document d WHERE d.owner_id = 7 AND {d} GROUP BY d.folder_id) x WHERE x.n > 2",
	}, {
		name: "union", plain: "SELECT d.id FROM document d WHERE d.owner_id = 7 UNION ALL SELECT f.id FROM folder f WHERE f.owner_id = 7",
		hand: "SELECT d.id FROM document d WHERE d.owner_id = 7 AND {d} UNION ALL SELECT f.id FROM folder f WHERE f.owner_id = 7 AND {f}",
	}, {
		name: "common table", plain: "WITH mine AS (SELECT d.id, d.folder_id FROM document d WHERE d.owner_id = 7) SELECT m.id, f.name FROM mine m JOIN folder f ON f.id = m.folder_id",
		hand: "WITH mine AS (SELECT d.id, d.folder_id FROM document d WHERE d.owner_id = 7 AND {d}) SELECT m.id, f.name FROM mine m JOIN folder f ON f.id = m.folder_id WHERE {f}",
	}, {
		name: "window", plain: "SELECT d.id, row_number() OVER (PARTITION BY d.folder_id ORDER BY d.created) FROM document d WHERE d.owner_id = 7",
		hand: "SELECT d.id, row_number() OVER (PARTITION BY d.folder_id ORDER BY d.created) FROM document d WHERE d.owner_id = 7 AND {d}",
	}, {
		name: "distinct with a left join", plain: "SELECT DISTINCT f.name FROM folder f LEFT JOIN document d ON d.folder_id = f.id WHERE f.owner_id = 7 ORDER BY f.name",
		hand: "SELECT DISTINCT f.name FROM folder f LEFT JOIN document d ON d.folder_id = f.id AND {d} WHERE f.owner_id = 7 AND {f} ORDER BY f.name",
	},
}
