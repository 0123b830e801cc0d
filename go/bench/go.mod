module github.com/urlmill/urlmill/go/bench

go 1.25.0

require (
	github.com/PuerkitoBio/purell v1.2.1
	github.com/urlmill/urlmill/go v0.0.0
)

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/net v0.17.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
	golang.org/x/text v0.13.0 // indirect
)

replace github.com/urlmill/urlmill/go => ../
