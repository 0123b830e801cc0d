// Prints the normalized URL of each line of a file: normalize PLAN FILE.
//
// A line that is not a URL stays as it is. Its number and the code of its error go to standard error.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	urlmill "github.com/urlmill/urlmill/go"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: normalize PLAN FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(planFile, file string) error {
	plan, err := os.ReadFile(planFile)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	normalizer, err := urlmill.Load(plan)
	if err != nil {
		return err
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if text, hasEnd := strings.CutSuffix(line, "\n"); hasEnd {
			line = strings.TrimSuffix(text, "\r")
		}
		lines = append(lines, line)
	}
	batch, err := normalizer.NormalizeBatch(lines)
	if err != nil {
		return err
	}
	output, failed := bufio.NewWriter(os.Stdout), bufio.NewWriter(os.Stderr)
	for row, line := range lines {
		url, err := batch.Get(row)
		var failure *urlmill.Error
		if errors.As(err, &failure) {
			url = line
			fmt.Fprintf(failed, "%d\t%s\n", row+1, failure.Code)
		}
		output.WriteString(url)
		output.WriteByte('\n')
	}
	return errors.Join(output.Flush(), failed.Flush())
}
