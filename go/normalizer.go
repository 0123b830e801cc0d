// Package urlmill gives every URL one canonical form, so that equal pages get equal keys.
//
// It runs the kernel of the Node package in wazero, without cgo, so results are the same bytes as in Node, Python, Java
// and Rust. The kernel and the plans of the presets are embedded.
package urlmill

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"strings"
)

// planHeaderBytes is the length of the shortest plan.
const planHeaderBytes = 48

// Normalizer normalizes URLs by one plan. No result depends on an earlier call. Goroutines may share one.
//
// Each call has a kernel to itself. A normalizer has at most as many kernels as there were processors ([runtime.GOMAXPROCS])
// when it was made; further calls wait. A batch lends its kernel to others after every 64 KiB. There is nothing to close.
type Normalizer struct {
	kernels   *kernels
	plan      []byte
	maxLength int
}

// New makes a normalizer with a preset: safe, crawl, c14n or aggressive. Another name is BAD_OPTION.
func New(preset string) (*Normalizer, error) {
	plan, err := presetPlan(preset)
	if err != nil {
		return nil, err
	}
	return Load(plan)
}

// Load makes a normalizer with the bytes of a plan, which `urlmill plan` writes. Any other bytes are BAD_OPTION, and so
// is a plan of another version: the text names both.
func Load(plan []byte) (*Normalizer, error) {
	engine, err := embedded()
	if err != nil {
		return nil, err
	}
	return load(engine, plan, runtime.GOMAXPROCS(0))
}

func load(engine *engine, plan []byte, limit int) (*Normalizer, error) {
	if len(plan) < planHeaderBytes || len(plan)%4 != 0 {
		return nil, badOption("plan: these bytes are not what `urlmill plan` writes")
	}
	if version := fmt.Sprint(binary.LittleEndian.Uint32(plan)); !slices.Contains(planVersions, version) {
		return nil, badOption("plan: is of version " + version + ", and this release reads " +
			strings.Join(planVersions, ", ") + ": make it anew with `urlmill plan` of the same release")
	}
	plan = slices.Clone(plan)
	maxLength := int(min(binary.LittleEndian.Uint32(plan[4:]), math.MaxInt32))
	n := &Normalizer{newKernels(engine, plan, limit), plan, maxLength}
	// The kernel finds what else is damaged.
	k, err := n.kernels.lend()
	if err != nil {
		return nil, err
	}
	n.kernels.giveBack(k)
	return n, nil
}

// Normalize returns the canonical form of a URL. The error is an [*Error] with the code and the place of what is wrong in
// the URL. Bytes that are not UTF-8 are percent-encoded one by one.
func (n *Normalizer) Normalize(url string) (string, error) {
	err := n.one(url, func(k *kernel) error {
		if k.statuses[0] == statusChanged {
			url = string(k.output[:k.outputEnd(0)])
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return url, nil
}

// Fingerprint returns the fingerprint of the canonical form of a URL. Errors are those of [Normalizer.Normalize].
func (n *Normalizer) Fingerprint(url string, key Key) (Fingerprint, error) {
	var made Fingerprint
	err := n.one(url, func(k *kernel) error {
		err := k.fingerprint(1, &key)
		copy(made[:], k.fingerprints)
		return err
	})
	return made, err
}

// ProfileID returns a short name for everything that a result depends on besides the URL, which is the same in Node,
// Python, Java and Rust. Store it with keys that outlive the process: keys of two ids do not compare.
func (n *Normalizer) ProfileID() string {
	hash := fnv.New64a()
	hash.Write([]byte(profile))
	hash.Write(n.plan)
	return fmt.Sprintf("%016x", hash.Sum64())
}

// one hands take the kernel that has normalized a URL. If it is not a URL, one returns its error.
func (n *Normalizer) one(url string, take func(k *kernel) error) error {
	return n.windows([]string{url}, func(k *kernel, _ int) error {
		if k.statuses[0] > statusChanged {
			return k.failure(url, n.maxLength)
		}
		return take(k)
	})
}

// windows hands take the kernel after each window, with how many URLs it has normalized.
func (n *Normalizer) windows(urls []string, take func(k *kernel, rows int) error) error {
	for len(urls) > 0 {
		k, err := n.kernels.lend()
		if err != nil {
			return err
		}
		rows, err := k.normalize(urls, n.maxLength)
		if err == nil {
			err = take(k, rows)
		}
		n.kernels.giveBack(k)
		if err != nil {
			return err
		}
		urls = urls[rows:]
	}
	return nil
}
