package urlmill

import (
	"crypto/rand"
	"sync"
)

// Seen is a set of pages in memory, which tells which URLs are new. It has the fingerprint of each, of 16 bytes, under a
// random key. Two URLs with one canonical form are one page. Goroutines may share one.
type Seen struct {
	normalizer *Normalizer
	key        Key

	mutex sync.Mutex
	known map[Fingerprint]struct{}
}

// NewSeen makes an empty set.
func NewSeen(normalizer *Normalizer) *Seen {
	s := &Seen{normalizer: normalizer, known: map[Fingerprint]struct{}{}}
	rand.Read(s.key[:])
	return s
}

// Add adds the page of a URL, and returns whether it is new. What is not a URL is not added: it is false, with the error
// of [Normalizer.Normalize].
func (s *Seen) Add(url string) (bool, error) {
	fingerprint, err := s.normalizer.Fingerprint(url, s.key)
	if err != nil {
		return false, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	before := len(s.known)
	s.known[fingerprint] = struct{}{}
	return len(s.known) > before, nil
}

// Len returns how many pages the set has.
func (s *Seen) Len() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.known)
}
