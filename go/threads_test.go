package urlmill

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	goroutines = 16
	urlCount   = 100_000
)

// manyURLs returns URLs with every kind of result. Each page comes twice, and every tenth text is not a URL.
func manyURLs() []string {
	urls := make([]string, urlCount)
	for at := range urls {
		page := at % (urlCount / 2)
		switch at % 10 {
		case 0:
			urls[at] = fmt.Sprintf("//a.example/%d", page)
		case 1:
			urls[at] = fmt.Sprintf("HTTP://Bücher.example:80/%%7e/../%d?b=%d&a#top", page, page)
		default:
			urls[at] = fmt.Sprintf("https://h%d.example/%d?utm_source=x&id=%d", page%97, page, page)
		}
	}
	return urls
}

// inGoroutines runs a part in each goroutine, and fails with the first error.
func inGoroutines(t *testing.T, part func(thread int) error) {
	t.Helper()
	errs := make([]error, goroutines)
	var all sync.WaitGroup
	for thread := range goroutines {
		all.Go(func() { errs[thread] = part(thread) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// result is what a call made of a URL.
type result struct{ url, code string }

func normalizeAll(n *Normalizer, urls []string) []result {
	made := make([]result, len(urls))
	for at, url := range urls {
		url, err := n.Normalize(url)
		made[at] = result{url, codeOf(err)}
	}
	return made
}

func TestGoroutinesGetWhatOneGets(t *testing.T) {
	urls := manyURLs()
	serial := normalizeAll(mustNew(t, "crawl"), urls)
	limited, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := presetPlan("crawl")
	for _, limit := range []int{1, 3, goroutines} {
		n, err := load(limited, plan, limit)
		if err != nil {
			t.Fatal(err)
		}
		inGoroutines(t, func(thread int) error {
			// All goroutines normalize all URLs, in batches and one by one, from another place on.
			first := thread * urlCount / goroutines
			part := urls[first : first+urlCount/goroutines]
			if made := normalizeAll(n, part); !slices.Equal(made, serial[first:first+len(part)]) {
				return fmt.Errorf("calls of goroutine %d differ", thread)
			}
			rows := slices.Concat(urls[first:], urls[:first])
			batch, err := n.NormalizeBatch(rows)
			if err != nil {
				return err
			}
			for row := range rows {
				url, err := batch.Get(row)
				if expected := serial[(first+row)%urlCount]; (result{url, codeOf(err)}) != expected {
					return fmt.Errorf("%s is %s %v, not %v", rows[row], url, err, expected)
				}
			}
			return nil
		})
		if free := len(n.kernels.free); free > limit || n.kernels.lent != 0 {
			t.Errorf("%d kernels are free and %d lent, of %d", free, n.kernels.lent, limit)
		}
	}
}

func TestFingerprintsOfGoroutinesAreThoseOfTheirKey(t *testing.T) {
	urls := manyURLs()[:10_000]
	n := mustNew(t, "crawl")
	inGoroutines(t, func(thread int) error {
		key := Key{byte(thread % 2)}
		batch, err := n.FingerprintBatch(urls, key)
		if err != nil {
			return err
		}
		alone := mustNew(t, "crawl")
		for row, url := range urls {
			ofBatch, _ := batch.Get(row)
			shared, _ := n.Fingerprint(url, key)
			own, _ := alone.Fingerprint(url, key)
			if ofBatch != own || shared != own {
				return fmt.Errorf("%s has %x in a batch, %x in a call, %x alone", url, ofBatch, shared, own)
			}
		}
		return nil
	})
}

func TestEachPageIsNewToOneGoroutine(t *testing.T) {
	urls := manyURLs()
	n := mustNew(t, "crawl")
	serial, shared := NewSeen(n), NewSeen(n)
	expected := 0
	for _, url := range urls {
		if isNew, _ := serial.Add(url); isNew {
			expected++
		}
	}
	var found atomic.Int64
	inGoroutines(t, func(int) error {
		for _, url := range urls {
			if isNew, _ := shared.Add(url); isNew {
				found.Add(1)
			}
		}
		return nil
	})
	if int(found.Load()) != expected || shared.Len() != expected || expected != urlCount*9/20 {
		t.Error(found.Load(), shared.Len(), expected)
	}
}

func TestKernelsThatNothingRefersToAreFreed(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 100 {
		mustNew(t, "safe")
		runtime.GC()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	// Each has about 4 MB.
	if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 100<<20 {
		t.Error(grown, "bytes are kept")
	}
}

func TestAKernelThatIsLetGoIsFreed(t *testing.T) {
	engine, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := presetPlan("safe")
	n, err := load(engine, plan, 2)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := n.kernels.lend()
	other, _ := n.kernels.lend()
	n.kernels.giveBack(one)
	n.kernels.giveBack(other)
	isFreed := make(chan struct{})
	runtime.AddCleanup(other, func(freed chan struct{}) { close(freed) }, isFreed)
	one, other = nil, nil
	// The kernel that was given back last takes the long URL, and the other one the short URL.
	for _, url := range []string{longURL(keptBytes + 1), "http://a/"} {
		if _, err := n.Normalize(url); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	select {
	case <-isFreed:
	case <-time.After(time.Second):
		t.Error("a kernel with much memory was let go, and is not freed")
	}
	runtime.KeepAlive(n)
}
