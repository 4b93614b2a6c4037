package lifecycle

// State is a station in a life. Its text is what audits and metrics show.
type State string

// The states of the canonical life. A row that does not exist has no state.
const (
	// Active rows are what users see.
	Active State = "active"
	// Trashed rows are hidden from users but can be restored until their deadline.
	Trashed State = "trashed"
	// Purged rows are invisible for good; their bytes may still be stored.
	Purged State = "purged"
	// Reclaimed rows have no bytes left: they are tombstones.
	Reclaimed State = "reclaimed"
)

// EdgeName names a transition, in audits and in errors.
type EdgeName string

// The edges of the canonical life.
const (
	// Trash moves an active row to the trash.
	Trash EdgeName = "trash"
	// Restore brings a trashed row back while its window is open.
	Restore EdgeName = "restore"
	// Purge ends a trashed row before or after its deadline, by a person's will.
	Purge EdgeName = "purge"
	// Expire is the purge of the background pass: only past the deadline.
	Expire EdgeName = "expire"
	// Reclaim records that a purged row's bytes are gone.
	Reclaim EdgeName = "reclaim"
	// HardDelete removes a technical row at once. It has no state to go to, so
	// no machine has it as an edge; audits use the name.
	HardDelete EdgeName = "hard_delete"
)

// Scope says which states of a table a read shows.
type Scope uint8

const (
	// Live shows active rows only: the user's lists. The zero value.
	Live Scope = iota
	// WithTrashed shows active and trashed rows.
	WithTrashed
	// OnlyTrashed shows trashed rows: the trash list.
	OnlyTrashed
	// Everything shows every row, purged ones too: audits and repairs.
	Everything
)

// Shows tells whether a row in the state is visible in the scope. A state
// outside the canonical life is visible in Everything only.
func (s Scope) Shows(state State) bool {
	switch s {
	case Live:
		return state == Active
	case WithTrashed:
		return state == Active || state == Trashed
	case OnlyTrashed:
		return state == Trashed
	default:
		return s == Everything
	}
}

// String returns the scope's name.
func (s Scope) String() string {
	names := [...]string{"live", "with trashed", "only trashed", "everything"}
	if int(s) < len(names) {
		return names[s]
	}
	return "unknown scope"
}
