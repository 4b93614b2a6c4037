package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/softdelete-go/softdelete/internal/corpus/judge"
	"github.com/softdelete-go/softdelete/internal/corpus/source"
	"github.com/softdelete-go/softdelete/internal/sqltext"
)

func main() {
	wrong, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(2)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	corpus, dir, cache string
	show               int
	list               string
}

func run() (wrong int, err error) {
	var o options
	flag.StringVar(&o.corpus, "corpus", "", "judge one `corpus` instead of all")
	flag.StringVar(&o.dir, "dir", "", "judge the .sql files of a `directory` instead")
	flag.StringVar(&o.cache, "cache", "", "keep what is fetched in a `directory` other than the user's cache")
	flag.IntVar(&o.show, "show", 10, "how many findings of a kind, and reasons, to show")
	flag.StringVar(&o.list, "list", "", "show findings of one `kind` instead of missed, extra and unparsable")
	flag.Parse()
	if o.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return 0, err
		}
		o.cache = filepath.Join(dir, "softdelete", "corpus")
	}
	chosen, err := o.choose()
	if err != nil {
		return 0, err
	}
	var all []*tally
	var faults []error
	for _, c := range chosen {
		texts, err := c.Texts(source.Cache{Dir: o.cache})
		if err != nil {
			// The others are worth judging all the same.
			faults = append(faults, fmt.Errorf("%s: %w", c.Name, err))
			continue
		}
		tallies, err := judgeAll(c.Name, texts, kind(o.list))
		if err != nil {
			return 0, err
		}
		all = append(all, tallies...)
	}
	for _, t := range all {
		wrong += t.wrong()
		o.print(t)
	}
	fmt.Println()
	return wrong, errors.Join(append(faults, table(os.Stdout, all))...)
}

func (o options) print(t *tally) {
	if o.list != "" {
		t.print(os.Stdout, kind(o.list), o.show)
		return
	}
	t.explain(os.Stdout, o.show)
	for _, k := range []kind{missed, extra, unparsable} {
		t.print(os.Stdout, k, o.show)
	}
}

func (o options) choose() ([]source.Corpus, error) {
	if o.dir != "" {
		return []source.Corpus{{Name: filepath.Base(o.dir), Texts: func(source.Cache) ([]source.Text, error) {
			return source.Directory(o.dir)
		}}}, nil
	}
	if o.corpus == "" {
		return source.Corpora, nil
	}
	var known []string
	for _, c := range source.Corpora {
		if c.Name == o.corpus {
			return []source.Corpus{c}, nil
		}
		known = append(known, c.Name)
	}
	return nil, fmt.Errorf("no corpus %q (there are %v)", o.corpus, known)
}

// judges are those of each product. The function closes them.
func judges() (by map[source.Product][]judge.Judge, done func() error, err error) {
	lite, err := judge.NewSQLite()
	if err != nil {
		return nil, nil, err
	}
	done = lite.Close
	by = map[source.Product][]judge.Judge{
		source.Postgres: {judge.NewPostgres()},
		source.MySQL:    {judge.NewVitess(), judge.NewTiDB()},
		source.SQLite:   {lite},
	}
	if dsn := os.Getenv("SOFTDELETE_MYSQL_DSN"); dsn != "" {
		server, err := judge.NewMariaDB(dsn)
		if err != nil {
			return nil, nil, errors.Join(err, lite.Close())
		}
		done = func() error { return errors.Join(lite.Close(), server.Close()) }
		by[source.MySQL] = append(by[source.MySQL], server)
	}
	return by, done, nil
}

// judgeAll has a corpus judged. A statement that comes twice counts once, except
// where its meaning depends on those before it.
func judgeAll(corpus string, texts []source.Text, keep kind) (all []*tally, err error) {
	by, done, err := judges()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	tallies := map[string]*tally{}
	seen := map[[2]string]bool{}
	for _, t := range texts {
		for _, j := range by[t.Product] {
			at := tallies[j.Name()]
			if at == nil {
				at = newTally(corpus, j.Name())
				tallies[j.Name()] = at
				all = append(all, at)
			}
			lite, stateful := j.(*judge.SQLite)
			if stateful {
				if err := lite.Reset(); err != nil {
					return nil, err
				}
			}
			for _, s := range t.Statements {
				if !stateful && seen[[2]string{j.Name(), s}] {
					continue
				}
				seen[[2]string{j.Name(), s}] = true
				for _, f := range check(sqltext.Parse, s, products[t.Product], j) {
					f.path = t.Path
					at.add(f, keep)
				}
				if stateful {
					lite.Run(s)
				}
			}
		}
	}
	return all, nil
}
