// Times the kernel beside net/url and purell: bench KERNEL PLAN FILE.
//
// Prints nanoseconds of the processor for each line of FILE, medians of three interleaved rounds.
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/PuerkitoBio/purell"
	"github.com/tetratelabs/wazero"

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

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: bench KERNEL PLAN FILE")
		os.Exit(2)
	}
	ctx := context.Background()
	bytes, plan := must(os.ReadFile(os.Args[1])), must(os.ReadFile(os.Args[2]))
	urls := strings.Split(strings.TrimSuffix(string(must(os.ReadFile(os.Args[3]))), "\n"), "\n")

	before := processorTime()
	runtime := wazero.NewRuntime(ctx)
	kernel := must(runtime.CompileModule(ctx, bytes))
	n := must(urlmill.New(ctx, runtime, kernel, plan, 1<<20))
	fmt.Printf("%-24s %5d ms\n", "set-up", (processorTime() - before).Milliseconds())

	// Each way adds up the bytes of its results.
	var sum int
	add := func(row int, url, code string) { sum += len(url) }
	ways := []struct {
		name string
		pass func()
	}{
		{"kernel, batches", func() { must(0, n.Normalize(ctx, urls, add)) }},
		{"kernel, one URL a call", func() {
			for at := range urls {
				must(0, n.Normalize(ctx, urls[at:at+1], add))
			}
		}},
		{"net/url", func() {
			for _, text := range urls {
				if parsed, err := url.Parse(text); err == nil {
					sum += len(parsed.String())
				}
			}
		}},
		{"purell, FlagsSafe", func() {
			for _, text := range urls {
				if text, err := purell.NormalizeURLString(text, purell.FlagsSafe); err == nil {
					sum += len(text)
				}
			}
		}},
	}
	times := make([][]time.Duration, len(ways))
	for round := range rounds + 1 {
		for at, way := range ways {
			before := processorTime()
			for range passes {
				way.pass()
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
