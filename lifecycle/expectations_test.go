package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/lifecycle"
)

const (
	window = 30 * lifecycle.Day
	tick   = time.Nanosecond
)

var (
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	policy = lifecycle.Policy{Window: window}
)

// letters is the key of the tables below.
var letters = map[rune]lifecycle.Outcome{
	'T': lifecycle.Transitioned,
	'=': lifecycle.Already,
	'0': lifecycle.NotFound,
	'E': lifecycle.Expired,
	'G': lifecycle.Gone,
	'H': lifecycle.Held,
	'P': lifecycle.ParentTrashed,
	'R': lifecycle.Restricted,
	'V': lifecycle.VersionMismatch,
	'X': lifecycle.Illegal,
	'N': lifecycle.NotDue,
}

// cell is what an edge answers in a state. Three texts are for the instant
// before the deadline, the deadline, and the instant after it; one is for all
// of them. A text is one letter where nothing else matters, or sixteen:
//
//	stale     no no no no  no no no no  yes …
//	held      no no no no  yes …
//	parent    ok ok gone gone …
//	children  no yes no yes …
type cell struct {
	edge  lifecycle.EdgeName
	state lifecycle.State
	want  []string
}

func at(edge lifecycle.EdgeName, state lifecycle.State, want ...string) cell {
	return cell{edge, state, want}
}

const (
	none    lifecycle.State = ""
	strange lifecycle.State = "a state of no machine"
	unknown                 = lifecycle.EdgeName("an edge of no machine")

	always = "TTTT TTTT VVVV VVVV"
	unheld = "TTTT HHHH VVVV VVVV"
)

// twoStage is requirements A1 to A5, written out by hand.
var twoStage = []cell{
	at(lifecycle.Trash, none, "0"),
	at(lifecycle.Trash, lifecycle.Active, "TRTR TRTR VVVV VVVV"),
	at(lifecycle.Trash, lifecycle.Trashed, "="),
	at(lifecycle.Trash, lifecycle.Purged, "G"),
	at(lifecycle.Trash, lifecycle.Reclaimed, "G"),
	at(lifecycle.Trash, strange, "X"),

	at(lifecycle.Restore, none, "0"),
	at(lifecycle.Restore, lifecycle.Active, "="),
	at(lifecycle.Restore, lifecycle.Trashed, "TTPP TTPP VVVV VVVV", "EEEE EEEE VVVV VVVV", "EEEE EEEE VVVV VVVV"),
	at(lifecycle.Restore, lifecycle.Purged, "G"),
	at(lifecycle.Restore, lifecycle.Reclaimed, "G"),
	at(lifecycle.Restore, strange, "X"),

	at(lifecycle.Purge, none, "0"),
	at(lifecycle.Purge, lifecycle.Active, "X"),
	at(lifecycle.Purge, lifecycle.Trashed, unheld),
	at(lifecycle.Purge, lifecycle.Purged, "="),
	at(lifecycle.Purge, lifecycle.Reclaimed, "="),
	at(lifecycle.Purge, strange, "X"),

	at(lifecycle.Expire, none, "0"),
	at(lifecycle.Expire, lifecycle.Active, "X"),
	at(lifecycle.Expire, lifecycle.Trashed, "NNNN HHHH VVVV VVVV", unheld, unheld),
	at(lifecycle.Expire, lifecycle.Purged, "="),
	at(lifecycle.Expire, lifecycle.Reclaimed, "="),
	at(lifecycle.Expire, strange, "X"),

	at(lifecycle.Reclaim, none, "0"),
	at(lifecycle.Reclaim, lifecycle.Active, "X"),
	at(lifecycle.Reclaim, lifecycle.Trashed, "X"),
	at(lifecycle.Reclaim, lifecycle.Purged, unheld),
	at(lifecycle.Reclaim, lifecycle.Reclaimed, "="),
	at(lifecycle.Reclaim, strange, "X"),

	at(unknown, none, "0"),
	at(unknown, lifecycle.Active, "X"),
	at(unknown, lifecycle.Trashed, "X"),
	at(unknown, lifecycle.Purged, "X"),
	at(unknown, lifecycle.Reclaimed, "X"),
	at(unknown, strange, "X"),
}

// token is requirement B2.
var token = []cell{
	at("revoke", none, "0"),
	at("revoke", "active", always),
	at("revoke", "revoked", "="),
	at("revoke", "deleted", "G"),
	at("revoke", strange, "X"),

	at("reinstate", none, "0"),
	at("reinstate", "active", "="),
	at("reinstate", "revoked", always, "EEEE EEEE VVVV VVVV", "EEEE EEEE VVVV VVVV"),
	at("reinstate", "deleted", "G"),
	at("reinstate", strange, "X"),

	at("delete", none, "0"),
	at("delete", "active", "X"),
	at("delete", "revoked", "NNNN HHHH VVVV VVVV", unheld, unheld),
	at("delete", "deleted", "="),
	at("delete", strange, "X"),

	at(unknown, none, "0"),
	at(unknown, "active", "X"),
	at(unknown, "revoked", "X"),
	at(unknown, "deleted", "X"),
	at(unknown, strange, "X"),
}

// fileStates are the columns of file.
var fileStates = []lifecycle.State{
	none, "pending", "queued", "processing", "ready", "rejected", "deleting", "deleted", strange,
}

// file is requirement C1: an expiry and a user's deletion are one edge. "a" and
// "u" stand for always and unheld.
var file = expand(fileStates, []line{
	{"confirm", "0 a = X X X G G X"},
	{"start", "0 X a X X X G G X"},
	{"requeue", "0 X = a X X G G X"},
	{"accept", "0 X X a = X G G X"},
	{"reject", "0 X X a X = G G X"},
	{"delete", "0 u u u u u = = X"},
	{"finish", "0 X X X X X u = X"},
	{unknown, "0 X X X X X X X X"},
})

type line struct {
	edge  lifecycle.EdgeName
	wants string
}

func expand(states []lifecycle.State, lines []line) (cells []cell) {
	short := map[string]string{"a": always, "u": unheld}
	for _, l := range lines {
		for i, want := range strings.Fields(l.wants) {
			if long := short[want]; long != "" {
				want = long
			}
			cells = append(cells, at(l.edge, states[i], want))
		}
	}
	return cells
}

// outcome reads a cell.
func (c cell) outcome(when, facts int) lifecycle.Outcome {
	text := c.want[0]
	if len(c.want) > 1 {
		text = c.want[when]
	}
	marks := []rune(strings.ReplaceAll(text, " ", ""))
	if len(marks) > 1 {
		return letters[marks[facts]]
	}
	return letters[marks[0]]
}

// records are the facts of one row, with a stored deadline and without one.
func records(state lifecycle.State, facts int) map[string]lifecycle.Record {
	r := lifecycle.Record{
		State: state, DeletedAt: noon,
		Stale: facts&8 > 0, Held: facts&4 > 0, ParentTrashed: facts&2 > 0, LiveChildren: facts&1 > 0,
	}
	stored := r
	stored.PurgeAfter = noon.Add(window)
	return map[string]lifecycle.Record{"computed": r, "stored": stored}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	instants := []time.Time{noon.Add(window - tick), noon.Add(window), noon.Add(window + tick)}
	for _, tt := range []struct {
		name    string
		machine *lifecycle.Machine
		cells   []cell
	}{
		{"two-stage", lifecycle.TwoStage, twoStage},
		{"token", lifecycle.Token, token},
		{"file", lifecycle.File, file},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want, got := map[string]string{}, map[string]string{}
			for _, c := range tt.cells {
				for when, now := range instants {
					for facts := range 16 {
						for deadline, r := range records(c.state, facts) {
							name := fmt.Sprintf("%s %s, instant %d, facts %04b, %s", c.edge, c.state, when, facts, deadline)
							want[name] = c.outcome(when, facts).String()
							got[name] = tt.machine.Decide(r, c.edge, now, policy).String()
						}
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestExpectationsAreComplete wants a cell for each edge in each state, so that
// neither can be added to a machine without saying what it answers.
func TestExpectationsAreComplete(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		machine *lifecycle.Machine
		cells   []cell
	}{
		{"two-stage", lifecycle.TwoStage, twoStage},
		{"token", lifecycle.Token, token},
		{"file", lifecycle.File, file},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want, got := map[string]int{}, map[string]int{}
			edges := []lifecycle.EdgeName{unknown}
			for _, e := range tt.machine.Edges() {
				edges = append(edges, e.Name)
			}
			for _, e := range edges {
				for _, s := range append(tt.machine.States(), none, strange) {
					want[string(e)+" "+string(s)] = 1
				}
			}
			for _, c := range tt.cells {
				got[string(c.edge)+" "+string(c.state)]++
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
		})
	}
}
