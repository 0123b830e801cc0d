package urlmill

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

const messy = "HTTP://Example.com:80/%7e?utm_source=x&b&a=1#top"

func mustNew(t *testing.T, preset string) *Normalizer {
	t.Helper()
	n, err := New(preset)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// codeOf returns the code of an error, or "" for nil.
func codeOf(err error) string {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

func TestPresetsDoWhatTheirNamesSay(t *testing.T) {
	for preset, expected := range map[string]string{
		"safe":  "http://example.com/~?utm_source=x&b&a=1#top",
		"crawl": "http://example.com/~?a=1&b",
	} {
		if url, err := mustNew(t, preset).Normalize(messy); url != expected || err != nil {
			t.Error(preset, url, err)
		}
	}
}

func TestAnUnknownPresetIsNamedWithThoseThatThereAre(t *testing.T) {
	_, err := New("fast")
	if err.Error() != "BAD_OPTION: preset: must be one of safe, crawl, c14n, aggressive, not fast" {
		t.Error(err)
	}
}

func TestBytesThatAreNotAPlanAreRefused(t *testing.T) {
	for _, plan := range [][]byte{nil, {6, 0, 0, 0}, make([]byte, 49), make([]byte, 88)} {
		if _, err := Load(plan); codeOf(err) != "BAD_OPTION" {
			t.Error(len(plan), err)
		}
	}
}

func TestAPlanOfAnotherVersionIsRefusedWithBothVersions(t *testing.T) {
	plan, _ := presetPlan("crawl")
	plan[0] = 5
	_, err := Load(plan)
	if codeOf(err) != "BAD_OPTION" || !strings.Contains(err.Error(), "is of version 5, and this release reads 6, 7, 8, 9") {
		t.Error(err)
	}
}

func TestADamagedPlanIsRefusedOrNormalizesToTheEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(43, 0))
	const count = 300
	refused := 0
	for at := range count {
		plan, _ := presetPlan([]string{"crawl", "aggressive"}[at%2])
		// The first word is the version. Half of the changes are in the header.
		place := 4 + random.IntN([]int{44, len(plan) - 4}[at/2%2])
		plan[place] = byte(random.Uint32())
		n, err := Load(plan)
		if err == nil {
			_, err = n.NormalizeBatch([]string{messy, "http://a.co.uk/?sid=1"})
		} else if codeOf(err) == "BAD_OPTION" {
			refused++
			continue
		}
		if err != nil {
			t.Fatal(place, err)
		}
	}
	if refused < count/10 || refused == count {
		t.Error(refused, "of", count, "are refused")
	}
}

func TestThePlanIsCopied(t *testing.T) {
	plan, _ := presetPlan("crawl")
	n, err := Load(plan)
	if err != nil {
		t.Fatal(err)
	}
	id := n.ProfileID()
	clear(plan)
	// A long URL loads the plan again.
	url, err := n.Normalize(messy + strings.Repeat("a", windowBytes))
	if url != "http://example.com/~?a=1&b" || err != nil || n.ProfileID() != id {
		t.Error(url, err)
	}
}

func TestAnErrorHasCodePlaceAndURL(t *testing.T) {
	_, err := mustNew(t, "safe").Normalize("http://a:x/" + strings.Repeat("é", 200))
	failure, isError := err.(*Error)
	if !isError || failure.Code != "BAD_PORT" || failure.Offset != 9 {
		t.Fatalf("%#v", err)
	}
	if text := failure.Error(); !strings.HasPrefix(text, "BAD_PORT: the port is not a number, or above 65535: http://a:x/éé") ||
		!strings.HasSuffix(text, "é...") {
		t.Error(text)
	}
}

func TestBytesThatAreNotUTF8ArePercentEncoded(t *testing.T) {
	if url, err := mustNew(t, "safe").Normalize("http://a/\xff\xc3"); url != "http://a/%FF%C3" || err != nil {
		t.Error(url, err)
	}
}

// longURL returns a URL of so many bytes that is in normal form.
func longURL(bytes int) string { return "http://a/" + strings.Repeat("x", bytes-9) }

func TestURLsUpToMaxLengthPassAmongShortOnes(t *testing.T) {
	const maxLength = 1 << 20
	n := mustNew(t, "safe")
	urls := []string{"HTTP://A", longURL(maxLength), longURL(windowBytes), longURL(maxLength + 1), "HTTP://B",
		longURL(windowBytes + 1), longURL(3 * maxLength), "x"}
	batch, err := n.NormalizeBatch(urls)
	if err != nil {
		t.Fatal(err)
	}
	fingerprints, err := n.FingerprintBatch(urls, Key{1})
	if err != nil {
		t.Fatal(err)
	}
	for row, url := range urls {
		made, err := n.Normalize(url)
		inBatch, batchErr := batch.Get(row)
		if made != inBatch || codeOf(err) != codeOf(batchErr) {
			t.Error(row, len(made), err, len(inBatch), batchErr)
		}
		isLong := len(url) > maxLength
		if (codeOf(err) == "TOO_LONG") != isLong || isLong && err.(*Error).Offset != maxLength {
			t.Error(row, err)
		}
		fingerprint, err := n.Fingerprint(url, Key{1})
		ofBatch, batchErr := fingerprints.Get(row)
		if fingerprint != ofBatch || codeOf(err) != codeOf(batchErr) || (fingerprint == Fingerprint{}) != (err != nil) {
			t.Error(row, err, batchErr)
		}
	}
	if got, _ := batch.Get(0); got != "http://a/" || batch.Len() != len(urls) || fingerprints.Len() != len(urls) {
		t.Error(got, batch.Len())
	}
	for _, k := range n.kernels.free {
		if k.capacity > keptBytes {
			t.Error("a kernel keeps a window of", k.capacity)
		}
	}
}

func TestAnEmptyListGivesAnEmptyBatch(t *testing.T) {
	n := mustNew(t, "safe")
	batch, err := n.NormalizeBatch(nil)
	fingerprints, fingerprintErr := n.FingerprintBatch(nil, Key{})
	if err != nil || fingerprintErr != nil || batch.Len() != 0 || fingerprints.Len() != 0 {
		t.Error(err, fingerprintErr)
	}
}

func TestFingerprintsDependOnTheKeyAndTheCanonicalForm(t *testing.T) {
	n := mustNew(t, "crawl")
	of := func(url string, key Key) Fingerprint {
		fingerprint, err := n.Fingerprint(url, key)
		if err != nil {
			t.Fatal(err)
		}
		return fingerprint
	}
	one := of(messy, Key{1})
	if one != of("http://example.com/~?b&a=1", Key{1}) || one == of(messy, Key{2}) || one == of("http://b/", Key{1}) {
		t.Error("fingerprints are not those of canonical forms under their key")
	}
}

func TestASetCountsPagesAndNotSpellings(t *testing.T) {
	seen := NewSeen(mustNew(t, "crawl"))
	for at, url := range []string{"http://a/?b&a", "HTTP://A/?a&b#c", "http://a/", "x"} {
		isNew, err := seen.Add(url)
		if isNew != (at == 0 || at == 2) || (codeOf(err) == "NO_SCHEME") != (at == 3) {
			t.Error(url, isNew, err)
		}
	}
	if seen.Len() != 2 {
		t.Error(seen.Len())
	}
	if other := NewSeen(seen.normalizer); other.key == seen.key {
		t.Error("two sets have one key")
	}
}
