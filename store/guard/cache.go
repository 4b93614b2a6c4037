package guard

import "sync"

// cache remembers texts. A full one starts anew: what is in use comes back at
// once, and nothing has to be ordered on a hit.
type cache struct {
	mu    sync.RWMutex
	limit int
	texts map[query]string
}

type query struct{ scopes, text string }

func newCache(limit int) *cache { return &cache{limit: limit, texts: map[query]string{}} }

func (c *cache) get(scopes, text string) (string, bool) {
	c.mu.RLock()
	r, ok := c.texts[query{scopes, text}]
	c.mu.RUnlock()
	return r, ok
}

// longText is the length from which on a text is not worth its memory.
const longText = 16 << 10

func (c *cache) put(scopes, text, rewritten string) {
	if c.limit < 0 || len(text) > longText {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.texts) >= c.limit {
		clear(c.texts)
	}
	c.texts[query{scopes, text}] = rewritten
}
