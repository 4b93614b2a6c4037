package source

import (
	"regexp"
	"strings"
)

var (
	// commands are mysqltest's own words.
	commands = regexp.MustCompile(`(?i)^(` +
		`let|source|connect|connection|disconnect|while|if|inc|dec|echo|error|sleep|real_sleep|send_quit|reap|exit|die|` +
		`skip|exec|execw|system|eval|append_file|write_file|cat_file|diff_files|remove_file|remove_files_wildcard|` +
		`copy_file|copy_files_wildcard|move_file|chmod|mkdir|rmdir|list_files|list_files_write_file|` +
		`list_files_append_file|file_exists|perl|enable_\w+|disable_\w+|replace_\w+|sorted_result|lowercase_result|` +
		`partially_sorted_result|horizontal_results|vertical_results|character_set|change_user|dirty_close|sync_\w+|` +
		`save_master_pos|query_get_value|wait_for_\w+|shutdown_server|start_timer|end_timer|set_\w+|result_format|ping|` +
		`output|require|assert|evalp|optimizer_trace|reset_connection` +
		`)\b`)
	prefixes  = regexp.MustCompile(`(?i)^(send|query_vertical|query_horizontal|query|evalp?)\s+`)
	delimited = regexp.MustCompile(`(?i)^(?:--\s*)?delimiter\s+(\S+?)\s*$`)
	blocks    = regexp.MustCompile(`(?i)^(?:--\s*)?(perl|write_file|append_file)\b\s*(.*)$`)
	braces    = regexp.MustCompile(`^(?:[{}]\s*)+`)
)

// mysqltest reads a test of MariaDB's mysqltest. A statement ends at a line's
// end only, as nearly all do; so a delimiter inside of a statement is left there
// where it does not end a line.
func mysqltest(path, text string) Text {
	t := Text{Path: path, Product: MySQL}
	delimiter := ";"
	lines := strings.Split(text, "\n")
	var b strings.Builder
	flush := func() {
		for _, s := range Split(b.String(), MySQL, delimiter) {
			if s = statement(s); s != "" {
				t.Statements = append(t.Statements, s)
			}
		}
		b.Reset()
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		trimmed := strings.TrimSpace(line)
		fresh := strings.TrimSpace(b.String()) == ""
		if m := delimited.FindStringSubmatch(strings.TrimSuffix(trimmed, delimiter)); m != nil {
			flush()
			delimiter = m[1]
			continue
		}
		if m := blocks.FindStringSubmatch(trimmed); m != nil && fresh {
			end := "EOF"
			if words := strings.Fields(strings.TrimRight(m[2], ";")); len(words) > 0 && m[1] != "perl" && len(words) > 1 {
				end = words[len(words)-1]
			}
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != end; i++ {
			}
			continue
		}
		if fresh && (strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "--")) {
			continue
		}
		b.WriteString(line + "\n")
		if strings.HasSuffix(trimmed, delimiter) {
			flush()
		}
	}
	flush()
	return t
}

// statement returns what a server would get, and nothing where it is a command
// or has variables of mysqltest.
func statement(s string) string {
	s = braces.ReplaceAllString(strings.TrimSpace(s), "")
	for strings.HasPrefix(s, "#") || strings.HasPrefix(s, "--") {
		_, s, _ = strings.Cut(s, "\n")
		s = strings.TrimSpace(s)
	}
	if p := prefixes.FindString(s); p != "" {
		s = s[len(p):]
	} else if commands.MatchString(s) {
		return ""
	}
	if strings.Contains(s, "$") {
		return ""
	}
	return s
}
