package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// file is one file of the directory.
type file struct {
	id   int64
	name string // relative, with slashes
	path string
	size int64
}

// found is a directory's files, and how many were left out.
type found struct {
	files   []file
	skipped int
}

const (
	// maxFile is the largest file taken: the store in this process is memory.
	maxFile = 8 << 20
	// maxTotal is how much is taken of a directory.
	maxTotal = 512 << 20
)

// findFiles lists the regular files of a directory in the order of their names.
// Directories of version control are left out.
func findFiles(dir string) (found, error) {
	var f found
	total := int64(0)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Size() > maxFile || total+info.Size() > maxTotal {
			f.skipped++
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		total += info.Size()
		id := int64(len(f.files) + 1)
		f.files = append(f.files, file{id: id, name: filepath.ToSlash(name), path: path, size: info.Size()})
		return nil
	})
	if err == nil && len(f.files) == 0 {
		err = fmt.Errorf("%s holds no files", dir)
	}
	return f, err
}

// moduleDir is the directory of the module that this program is run in.
func moduleDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(filepath.Join(dir, "go.mod"))
		if err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if !errors.Is(err, fs.ErrNotExist) || parent == dir {
			return "", fmt.Errorf("no go.mod above the working directory (give a -dir): %w", err)
		}
		dir = parent
	}
}
