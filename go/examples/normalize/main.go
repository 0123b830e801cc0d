// Prints the normalized URL of each line of a file: normalize KERNEL PLAN FILE.
//
// A line that is not a URL stays as it is. Its number and the code of its error go to standard error.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/tetratelabs/wazero"

	urlmill "github.com/urlmill/urlmill/go"
)

// The longest URL that a normalizer allows, unless its options say otherwise.
const longest = 1 << 20

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: normalize KERNEL PLAN FILE")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, paths []string) error {
	var files [3][]byte
	for at, path := range paths {
		var err error
		if files[at], err = os.ReadFile(path); err != nil {
			return err
		}
	}
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	kernel, err := runtime.CompileModule(ctx, files[0])
	if err != nil {
		return &urlmill.Error{Code: "ENGINE_UNAVAILABLE", Text: err.Error()}
	}
	normalizer, err := urlmill.New(ctx, runtime, kernel, files[1], longest)
	if err != nil {
		return err
	}
	var lines []string
	for line := range strings.Lines(string(files[2])) {
		if text, hasEnd := strings.CutSuffix(line, "\n"); hasEnd {
			line = strings.TrimSuffix(text, "\r")
		}
		lines = append(lines, line)
	}
	output, errors := bufio.NewWriter(os.Stdout), bufio.NewWriter(os.Stderr)
	err = normalizer.Normalize(ctx, lines, func(row int, url, code string) {
		if code != "" {
			url = lines[row]
			fmt.Fprintf(errors, "%d\t%s\n", row+1, code)
		}
		output.WriteString(url)
		output.WriteByte('\n')
	})
	if err != nil {
		return err
	}
	if err := output.Flush(); err != nil {
		return err
	}
	return errors.Flush()
}
