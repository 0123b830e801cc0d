// Times urlmill beside net/url and purell: bench PRESET FILE.
//
// Prints nanoseconds of the processor for each line of FILE, medians of three interleaved rounds.
package main

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/PuerkitoBio/purell"

	urlmill "github.com/urlmill/urlmill/go"
)

const (
	rounds = 3
	passes = 5
)

// processorTime returns the time that the processor has spent on this process, with its garbage collector.
func processorTime() time.Duration {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

// way is a way to go through the list. A pass returns the bytes of its results.
type way struct {
	name string
	pass func() int
}

func waysOf(n *urlmill.Normalizer, urls []string) []way {
	each := func(made func(text string) (string, error)) func() int {
		return func() int {
			sum := 0
			for _, text := range urls {
				made, _ := made(text)
				sum += len(made)
			}
			return sum
		}
	}
	return []way{
		{"batches", func() int {
			batch, sum := must(n.NormalizeBatch(urls)), 0
			for row := range batch.Len() {
				url, _ := batch.Get(row)
				sum += len(url)
			}
			return sum
		}},
		{"fingerprints of batches", func() int {
			return 16 * must(n.FingerprintBatch(urls, urlmill.Key{})).Len()
		}},
		{"one URL a call", each(n.Normalize)},
		{"a set of seen pages", func() int {
			seen := urlmill.NewSeen(n)
			for _, text := range urls {
				seen.Add(text)
			}
			return 16 * seen.Len()
		}},
		{"net/url", each(func(text string) (string, error) {
			parsed, err := url.Parse(text)
			if err != nil {
				return "", err
			}
			return parsed.String(), nil
		})},
		{"purell, FlagsSafe", each(func(text string) (string, error) {
			return purell.NormalizeURLString(text, purell.FlagsSafe)
		})},
	}
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bench PRESET FILE")
		os.Exit(2)
	}
	urls := strings.Split(strings.TrimSuffix(string(must(os.ReadFile(os.Args[2]))), "\n"), "\n")
	before := processorTime()
	n := must(urlmill.New(os.Args[1]))
	fmt.Printf("%-24s %5d ms\n", "set-up", (processorTime() - before).Milliseconds())

	ways, sum := waysOf(n, urls), 0
	times := make([][]time.Duration, len(ways))
	for round := range rounds + 1 {
		for at, way := range ways {
			before := processorTime()
			for range passes {
				sum += way.pass()
			}
			// The first round warms up.
			if round > 0 {
				times[at] = append(times[at], (processorTime()-before)/time.Duration(passes*len(urls)))
			}
		}
	}
	for at, way := range ways {
		slices.Sort(times[at])
		fmt.Printf("%-24s %5d ns\n", way.name, times[at][rounds/2].Nanoseconds())
	}
	fmt.Fprintln(os.Stderr, sum, "bytes of results")
}
