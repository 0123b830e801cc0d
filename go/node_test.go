package urlmill

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// `npm run proof hosts` names the files that these tests read.
const (
	resultsFile   = "URLMILL_RESULTS"
	kernelsFolder = "URLMILL_KERNELS"
)

// given returns the value of a variable, and skips the test if it has none.
func given(t *testing.T, variable string) string {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		t.Skip("npm run proof hosts sets " + variable)
	}
	return value
}

// nodeCase is what Node made of a column (java/src/test/node/write_results.mjs).
type nodeCase struct {
	plan      []byte
	profileID string
	urls      []string
	outputs   []string
	statuses  []byte
	// fingerprints are under a key of zeros.
	fingerprints []byte
	places       []int32
}

type frames []byte

func (f *frames) next() []byte {
	length := binary.LittleEndian.Uint32(*f)
	frame := (*f)[4 : 4+length]
	*f = (*f)[4+length:]
	return frame
}

func (f *frames) numbers() []int32 {
	frame := f.next()
	numbers := make([]int32, len(frame)/4)
	for at := range numbers {
		numbers[at] = int32(binary.LittleEndian.Uint32(frame[4*at:]))
	}
	return numbers
}

func (f *frames) column() []string {
	data, offsets := f.next(), f.numbers()
	texts := make([]string, len(offsets)-1)
	for row := range texts {
		texts[row] = string(data[offsets[row]:offsets[row+1]])
	}
	return texts
}

func (f *frames) nextCase() nodeCase {
	return nodeCase{f.next(), string(f.next()), f.column(), f.column(), f.next(), f.next(), f.numbers()}
}

func TestResultsAreThoseOfNode(t *testing.T) {
	file, err := os.ReadFile(given(t, resultsFile))
	if err != nil {
		t.Fatal(err)
	}
	cases, rows := 0, 0
	for rest := frames(file); len(rest) > 0; cases++ {
		each := rest.nextCase()
		rows += len(each.urls)
		if err := each.check(); err != nil {
			t.Fatal(cases, err)
		}
	}
	if cases < 60 || rows < 200_000 {
		t.Error(cases, "cases of", rows, "rows")
	}
}

func (c *nodeCase) check() error {
	n, err := Load(c.plan)
	if err != nil {
		return err
	}
	if id := n.ProfileID(); id != c.profileID {
		return fmt.Errorf("the profile id is %s, not %s", id, c.profileID)
	}
	batch, err := n.NormalizeBatch(c.urls)
	if err != nil {
		return err
	}
	fingerprints, err := n.FingerprintBatch(c.urls, Key{})
	if err != nil {
		return err
	}
	for row := range c.urls {
		url, err := batch.Get(row)
		fingerprint, fingerprintErr := fingerprints.Get(row)
		if err := c.checkRow(row, url, err); err != nil {
			return fmt.Errorf("in a batch, %w", err)
		}
		if err := c.checkFingerprint(row, fingerprint, fingerprintErr); err != nil {
			return fmt.Errorf("in a batch, %w", err)
		}
		url, err = n.Normalize(c.urls[row])
		fingerprint, fingerprintErr = n.Fingerprint(c.urls[row], Key{})
		if err := c.checkRow(row, url, err); err != nil {
			return err
		}
		if err := c.checkFingerprint(row, fingerprint, fingerprintErr); err != nil {
			return err
		}
		// Node has no place for bytes that are not UTF-8.
		if failure := (*Error)(nil); errors.As(err, &failure) && c.places[row] != -2 && failure.Offset != int(c.places[row]) {
			return fmt.Errorf("the place in %q is %d, not %d", c.urls[row], failure.Offset, c.places[row])
		}
	}
	return nil
}

func (c *nodeCase) checkRow(row int, url string, err error) error {
	code := ""
	if failure := failures[c.statuses[row]]; failure != nil {
		code = failure.Code
	}
	if url != c.outputs[row] || codeOf(err) != code {
		return fmt.Errorf("%q is %q %v, not %q %s", c.urls[row], url, err, c.outputs[row], code)
	}
	return nil
}

func (c *nodeCase) checkFingerprint(row int, fingerprint Fingerprint, err error) error {
	if fingerprint != Fingerprint(c.fingerprints[16*row:]) || (err == nil) != (c.statuses[row] <= statusChanged) {
		return fmt.Errorf("%q has the fingerprint %x, %v", c.urls[row], fingerprint, err)
	}
	return nil
}

// Each file is a kernel that is damaged in one way.
func TestADamagedKernelIsAnError(t *testing.T) {
	folder := given(t, kernelsFolder)
	for name, expected := range map[string]string{
		"not-wasm.wasm":   "ENGINE_UNAVAILABLE: the kernel cannot run here",
		"other-abi.wasm":  "ENGINE_FAILED: the kernel has version 99 of the interface, not 13",
		"traps.wasm":      "ENGINE_FAILED: the kernel stopped",
		"full-stack.wasm": "ENGINE_FAILED: the kernel stopped",
	} {
		bytes, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		plan, _ := presetPlan("safe")
		var n *Normalizer
		engine, err := compile(bytes)
		if err == nil {
			n, err = load(engine, plan, 1)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), expected) {
				t.Error(name, err)
			}
			continue
		}
		// A kernel that stopped is not lent again, and the limit stays.
		for range 2 {
			url, err := n.Normalize("http://a/")
			batch, batchErr := n.NormalizeBatch([]string{"http://a/"})
			if url != "" || batch != nil || !strings.HasPrefix(err.Error(), expected) || codeOf(batchErr) != "ENGINE_FAILED" ||
				errors.Unwrap(err) == nil || len(n.kernels.free) != 0 {
				t.Error(name, url, err, batch, batchErr)
			}
		}
	}
}
