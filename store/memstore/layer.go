package memstore

import "iter"

// layer is a map with changes that others do not see yet. The zero layer is not
// usable: its base has to be a map.
type layer[K comparable, V any] struct {
	base    map[K]V
	changes map[K]*V // nil for what was removed
}

func (l *layer[K, V]) get(k K) (v V, ok bool) {
	if changed, is := l.changes[k]; is {
		if changed == nil {
			return v, false
		}
		return *changed, true
	}
	v, ok = l.base[k]
	return v, ok
}

func (l *layer[K, V]) set(k K, v V) { l.change(k, &v) }

func (l *layer[K, V]) remove(k K) { l.change(k, nil) }

func (l *layer[K, V]) change(k K, v *V) {
	if l.changes == nil {
		l.changes = map[K]*V{}
	}
	l.changes[k] = v
}

// all yields every entry in no order. The layer must not be changed meanwhile.
func (l *layer[K, V]) all() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range l.base {
			if _, changed := l.changes[k]; !changed && !yield(k, v) {
				return
			}
		}
		for k, v := range l.changes {
			if v != nil && !yield(k, *v) {
				return
			}
		}
	}
}

// merge makes the changes part of the base.
func (l *layer[K, V]) merge() {
	for k, v := range l.changes {
		if v == nil {
			delete(l.base, k)
		} else {
			l.base[k] = *v
		}
	}
	l.changes = nil
}
