package memstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/softdelete-go/softdelete/lifecycle"
)

// Tx is a transaction of a Store. It has to be ended with Commit or Rollback,
// since others wait for it once it has written. Safe for concurrent use.
type Tx struct {
	m *Store

	mu      sync.Mutex // guards the rest
	view    *view
	writing bool
	done    bool
}

// Begin opens a transaction. It waits for nobody: the first write does.
func (m *Store) Begin() *Tx { return &Tx{m: m} }

// Commit makes what the transaction did visible to all. A transaction that has
// ended is sql.ErrTxDone.
func (tx *Tx) Commit() error { return tx.end(true) }

// Rollback undoes what the transaction did. A transaction that has ended is
// sql.ErrTxDone, so that it can be deferred.
func (tx *Tx) Rollback() error { return tx.end(false) }

func (tx *Tx) end(keep bool) error {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	if tx.done {
		return sql.ErrTxDone
	}
	tx.done = true
	if !tx.writing {
		return nil
	}
	if keep {
		tx.m.mu.Lock()
		tx.view.commit()
		tx.m.mu.Unlock()
	}
	tx.view = nil
	<-tx.m.writer
	return nil
}

// ExecContext always returns errors.ErrUnsupported: there is no SQL here.
func (tx *Tx) ExecContext(context.Context, string, ...any) (sql.Result, error) {
	return nil, errNoSQL
}

// QueryContext always returns errors.ErrUnsupported, as ExecContext does.
func (tx *Tx) QueryContext(context.Context, string, ...any) (*sql.Rows, error) {
	return nil, errNoSQL
}

// write runs fn as the one writer. What fn refuses it must not have begun.
func (tx *Tx) write(ctx context.Context, fn func(v *view) error) error {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	if tx.done {
		return sql.ErrTxDone
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !tx.writing {
		if err := tx.m.lock(ctx); err != nil {
			return err
		}
		tx.writing, tx.view = true, tx.m.memory.view()
	}
	tx.m.mu.RLock()
	defer tx.m.mu.RUnlock()
	return fn(tx.view)
}

func (tx *Tx) read(fn func(v *view) error) error {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	if tx.done {
		return sql.ErrTxDone
	}
	tx.m.mu.RLock()
	defer tx.m.mu.RUnlock()
	if tx.view == nil {
		return fn(tx.m.memory.view())
	}
	return fn(tx.view)
}

var errBusy = errors.New("another transaction has written and not ended (is a Rollback missing?)")

// lock makes the caller the writer.
func (m *Store) lock(ctx context.Context) error {
	select {
	case m.writer <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(m.opts.LockWait)
	defer timer.Stop()
	select {
	case m.writer <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("%w: %w", lifecycle.ErrRetry, errBusy)
	}
}

// in runs fn in a transaction of its own.
func (m *Store) in(ctx context.Context, fn func(v *view) error) error {
	tx := m.Begin()
	if err := tx.write(ctx, fn); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
