package lifecycle

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of a Cause, in bytes. They fit the columns of the generated DDL.
const (
	MaxActor  = 255
	MaxReason = 1000
)

// Cause says who asks for an edge, and why. It is stored in the operation's
// record, and By in the row as well.
type Cause struct {
	// By is the actor, such as "user:42" or "retention:nightly". Required.
	By string
	// Why is the reason, for people. May be empty. Do not put personal data or
	// content here: operations are kept longer than rows.
	Why string
}

// Check refuses an actor that is empty, and texts that are too long for their
// columns or not UTF-8. The error wraps ErrInvalid.
func (c Cause) Check() error {
	switch {
	case strings.TrimSpace(c.By) == "":
		return fmt.Errorf("%w: Cause.By: no actor", ErrInvalid)
	case len(c.By) > MaxActor:
		return fmt.Errorf("%w: Cause.By: %d bytes, more than %d", ErrInvalid, len(c.By), MaxActor)
	case len(c.Why) > MaxReason:
		return fmt.Errorf("%w: Cause.Why: %d bytes, more than %d", ErrInvalid, len(c.Why), MaxReason)
	case !storable(c.By) || !storable(c.Why):
		return fmt.Errorf("%w: Cause: not UTF-8, or with a NUL byte", ErrInvalid)
	}
	return nil
}

func storable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// Op is the id of one operation: one call of a verb, however many rows it took.
// 32 hexadecimal digits that sort by time.
type Op string

// NewOp mints an id: 48 bits of milliseconds, 80 bits of chance. It is unique,
// not a secret.
func NewOp(now time.Time) Op {
	var id [16]byte
	ms := uint64(max(now.UnixMilli(), 0))
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	binary.BigEndian.PutUint16(id[6:], uint16(rand.Uint32()))
	binary.BigEndian.PutUint64(id[8:], rand.Uint64())
	return Op(hex.EncodeToString(id[:]))
}
