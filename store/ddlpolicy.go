package store

import (
	"errors"
	"fmt"
	"strings"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// PolicyOptions say who sees more than live rows. One of Role and Setting is
// required.
type PolicyOptions struct {
	// Role is a role of PostgreSQL that sees every row: it, and whoever has its
	// rights, runs the store's verbs. A login role that reads as users do can be
	// its member without inheriting, and SET LOCAL ROLE in the transactions of
	// the verbs. Renaming the role shuts it out. Defaults to none.
	Role string
	// Setting is a run-time parameter with a dot in its name, such as
	// softdelete.scope: a session sees every row while it is "everything", which
	// SET LOCAL does for one transaction. It keeps mistakes out and nobody else,
	// since everybody may set it. Defaults to none.
	Setting string
	// Alone says that the table has no policies of its own, and adds one that
	// admits every row to everybody with a grant. Defaults to false: no row is
	// seen, by the store neither, that no policy of the table's own admits.
	Alone bool
	// Force binds the table's owner too. Its migrations then change live rows
	// only, and silently so. Defaults to false.
	Force bool
}

// Policies are the statements for row-level security.
type Policies struct {
	// Create puts the policies in force, or makes them anew. Run them in one
	// transaction.
	Create []string
	// Drop takes them away again, and row-level security with them where the
	// table has no policies of its own.
	Drop []string
}

const (
	livePolicy = "softdelete_live" // restricts
	rowsPolicy = "softdelete_rows" // admits
	everything = "everything"
)

// Policies returns the statements that let nobody but the store see, change or
// make rows of a table that are not live: a fence for SQL that forgets the
// predicate. It sends nothing, and grants nothing: the store's role needs every
// right on the rows of the tables and of the store's own. Only PostgreSQL has
// row-level security; elsewhere the error is [errors.ErrUnsupported]. A table
// without the trash needs no policy, which is an error that wraps
// lifecycle.ErrInvalid.
//
// The policy is restrictive: it takes rows away from what other policies admit,
// those of a tenant for instance, and adds none. It is for every command, since
// one for SELECT alone would not keep an UPDATE without a WHERE from rows in the
// trash. Whoever is bound by it gets an error, "new row violates row-level
// security policy", for an UPDATE that would hide a row, an INSERT of a hidden
// one and an upsert that meets one. An UPDATE or DELETE of a row in the trash
// finds no row.
//
// A query that has the predicate of live rows itself is planned as without
// the policy, partial indexes included.
//
// What it does not bind: superusers, roles with BYPASSRLS, and the table's owner
// unless Force is set. A store that connects as the owner therefore works with
// and without it, and is not fenced in. TRUNCATE, foreign keys, unique indexes and
// the partitions of a table by their own names are not bound, nor is what reads
// with its owner's rights: SECURITY DEFINER functions, views without
// security_invoker, materialized views.
//
// A verb without the role finds nothing in the trash: Restore then says
// ErrNotFound. Check names a policy that is not as declared, and one that is
// switched off; it does not know in which role the verbs will run.
func (s *Store) Policies(t *lifecycle.Table, opts *PolicyOptions) (*Policies, error) {
	p, err := s.plan(t)
	if err != nil {
		return nil, fmt.Errorf("store: policies: %w", err)
	}
	o := PolicyOptions{}
	if opts != nil {
		o = *opts
	}
	switch {
	case !p.d.RowSecurity:
		err = fmt.Errorf("%w: %s has no row-level security", errors.ErrUnsupported, p.d.Name)
	case p.t.Kind != lifecycle.Asset:
		err = fmt.Errorf("%w: %s has no trash", lifecycle.ErrInvalid, p.name)
	default:
		err = o.check()
	}
	if err != nil {
		return nil, fmt.Errorf("store: policies: %w", err)
	}
	return p.policies(o), nil
}

func (o PolicyOptions) check() error {
	switch {
	case o.Role == "" && o.Setting == "":
		return fmt.Errorf("%w: PolicyOptions.Role: neither a role nor a setting sees the trash: no verb could work", lifecycle.ErrInvalid)
	case len(o.Role) > lifecycle.MaxIdentifier || strings.IndexByte(o.Role, 0) >= 0:
		return fmt.Errorf("%w: PolicyOptions.Role: %q has more than %d bytes or a NUL byte", lifecycle.ErrInvalid, o.Role, lifecycle.MaxIdentifier)
	case o.Setting != "" && !parameter(o.Setting):
		return fmt.Errorf("%w: PolicyOptions.Setting: %q is not two plain words with a dot between them", lifecycle.ErrInvalid, o.Setting)
	}
	return nil
}

// parameter tells whether a name can be that of a run-time parameter which no
// module has to declare.
func parameter(name string) bool {
	class, rest, dotted := strings.Cut(name, ".")
	if !dotted || len(name) > lifecycle.MaxIdentifier {
		return false
	}
	for _, word := range []string{class, rest} {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_0123456789") != "" || strings.Trim(word[:min(1, len(word))], "0123456789") == "" {
			return false
		}
	}
	return true
}

func (p *plan) policies(o PolicyOptions) *Policies {
	visible := "(" + p.scope(lifecycle.Live) + ")"
	// As sub-selects they are asked once for a statement, not once for a row.
	if o.Role != "" {
		visible += " OR (SELECT pg_has_role(" + literal(o.Role) + ", 'USAGE'))"
	}
	if o.Setting != "" {
		visible += " OR (SELECT COALESCE(current_setting(" + literal(o.Setting) + ", TRUE), '') = " + literal(everything) + ")"
	}
	policy := func(name, kind, using string) string {
		return "CREATE POLICY " + p.d.ident(name) + " ON " + p.from + " AS " + kind + " FOR ALL TO PUBLIC USING (" + using + ") WITH CHECK (" + using + ")"
	}
	drops := []string{p.dropPolicy(livePolicy), p.dropPolicy(rowsPolicy)}
	all := &Policies{Create: append([]string{p.rowSecurity("ENABLE")}, drops...), Drop: drops}
	if o.Force {
		all.Create = append(all.Create, p.rowSecurity("FORCE"))
	}
	all.Create = append(all.Create, policy(livePolicy, "RESTRICTIVE", visible))
	if o.Alone {
		all.Create = append(all.Create, policy(rowsPolicy, "PERMISSIVE", "TRUE"))
		all.Drop = append(all.Drop, p.rowSecurity("NO FORCE"), p.rowSecurity("DISABLE"))
	}
	return all
}

func (p *plan) rowSecurity(what string) string {
	return "ALTER TABLE " + p.from + " " + what + " ROW LEVEL SECURITY"
}

func (p *plan) dropPolicy(name string) string {
	return "DROP POLICY IF EXISTS " + p.d.ident(name) + " ON " + p.from
}

// literal is a string as PostgreSQL reads it under either setting of
// standard_conforming_strings.
func literal(text string) string {
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
