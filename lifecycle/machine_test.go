package lifecycle_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

func machines() []*lifecycle.Machine {
	return []*lifecycle.Machine{lifecycle.TwoStage, lifecycle.Token, lifecycle.File}
}

func TestMachineShapes(t *testing.T) {
	t.Parallel()
	type shape struct {
		Initial     lifecycle.State
		States      []lifecycle.State
		Gone, Final []lifecycle.State
		Edges       []lifecycle.EdgeName
	}
	for _, tt := range []struct {
		name    string
		machine *lifecycle.Machine
		want    shape
	}{
		{"two-stage", lifecycle.TwoStage, shape{
			Initial: "active",
			States:  []lifecycle.State{"active", "trashed", "purged", "reclaimed"},
			Gone:    []lifecycle.State{"purged", "reclaimed"},
			Final:   []lifecycle.State{"reclaimed"},
			Edges:   []lifecycle.EdgeName{"trash", "restore", "purge", "expire", "reclaim"},
		}},
		{"token", lifecycle.Token, shape{
			Initial: "active",
			States:  []lifecycle.State{"active", "revoked", "deleted"},
			Gone:    []lifecycle.State{"deleted"},
			Final:   []lifecycle.State{"deleted"},
			Edges:   []lifecycle.EdgeName{"revoke", "reinstate", "delete"},
		}},
		{"file", lifecycle.File, shape{
			Initial: "pending",
			States:  []lifecycle.State{"pending", "queued", "processing", "ready", "rejected", "deleting", "deleted"},
			Gone:    []lifecycle.State{"deleting", "deleted"},
			Final:   []lifecycle.State{"deleted"},
			Edges:   []lifecycle.EdgeName{"confirm", "start", "requeue", "accept", "reject", "delete", "finish"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := tt.machine
			if m.Name() != tt.name {
				t.Errorf("Name = %q, want %q", m.Name(), tt.name)
			}
			got := shape{Initial: m.Initial(), States: m.States()}
			for _, s := range m.States() {
				if m.Gone(s) {
					got.Gone = append(got.Gone, s)
				}
				if m.Final(s) {
					got.Final = append(got.Final, s)
				}
			}
			for _, e := range m.Edges() {
				got.Edges = append(got.Edges, e.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("shape (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEveryStateHasAnExit is requirement A9.
func TestEveryStateHasAnExit(t *testing.T) {
	t.Parallel()
	for _, m := range machines() {
		t.Run(m.Name(), func(t *testing.T) {
			t.Parallel()
			for _, s := range m.States() {
				exits := 0
				for _, e := range m.Edges() {
					if slices.Contains(e.From, s) {
						exits++
					}
				}
				if (exits == 0) != m.Final(s) {
					t.Errorf("%s has %d exits, final %t", s, exits, m.Final(s))
				}
			}
		})
	}
}

// TestEdgesUndo wants a way back to clear exactly what the way there has set.
func TestEdgesUndo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		machine     *lifecycle.Machine
		there, back lifecycle.EdgeName
	}{
		{"two-stage", lifecycle.TwoStage, lifecycle.Trash, lifecycle.Restore},
		{"token", lifecycle.Token, "revoke", "reinstate"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			there, ok := tt.machine.Edge(tt.there)
			back, ok2 := tt.machine.Edge(tt.back)
			if !ok || !ok2 {
				t.Fatalf("edges exist: %t, %t", ok, ok2)
			}
			if diff := cmp.Diff(there.Sets, back.Clears); diff != "" {
				t.Errorf("fields (-set +cleared):\n%s", diff)
			}
		})
	}
}

func TestUnknownEdge(t *testing.T) {
	t.Parallel()
	for _, name := range []lifecycle.EdgeName{"", "Trash", "trash ", lifecycle.HardDelete} {
		if e, ok := lifecycle.TwoStage.Edge(name); ok {
			t.Errorf("Edge(%q) = %+v, want none", name, e)
		}
	}
}

func TestZeroMachineRefuses(t *testing.T) {
	t.Parallel()
	var m lifecycle.Machine
	if got := m.Decide(lifecycle.Record{State: lifecycle.Active}, lifecycle.Trash, noon, policy); got != lifecycle.Illegal {
		t.Errorf("Decide = %s, want illegal", got)
	}
}

// TestMachinesCannotBeChanged changes everything a machine gives away, and the
// declaration it was made of.
func TestMachinesCannotBeChanged(t *testing.T) {
	t.Parallel()
	spec := smallSpec()
	m := lifecycle.MustMachine(spec)
	want := m.Edges()
	spec.Edges[0].From[0], spec.Edges[0].Name, spec.Gone[0] = "elsewhere", "renamed", "elsewhere"
	m.States()[0] = "elsewhere"
	edges := m.Edges()
	edges[0].To, edges[1].From[0], edges[0].Sets[0] = "elsewhere", "elsewhere", "elsewhere"
	one, _ := m.Edge("trash")
	one.Repeat[0] = "elsewhere"
	if diff := cmp.Diff(want, m.Edges()); diff != "" {
		t.Errorf("edges (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff([]lifecycle.State{"active", "trashed", "gone"}, m.States()); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if !m.Gone("gone") || m.Gone("elsewhere") {
		t.Error("the gone states have changed")
	}
}

// smallSpec is a declaration without a fault.
func smallSpec() lifecycle.Spec {
	return lifecycle.Spec{
		Name:    "small",
		Initial: "active",
		Gone:    []lifecycle.State{"gone"},
		Final:   []lifecycle.State{"gone"},
		Edges: []lifecycle.Edge{
			{
				Name: "trash", From: []lifecycle.State{"active"}, To: "trashed",
				Repeat: []lifecycle.State{"trashed"}, Sets: []lifecycle.Field{lifecycle.FieldDeletedAt},
			},
			{Name: "restore", From: []lifecycle.State{"trashed"}, To: "active", Needs: lifecycle.WindowOpen},
			{Name: "end", From: []lifecycle.State{"trashed"}, To: "gone"},
		},
	}
}

func TestNewMachine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		spoil func(s *lifecycle.Spec)
		want  []string // parts of the message; none for a good declaration
	}{
		{"as it is", func(*lifecycle.Spec) {}, nil},
		{"no name", func(s *lifecycle.Spec) { s.Name = "" }, nil},
		{"several starts", func(s *lifecycle.Spec) { s.Edges[2].From = []lifecycle.State{"active", "trashed"} }, nil},
		{"no edges", func(s *lifecycle.Spec) { s.Edges = nil }, []string{`state "active" has no exit`, `state "gone" cannot be reached`}},
		{"one state and it is final", func(s *lifecycle.Spec) {
			*s = lifecycle.Spec{Initial: "all", Final: []lifecycle.State{"all"}}
		}, nil},
		{"nothing", func(s *lifecycle.Spec) { *s = lifecycle.Spec{} }, []string{"no initial state"}},
		{"no initial state", func(s *lifecycle.Spec) { s.Initial = "" }, []string{"no initial state", `state "active" cannot be reached`}},
		{"a nameless edge", func(s *lifecycle.Spec) { s.Edges[1].Name = "" }, []string{`edge "" has no name`}},
		{"two edges of one name", func(s *lifecycle.Spec) { s.Edges[2].Name = "trash" }, []string{`edge "trash" is declared twice`}},
		{"from nowhere", func(s *lifecycle.Spec) { s.Edges[1].From = nil }, []string{`edge "restore" lacks a state`}},
		{"from a nameless state", func(s *lifecycle.Spec) { s.Edges[1].From[0] = "" }, []string{`edge "restore" lacks a state`}},
		{"to nowhere", func(s *lifecycle.Spec) { s.Edges[1].To = "" }, []string{`edge "restore" lacks a state`}},
		{"a nameless repetition", func(s *lifecycle.Spec) { s.Edges[1].Repeat = []lifecycle.State{""} }, []string{`state "" cannot be reached`}},
		{"in a circle", func(s *lifecycle.Spec) {
			s.Edges[0].From = []lifecycle.State{"active", "trashed"}
			s.Edges[0].Repeat = nil
		}, []string{`edge "trash" starts in "trashed"`}},
		{"starts where it repeats", func(s *lifecycle.Spec) { s.Edges[1].Repeat = []lifecycle.State{"trashed"} }, []string{`edge "restore" starts in "trashed"`}},
		{"two starts in one state", func(s *lifecycle.Spec) { s.Edges[1].From = []lifecycle.State{"trashed", "trashed"} }, []string{`edge "restore" starts twice in "trashed"`}},
		{"a way back from gone", func(s *lifecycle.Spec) {
			s.Final = nil
			s.Edges = append(s.Edges, lifecycle.Edge{Name: "raise", From: []lifecycle.State{"gone"}, To: "active"})
		}, []string{`edge "raise" leads back from the gone state "gone"`}},
		{"a window both open and closed", func(s *lifecycle.Spec) { s.Edges[1].Needs |= lifecycle.WindowClosed }, []string{`edge "restore" needs a window both open and closed`}},
		{"a final state with an exit", func(s *lifecycle.Spec) { s.Final = append(s.Final, "trashed") }, []string{`final state "trashed" has an exit`}},
		{"a dead end", func(s *lifecycle.Spec) { s.Final = nil }, []string{`state "gone" has no exit and is not declared final`}},
		{"a state that nothing leads to", func(s *lifecycle.Spec) {
			s.Edges = append(s.Edges, lifecycle.Edge{Name: "leave", From: []lifecycle.State{"island"}, To: "gone"})
		}, []string{`state "island" cannot be reached`}},
		{"a gone state that nothing leads to", func(s *lifecycle.Spec) { s.Gone = append(s.Gone, "island") }, []string{`state "island" cannot be reached`}},
		{"two faults", func(s *lifecycle.Spec) { s.Edges[0].Name, s.Edges[1].From = "", nil }, []string{`has no name`, `lacks a state`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			spec := smallSpec()
			tt.spoil(&spec)
			m, err := lifecycle.NewMachine(spec)
			if (m == nil) != (err != nil) {
				t.Errorf("NewMachine = %v, %v: both or neither", m, err)
			}
			if len(tt.want) == 0 {
				if err != nil {
					t.Errorf("NewMachine: %v", err)
				}
				return
			}
			wantInvalid(t, err, tt.want...)
		})
	}
}

// wantInvalid wants an error that wraps ErrInvalid and says each of the parts.
func wantInvalid(t *testing.T, err error, parts ...string) {
	t.Helper()
	if !errors.Is(err, lifecycle.ErrInvalid) {
		t.Fatalf("error %v, want ErrInvalid", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

func TestMustMachinePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("recovered %v, want ErrInvalid", err)
		}
	}()
	lifecycle.MustMachine(lifecycle.Spec{})
}

func TestNeed(t *testing.T) {
	t.Parallel()
	both := lifecycle.NotHeld | lifecycle.WindowOpen
	for _, tt := range []struct {
		name string
		set  lifecycle.Need
		ask  lifecycle.Need
		want bool
	}{
		{"one of two", both, lifecycle.NotHeld, true},
		{"both of two", both, both, true},
		{"another", both, lifecycle.WindowClosed, false},
		{"one more", both, both | lifecycle.ParentsLive, false},
		{"of none", 0, lifecycle.NotHeld, false},
		{"none", both, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.set.Has(tt.ask); got != tt.want {
				t.Errorf("Has = %t, want %t", got, tt.want)
			}
		})
	}
}
