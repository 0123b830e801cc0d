package urlmill_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	urlmill "github.com/urlmill/urlmill/go"
)

func Example() {
	n, err := urlmill.New("crawl")
	if err != nil {
		log.Fatal(err)
	}
	seen := urlmill.NewSeen(n)
	for _, url := range []string{"HTTP://Example.com/b?utm_source=x&a=1#top", "http://example.com/b?a=1", "b"} {
		isNew, err := seen.Add(url)
		fmt.Println(isNew, err)
	}
	// Output:
	// true <nil>
	// false <nil>
	// false NO_SCHEME: no scheme, and no base or default scheme to read it by: b
}

func ExampleNormalizer_Normalize() {
	n, err := urlmill.New("crawl")
	if err != nil {
		log.Fatal(err)
	}
	url, _ := n.Normalize("HTTP://Example.com:80/b?utm_source=x&a=1#top")
	fmt.Println(url)

	_, err = n.Normalize("http://1.2.3.256/")
	var failure *urlmill.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Code, failure.Offset)
	}
	// Output:
	// http://example.com/b?a=1
	// BAD_IPV4 7
}

func ExampleNormalizer_NormalizeBatch() {
	n, err := urlmill.New("safe")
	if err != nil {
		log.Fatal(err)
	}
	batch, err := n.NormalizeBatch([]string{"HTTP://A/%7e", "x"})
	if err != nil {
		log.Fatal(err)
	}
	for row := range batch.Len() {
		url, err := batch.Get(row)
		fmt.Println(url, err)
	}
	// Output:
	// http://a/~ <nil>
	//  NO_SCHEME: no scheme, and no base or default scheme to read it by
}

func ExampleNormalizer_Fingerprint() {
	n, err := urlmill.New("crawl")
	if err != nil {
		log.Fatal(err)
	}
	fingerprint, _ := n.Fingerprint("http://Example.com", urlmill.Key{})
	fmt.Printf("%x\n", fingerprint)
	// Output: 212e1508f82944071ac0a1ff3d570dfc
}

func ExampleNormalizer_FingerprintBatch() {
	n, err := urlmill.New("crawl")
	if err != nil {
		log.Fatal(err)
	}
	batch, err := n.FingerprintBatch([]string{"http://a/?b&a", "HTTP://A/?a&b", "x"}, urlmill.Key{})
	if err != nil {
		log.Fatal(err)
	}
	first, _ := batch.Get(0)
	second, _ := batch.Get(1)
	_, err = batch.Get(2)
	fmt.Println(first == second, err)
	// Output: true NO_SCHEME: no scheme, and no base or default scheme to read it by
}

func ExampleLoad() {
	plan, err := os.ReadFile("data/plans/crawl.plan") // urlmill plan --preset crawl -o crawl.plan
	if err != nil {
		log.Fatal(err)
	}
	n, err := urlmill.Load(plan)
	if err != nil {
		log.Fatal(err)
	}
	url, _ := n.Normalize("HTTP://A/?b&a")
	fmt.Println(url)
	// Output: http://a/?a&b
}
