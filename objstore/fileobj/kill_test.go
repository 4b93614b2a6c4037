package fileobj

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

// envVictim makes the test binary a process that kills itself in a change.
const envVictim = "FILEOBJ_TEST_VICTIM"

// order is what a victim does, and before which step it dies. Death in the body
// is before its second half.
type order struct {
	Dir    string
	Change string
	Step   int
	InBody bool
}

// victimChanges are the changes that a victim can make to the key "k".
var victimChanges = map[string]func(*Bucket, io.Reader) error{
	"put": func(b *Bucket, body io.Reader) error {
		_, err := b.put(context.Background(), "k", body, int64(len(victimBody)), objstore.PutOptions{})
		return err
	},
	"hide": func(b *Bucket, _ io.Reader) error {
		return b.delete(context.Background(), objstore.ID{Key: "k"})
	},
	"delete": func(b *Bucket, _ io.Reader) error {
		for o, err := range b.Versions(context.Background(), "k", nil) {
			if err != nil {
				return err
			}
			return b.delete(context.Background(), objstore.ID{Key: "k", Version: o.Version})
		}
		return errors.New("nothing to delete")
	},
}

const victimBody = "the new bytes"

func victim(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	b, err := open(o.Dir, Options{}, nil)
	if err != nil {
		return err
	}
	var body io.Reader = strings.NewReader(victimBody)
	if o.InBody {
		body = io.MultiReader(io.LimitReader(body, int64(len(victimBody)/2)), deadly{})
	}
	b.disk.before = func(string) error {
		if o.Step--; o.Step < 0 {
			die()
		}
		return nil
	}
	return victimChanges[o.Change](b, body)
}

// die is not an exit: nothing is closed, nothing deferred runs.
func die() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	select {} // until the signal comes
}

// deadly is a body at which the process dies.
type deadly struct{}

func (deadly) Read([]byte) (int, error) {
	die()
	return 0, io.EOF
}

// kill runs a victim and tells whether it died.
func kill(t *testing.T, o order) bool {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var complaint bytes.Buffer
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), envVictim+"="+string(text))
	c.Stderr = &complaint
	err = c.Run()
	var exit *exec.ExitError
	if err == nil {
		return false
	}
	if !errors.As(err, &exit) || exit.Exited() {
		t.Fatalf("%v: %s", err, complaint.String())
	}
	return true
}

// TestKill kills a process before each step of a change. The step at which the
// change happens is known from a run that nobody kills: before it the next
// process finds what was, after it what was to be.
func TestKill(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		status objstore.VersioningStatus
		change string
		commit string // the step behind which the change has happened
	}{
		{name: "put", status: objstore.Unversioned, change: "put", commit: "rename " + dirOf("k") + "/" + indexFile},
		{name: "hide", status: objstore.Versioned, change: "hide", commit: "rename " + dirOf("k") + "/" + indexFile},
		{name: "delete", status: objstore.Unversioned, change: "delete", commit: "remove " + dirOf("k") + "/" + indexFile},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			template := t.TempDir()
			put(t, openBucket(t, template, Options{Create: true, Versioning: test.status}, nil), "k", "the old bytes")
			before := state(t, openBucket(t, template, Options{}, nil))
			after, steps := unharmed(t, copyOf(t, template), test.change)
			committed := false
			for i, step := range append(steps, "the end") {
				dir := copyOf(t, template)
				if died := kill(t, order{Dir: dir, Change: test.change, Step: i}); died != (i < len(steps)) {
					t.Fatalf("before step %d, %s: died is %t", i, step, died)
				}
				want := before
				if committed {
					want = after
				}
				b := openBucket(t, dir, Options{}, nil) // whose lock nobody holds any more
				if diff := cmp.Diff(want, state(t, b)); diff != "" {
					t.Errorf("before step %d, %s (-want +got):\n%s", i, step, diff)
				}
				checkOwned(t, b)
				committed = committed || step == test.commit
			}
			if !committed {
				t.Errorf("no step %q in %q", test.commit, steps)
			}
		})
	}
}

// unharmed makes a change that nobody kills, and returns the state behind it and
// its steps.
func unharmed(t *testing.T, dir, change string) (after string, steps []string) {
	t.Helper()
	b := openBucket(t, dir, Options{}, nil)
	b.disk.before = func(step string) error {
		steps = append(steps, step)
		return nil
	}
	if err := victimChanges[change](b, strings.NewReader(victimBody)); err != nil {
		t.Fatal(err)
	}
	return state(t, b), steps
}

// TestKillInTheBody kills a process that has written half of an object.
func TestKillInTheBody(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, openBucket(t, dir, Options{Create: true}, nil), "other", "bytes")
	if !kill(t, order{Dir: dir, Change: "put", Step: 1 << 30, InBody: true}) {
		t.Fatal("the process lived")
	}
	b := openBucket(t, dir, Options{}, nil)
	if got := content(t, b, objstore.ID{Key: "k"}); got != "none" {
		t.Errorf("half an object reads %q", got)
	}
	checkOwned(t, b)
}
