// Normalizes URLs with purell: purell WAY LIST ROUNDS [OUT]. bench/peers/parsers.mjs says what it prints and writes.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/purell"
)

// normalize returns the normalized URL, or an empty string for an error.
func normalize(url string) string {
	result, err := purell.NormalizeURLString(url, purell.FlagsSafe)
	if err != nil {
		return ""
	}
	return result
}

func main() {
	ofLines := os.Args[1] == "lines"
	bytes, err := os.ReadFile(os.Args[2])
	text := string(bytes)
	if err != nil {
		panic(err)
	}
	rounds, err := strconv.Atoi(os.Args[3])
	if err != nil {
		panic(err)
	}
	urls := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	results := make([]string, len(urls))
	var output []byte

	run := func() float64 {
		begin := time.Now()
		if ofLines {
			output = output[:0]
			for line := range strings.Lines(text) {
				output = append(output, normalize(line[:len(line)-1])...)
				output = append(output, '\n')
			}
		} else {
			for row, url := range urls {
				results[row] = normalize(url)
			}
		}
		return float64(time.Since(begin).Nanoseconds()) / float64(len(urls))
	}

	for warm := time.Now().Add(500 * time.Millisecond); time.Now().Before(warm); {
		run()
	}
	times := make([]float64, rounds)
	for round := range times {
		times[round] = run()
	}
	slices.Sort(times)
	fmt.Println(times[0], times[rounds/2])
	if len(os.Args) > 4 {
		if !ofLines {
			output = []byte(strings.Join(results, "\n") + "\n")
		}
		if err := os.WriteFile(os.Args[4], output, 0o644); err != nil {
			panic(err)
		}
	}
}
