package urlmill

import "strings"

// Fingerprint stands for a canonical form: 128 bits, the SipHash-1-3 of its bytes.
type Fingerprint [16]byte

// Key is the secret under which fingerprints are made. The same key gives the same fingerprints in every language. Keep
// it from whoever picks the URLs: with it, an author of URLs can make two with one fingerprint.
type Key [16]byte

// NormalizedBatch has what [Normalizer.NormalizeBatch] made of a list. All canonical forms are parts of one string: to
// keep a few of them without the others, copy them with [strings.Clone].
type NormalizedBatch struct {
	text     string
	offsets  []int
	statuses []byte
}

// NormalizeBatch normalizes a list, which takes less time than a call for each URL. One that is not a URL has an error of
// its own, and does not end the batch. The error that NormalizeBatch returns is ENGINE_FAILED or ENGINE_UNAVAILABLE.
func (n *Normalizer) NormalizeBatch(urls []string) (*NormalizedBatch, error) {
	bytes := 0
	for _, url := range urls {
		bytes += len(url) + 1
	}
	var text strings.Builder
	text.Grow(bytes)
	offsets := append(make([]int, 0, len(urls)+1), 0)
	statuses := make([]byte, 0, len(urls))
	err := n.windows(urls, func(k *kernel, rows int) error {
		begin := text.Len()
		for row := range rows {
			offsets = append(offsets, begin+k.outputEnd(row))
		}
		text.Write(k.output[:k.outputEnd(rows-1)])
		statuses = append(statuses, k.statuses[:rows]...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &NormalizedBatch{text.String(), offsets, statuses}, nil
}

// Len returns the length of the list.
func (b *NormalizedBatch) Len() int { return len(b.statuses) }

// Get returns the canonical form of a URL by its index in the list, or its [*Error]. It panics for another index.
func (b *NormalizedBatch) Get(row int) (string, error) {
	if failure := failures[b.statuses[row]]; failure != nil {
		return "", failure
	}
	return b.text[b.offsets[row]:b.offsets[row+1]], nil
}

// FingerprintBatch has what [Normalizer.FingerprintBatch] made of a list.
type FingerprintBatch struct {
	fingerprints []Fingerprint
	statuses     []byte
}

// FingerprintBatch makes the fingerprints of the canonical forms of a list, with the errors of [Normalizer.NormalizeBatch].
func (n *Normalizer) FingerprintBatch(urls []string, key Key) (*FingerprintBatch, error) {
	made := &FingerprintBatch{make([]Fingerprint, 0, len(urls)), make([]byte, 0, len(urls))}
	err := n.windows(urls, func(k *kernel, rows int) error {
		if err := k.fingerprint(rows, &key); err != nil {
			return err
		}
		for row := range rows {
			made.fingerprints = append(made.fingerprints, Fingerprint(k.fingerprints[16*row:]))
		}
		made.statuses = append(made.statuses, k.statuses[:rows]...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// Len returns the length of the list.
func (b *FingerprintBatch) Len() int { return len(b.statuses) }

// Get returns the fingerprint of a URL by its index in the list, or its [*Error]. It panics for another index.
func (b *FingerprintBatch) Get(row int) (Fingerprint, error) {
	if failure := failures[b.statuses[row]]; failure != nil {
		return Fingerprint{}, failure
	}
	return b.fingerprints[row], nil
}
