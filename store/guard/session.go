package guard

import (
	"fmt"
	"strings"
)

// SessionQuery returns the query whose one value [Guard.Session] wants. It is
// empty where a product has no such settings.
func (g *Guard) SessionQuery() string {
	switch g.dialect {
	case Postgres:
		return "SELECT current_setting('client_encoding') || ',' || current_setting('standard_conforming_strings')"
	case MySQL:
		return "SELECT concat(@@character_set_client, ',', @@sql_mode)"
	}
	return ""
}

// Session returns a guard that splits texts as a session with these settings
// does, for example "utf8mb4,ANSI_QUOTES" on MySQL and "UTF8,off" on PostgreSQL.
// guarddriver calls it for each connection. Otherwise it is for servers whose
// settings are not the default ones. The error wraps ErrNotUnderstood: the guard
// must not be used on such a session.
func (g *Guard) Session(settings string) (*Guard, error) {
	with := *g
	names := strings.Split(settings, ",")
	understood := true
	switch g.dialect {
	case Postgres:
		understood = len(names) == 2 && (names[0] == "UTF8" || names[0] == "SQL_ASCII") && (names[1] == "on" || names[1] == "off")
		with.mode.Backslash = names[len(names)-1] == "off"
	case MySQL:
		understood = strings.HasPrefix(names[0], "utf8")
		with.mode.DoubleName, with.mode.DoubleString, with.mode.Backslash = false, true, true
		for _, name := range names[1:] {
			switch name {
			case "ANSI_QUOTES":
				with.mode.DoubleName, with.mode.DoubleString = true, false
			case "NO_BACKSLASH_ESCAPES":
				with.mode.Backslash = false
			case "ORACLE":
				understood = false
			}
		}
	default:
		understood = settings == ""
	}
	if !understood {
		return nil, &Error{Reason: fmt.Sprintf("a session with the settings %q", settings), Err: ErrNotUnderstood}
	}
	with.name()
	return &with, nil
}
