package fileobj

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// disk is the bucket's directory. Every change of it is one of these steps, so
// that tests can stop between any two.
type disk struct {
	root *os.Root
	// before is asked before each step; an error is the step's. Nil asks nobody.
	before func(step string) error
}

func (d disk) step(verb, name string) error {
	if d.before == nil {
		return nil
	}
	return d.before(verb + " " + name)
}

// create makes a file, or empties the one that is there.
func (d disk) create(name string) (*os.File, error) {
	if err := d.step("create", name); err != nil {
		return nil, err
	}
	return d.root.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o666)
}

func (d disk) sync(f *os.File, name string) error {
	if err := d.step("sync", name); err != nil {
		return err
	}
	return f.Sync()
}

// syncDir makes the names in a directory durable.
func (d disk) syncDir(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.sync(f, name), f.Close())
}

// mkdir makes a directory and what is missing between it and the one of all
// keys. What is there is durable: the directories of a change that died before
// its syncs are removed before the next one.
func (d disk) mkdir(name string) error {
	parent := path.Dir(name)
	if parent != "." && parent != keysDir {
		if err := d.mkdir(parent); err != nil {
			return err
		}
	}
	if err := d.step("mkdir", name); err != nil {
		return err
	}
	if err := d.root.Mkdir(name, 0o777); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return d.syncDir(parent)
}

func (d disk) rename(from, to string) error {
	if err := d.step("rename", to); err != nil {
		return err
	}
	return d.root.Rename(from, to)
}

// remove removes a file or an empty directory, if it is there.
func (d disk) remove(name string) error {
	if err := d.step("remove", name); err != nil {
		return err
	}
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// write makes the content of a file durable, but not yet its name.
func (d disk) write(name string, data []byte) error {
	f, err := d.create(name)
	if err != nil {
		return err
	}
	err = d.step("write", name)
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = d.sync(f, name)
	}
	return errors.Join(err, f.Close())
}

// replace gives a JSON file new content, at one instant.
func (d disk) replace(name string, content any) error {
	data, err := json.Marshal(content)
	if err != nil {
		return err
	}
	if err := d.write(name+".tmp", data); err != nil {
		return err
	}
	if err := d.rename(name+".tmp", name); err != nil {
		return err
	}
	return d.syncDir(path.Dir(name))
}

// list returns what a directory holds.
func (d disk) list(dir string) ([]string, error) {
	f, err := d.root.Open(dir)
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	return names, errors.Join(err, f.Close())
}

// used tells whether a directory holds anything; one that is not there does not.
func (d disk) used(dir string) (bool, error) {
	f, err := d.root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	names, err := f.Readdirnames(1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return len(names) > 0, errors.Join(err, f.Close())
}

// first returns the n names of a directory that are the least among those that
// keep wants, in their order. It holds a few times n.
func (d disk) first(dir string, n int, keep func(name string) bool) (least []string, err error) {
	f, err := d.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(n)
		for _, name := range names {
			if keep(name) {
				least = append(least, name)
			}
		}
		done := errors.Is(err, io.EOF)
		if err != nil && !done {
			return nil, err
		}
		if done || len(least) >= 2*n {
			slices.Sort(least)
			least = least[:min(n, len(least))]
		}
		if done {
			return least, nil
		}
	}
}
