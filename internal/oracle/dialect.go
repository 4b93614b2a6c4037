package oracle

import "strings"

// dialect says what a database's SQL has. The generator asks it and nothing
// else, so that a construct is added in one place.
type dialect struct {
	name  string // as guard.Dialect.Name
	mark  string // the preferred quote of names
	text  string // the type of text columns
	null  string // the type that CAST(… AS …) takes for a number
	setup []string
	// simple makes the session plan without its cleverer ways, clever with them.
	simple, clever string
	// joins are the kinds with a condition, cross those without.
	joins, cross []string
	setOps       []string

	columnAlias   bool // FROM t AS a (x, y)
	lateral       bool
	trailingOn    bool // a LEFT JOIN b JOIN c ON … ON …
	parenthesised bool // (SELECT …) UNION (SELECT …)
	groupAlias    bool // (a JOIN b ON …) AS j
	outerDerived  bool // a derived table sees the outer query
	filter        bool // count(*) FILTER (WHERE …)
	quantified    bool // = ANY (SELECT …)
	fromArgs      bool // substring(a FROM 2)
	values        bool // VALUES as a query
	limitQuery    bool // LIMIT (SELECT …)
	fetch         bool // FETCH FIRST
	locks         bool // FOR UPDATE
	withWrites    bool // WITH … UPDATE
	returning     bool // UPDATE … RETURNING
	selfCTE       bool // WITH doc AS (SELECT … FROM doc) reads the table
	materialized  bool
	limitIn       bool // IN (SELECT … LIMIT 1)
	or            string
}

var (
	postgres = &dialect{
		name: "postgres", mark: `"`, text: "text", null: "int",
		setup: []string{"SET jit = off", "SET statement_timeout = '4s'", "SET from_collapse_limit = 4", "SET join_collapse_limit = 4",
			"SET client_min_messages = error", "SET max_parallel_workers_per_gather = 0"},
		joins:  []string{"JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "RIGHT OUTER JOIN", "FULL JOIN", "FULL OUTER JOIN"},
		cross:  []string{"CROSS JOIN"},
		setOps: []string{"UNION", "UNION ALL", "UNION DISTINCT", "EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL"},

		columnAlias: true, lateral: true, trailingOn: true, parenthesised: true, groupAlias: true, outerDerived: true, filter: true,
		quantified: true, fromArgs: true, values: true, limitQuery: true, fetch: true, locks: true, withWrites: true, returning: true,
		selfCTE: true, materialized: true, limitIn: true, or: "OR",
	}
	mysql = &dialect{
		name: "mysql", mark: "`", text: "varchar(60)", null: "SIGNED",
		setup: []string{"SET max_statement_time = 4", "SET optimizer_search_depth = 3"},
		simple: "SET optimizer_switch = 'semijoin=off,materialization=off,derived_merge=off,derived_with_keys=off,exists_to_in=off," +
			"outer_join_with_cache=off,subquery_cache=off,table_elimination=off,split_materialized=off,condition_pushdown_for_derived=off'",
		clever: "SET optimizer_switch = default",
		joins:  []string{"JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "RIGHT OUTER JOIN", "STRAIGHT_JOIN", "CROSS JOIN"},
		cross:  []string{"CROSS JOIN", "JOIN", "STRAIGHT_JOIN"},
		// INTERSECT ALL sends MariaDB 10.11 round in circles at times, deaf to KILL.
		setOps: []string{"UNION", "UNION ALL", "UNION DISTINCT", "EXCEPT", "INTERSECT"},

		trailingOn: true, parenthesised: true, quantified: true, fromArgs: true, fetch: true, locks: true, selfCTE: true, or: "OR",
	}
	sqlite = &dialect{
		name: "sqlite", mark: `"`, text: "TEXT", null: "INTEGER",
		joins:  []string{"JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "FULL JOIN", "FULL OUTER JOIN"},
		cross:  []string{"CROSS JOIN", "JOIN"},
		setOps: []string{"UNION", "UNION ALL", "EXCEPT", "INTERSECT"},

		outerDerived: true, filter: true, values: true, limitQuery: true, withWrites: true, returning: true, materialized: true,
		limitIn: true, or: "OR",
	}
)

// dialectOf returns the dialect of testdb's and the guard's names.
func dialectOf(name string) *dialect {
	switch name {
	case "postgres":
		return postgres
	case "mysql", "mariadb":
		return mysql
	default:
		return sqlite
	}
}

func (d *dialect) quote(name string) string {
	return d.mark + strings.ReplaceAll(name, d.mark, d.mark+d.mark) + d.mark
}
