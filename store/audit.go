package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// record writes the operation, once a call, and an audit line for each row, in
// the caller's transaction. Rows whose life ended doom their objects.
func (s *Store) record(ctx context.Context, tx lifecycle.Tx, p *plan, ep *edgePlan, rows []row, c *call, cause lifecycle.Cause) error {
	if err := s.audit(ctx, tx, p, ep, keysOf(rows), c, cause); err != nil {
		return err
	}
	if ep.ends() {
		return s.doomRows(ctx, tx, p, rows, c)
	}
	return nil
}

func (s *Store) audit(ctx context.Context, tx lifecycle.Tx, p *plan, ep *edgePlan, keys []lifecycle.Key, c *call, cause lifecycle.Cause) error {
	if s.opts.NoAudit {
		return nil
	}
	if err := s.recordOp(ctx, tx, ep.Name, c, cause); err != nil {
		return err
	}
	return s.recordKeys(ctx, tx, p, ep, keys, c)
}

func (s *Store) recordOp(ctx context.Context, tx lifecycle.DB, edge lifecycle.EdgeName, c *call, cause lifecycle.Cause) error {
	if c.recorded {
		return nil
	}
	_, err := exec(ctx, tx, s.own.insertOp, string(c.op), string(edge), cause.By, cause.Why, s.own.bind(c.at))
	c.recorded = err == nil
	return err
}

// recordKeys writes one line for each row that took the edge.
func (s *Store) recordKeys(ctx context.Context, tx lifecycle.DB, p *plan, ep *edgePlan, keys []lifecycle.Key, c *call) error {
	text, rowKey := s.own.insertAudit, keys[0].String()
	if len(keys) > 1 {
		texts := make([]string, len(keys))
		for i, k := range keys {
			texts[i] = k.String()
		}
		all, err := json.Marshal(texts)
		if err != nil {
			return err
		}
		text, rowKey = s.own.insertAudits, string(all)
	}
	_, err := exec(ctx, tx, text,
		string(c.op), p.name, string(ep.Name), string(ep.start), string(ep.To), s.own.bind(c.at), rowKey)
	return err
}

func (w *writer) tuple(values ...any) {
	w.put("(")
	w.list(len(values), ", ", func(i int) { w.value(values[i]) })
	w.put(")")
}

// History returns a row's audit, the first entry first. The key has to be
// spelled as the database holds it, which Result.Key is. It may run inside or
// outside a transaction; the row itself need not exist any more.
func (s *Store) History(ctx context.Context, db lifecycle.DB, r lifecycle.Row) ([]lifecycle.Entry, error) {
	p, key, err := s.checkRead("history", db, r)
	if err != nil {
		return nil, err
	}
	entries, err := query(ctx, db, s.own.history, []any{p.name, key.String()}, s.scanEntry)
	return entries, s.fault("history", p, key, err)
}

func (s *Store) scanEntry(rows *sql.Rows) (lifecycle.Entry, error) {
	raw, err := scanAny(rows, 10)
	if err != nil {
		return lifecycle.Entry{}, err
	}
	e := lifecycle.Entry{
		Op: lifecycle.Op(text(raw[1])), Table: text(raw[2]),
		Edge: lifecycle.EdgeName(text(raw[4])), From: lifecycle.State(text(raw[5])), To: lifecycle.State(text(raw[6])),
		By: text(raw[7]), Why: text(raw[8]),
	}
	if e.Seq, err = number(raw[0]); err != nil {
		return e, err
	}
	if e.Key, err = lifecycle.ParseKey(text(raw[3])); err != nil {
		return e, err
	}
	if e.At, err = s.d.decode(lifecycle.Timestamp, raw[9]); err != nil {
		return e, fmt.Errorf("audit %d: %w", e.Seq, err)
	}
	return e, nil
}
