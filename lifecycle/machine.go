package lifecycle

import (
	"errors"
	"fmt"
	"slices"
)

// Need is a set of preconditions of an edge, beside the state it starts from.
type Need uint8

const (
	// WindowOpen: the row's undo window has not ended.
	WindowOpen Need = 1 << iota
	// WindowClosed: the row's undo window has ended.
	WindowClosed
	// NotHeld: no legal hold is on the row.
	NotHeld
	// ParentsLive: every declared parent of the row is active.
	ParentsLive
	// NoLiveChildren: no active row restricts this one.
	NoLiveChildren
)

// Has tells whether every precondition of n is in the set.
func (s Need) Has(n Need) bool { return s&n == n }

// Field names what an edge writes, apart from any table's column names.
type Field string

// The fields of the canonical life and of the token's. UpdatedAt, UpdatedBy and
// the row version are written by every edge and are not listed in any.
const (
	FieldDeletedAt   Field = "deleted_at"
	FieldDeletedBy   Field = "deleted_by"
	FieldPurgeAfter  Field = "purge_after"
	FieldOperation   Field = "operation"
	FieldIsDeleted   Field = "is_deleted"
	FieldReclaimedAt Field = "reclaimed_at"
	FieldStatus      Field = "status"
)

// Edge is one transition, as data: what Decide judges by and what SQL adapters
// compile.
type Edge struct {
	// Name is unique in its machine.
	Name EdgeName
	// From lists the states the edge may start from.
	From []State
	// To is the state it ends in.
	To State
	// Repeat lists the states in which asking for the edge again is success
	// with nothing changed, so that a double click is no error.
	Repeat []State
	// Needs are the preconditions beside From.
	Needs Need
	// Sets lists the fields the edge fills in.
	Sets []Field
	// Clears lists the fields the edge empties.
	Clears []Field
}

// Spec declares a machine.
type Spec struct {
	// Name tells machines apart in errors.
	Name string
	// Initial is the state of a new row.
	Initial State
	// Gone lists the states that answer 410 to whoever wants the row back. No
	// edge leads out of them to a state that is not gone.
	Gone []State
	// Final lists the states without an exit. Every other state has one.
	Final []State
	// Edges are the transitions.
	Edges []Edge
}

// Machine is a validated, immutable set of states and edges. Make one with
// NewMachine; the zero Machine refuses everything.
type Machine struct {
	spec   Spec
	states []State
}

// NewMachine checks a declaration and returns its machine. It refuses nameless
// and duplicate edges, edges from or to nowhere, two starts of one edge in the
// same state, states that cannot be reached or cannot be left, ways back from
// gone states, and needs that contradict each other. The error wraps
// ErrInvalid and names every fault.
func NewMachine(spec Spec) (*Machine, error) {
	m := &Machine{spec: cloneSpec(spec)}
	m.states = collectStates(m.spec)
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("lifecycle: machine %q: %w: %w", spec.Name, ErrInvalid, err)
	}
	return m, nil
}

// MustMachine is NewMachine for package-level declarations; it panics.
func MustMachine(spec Spec) *Machine {
	m, err := NewMachine(spec)
	if err != nil {
		panic(err)
	}
	return m
}

// Name returns the machine's name.
func (m *Machine) Name() string { return m.spec.Name }

// Initial returns the state of a new row.
func (m *Machine) Initial() State { return m.spec.Initial }

// States returns every state, the initial one first.
func (m *Machine) States() []State { return slices.Clone(m.states) }

// Edges returns every edge in the order of the declaration.
func (m *Machine) Edges() []Edge { return cloneSpec(m.spec).Edges }

// Edge returns the edge of that name.
func (m *Machine) Edge(name EdgeName) (Edge, bool) {
	if e := m.edge(name); e != nil {
		return cloneEdge(*e), true
	}
	return Edge{}, false
}

func (m *Machine) edge(name EdgeName) *Edge {
	for i := range m.spec.Edges {
		if m.spec.Edges[i].Name == name {
			return &m.spec.Edges[i]
		}
	}
	return nil
}

// Gone tells whether rows in the state can never come back.
func (m *Machine) Gone(s State) bool { return slices.Contains(m.spec.Gone, s) }

// Final tells whether the state has no exit by design.
func (m *Machine) Final(s State) bool { return slices.Contains(m.spec.Final, s) }

func (m *Machine) check() error {
	var faults []error
	seen := map[EdgeName]bool{}
	for _, e := range m.spec.Edges {
		if seen[e.Name] {
			faults = append(faults, fmt.Errorf("edge %q is declared twice", e.Name))
		}
		seen[e.Name] = true
		faults = append(faults, m.checkEdge(e)...)
	}
	if m.spec.Initial == "" {
		faults = append(faults, errors.New("no initial state"))
	}
	for _, s := range m.states {
		faults = append(faults, m.checkState(s)...)
	}
	return errors.Join(faults...)
}

func (m *Machine) checkEdge(e Edge) (faults []error) {
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("edge %q "+format, append([]any{e.Name}, args...)...))
	}
	if e.Name == "" {
		fault("has no name")
	}
	if e.To == "" || len(e.From) == 0 || slices.Contains(e.From, "") {
		fault("lacks a state to start from or to end in")
	}
	if e.Needs.Has(WindowOpen | WindowClosed) {
		fault("needs a window both open and closed")
	}
	for i, from := range e.From {
		if from == e.To || slices.Contains(e.Repeat, from) {
			fault("starts in %q, which it also ends or repeats in", from)
		}
		if slices.Contains(e.From[:i], from) {
			fault("starts twice in %q", from)
		}
		if m.Gone(from) && !m.Gone(e.To) {
			fault("leads back from the gone state %q", from)
		}
	}
	return faults
}

func (m *Machine) checkState(s State) (faults []error) {
	exits := slices.ContainsFunc(m.spec.Edges, func(e Edge) bool { return slices.Contains(e.From, s) })
	switch {
	case exits && m.Final(s):
		faults = append(faults, fmt.Errorf("final state %q has an exit", s))
	case !exits && !m.Final(s):
		faults = append(faults, fmt.Errorf("state %q has no exit and is not declared final", s))
	}
	if !m.reachable()[s] {
		faults = append(faults, fmt.Errorf("state %q cannot be reached", s))
	}
	return faults
}

func (m *Machine) reachable() map[State]bool {
	reached := map[State]bool{m.spec.Initial: true}
	for grown := true; grown; {
		grown = false
		for _, e := range m.spec.Edges {
			starts := slices.ContainsFunc(e.From, func(s State) bool { return reached[s] })
			if starts && !reached[e.To] {
				reached[e.To], grown = true, true
			}
		}
	}
	return reached
}

func collectStates(spec Spec) []State {
	states := []State{spec.Initial}
	add := func(more ...State) {
		for _, s := range more {
			if !slices.Contains(states, s) {
				states = append(states, s)
			}
		}
	}
	for _, e := range spec.Edges {
		add(e.From...)
		add(e.To)
		add(e.Repeat...)
	}
	add(spec.Gone...)
	add(spec.Final...)
	return states
}

func cloneSpec(s Spec) Spec {
	s.Gone, s.Final = slices.Clone(s.Gone), slices.Clone(s.Final)
	edges := make([]Edge, len(s.Edges))
	for i, e := range s.Edges {
		edges[i] = cloneEdge(e)
	}
	s.Edges = edges
	return s
}

func cloneEdge(e Edge) Edge {
	e.From, e.Repeat = slices.Clone(e.From), slices.Clone(e.Repeat)
	e.Sets, e.Clears = slices.Clone(e.Sets), slices.Clone(e.Clears)
	return e
}
