package urlmill

import "strings"

// Error reports every error of this package.
type Error struct {
	// Code is stable, and the same as in Node, Python, Java and Rust. For a URL it is the name of a status, such as
	// BAD_HOST or TOO_LONG. Other codes: BAD_OPTION for a preset or plan that cannot be taken, ENGINE_UNAVAILABLE
	// if there is no memory for a kernel, ENGINE_FAILED if the kernel stopped or is of another release.
	Code string
	// Offset is the place of the error in the URL, in bytes. It is -1 if the error has no place, and in batches.
	Offset int
	// Text says for people what is wrong. It may change.
	Text string

	cause error
}

func (e *Error) Error() string { return e.Code + ": " + e.Text }

// Unwrap returns what the runtime of the kernel reported, or nil.
func (e *Error) Unwrap() error { return e.cause }

func badOption(text string) error { return &Error{Code: "BAD_OPTION", Offset: -1, Text: text} }

// shownBytes is how much of a URL an error shows.
const shownBytes = 200

func shown(url string) string {
	if len(url) > shownBytes {
		return strings.ToValidUTF8(url[:shownBytes], "") + "..."
	}
	return url
}
