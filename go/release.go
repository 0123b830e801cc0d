package urlmill

import (
	"embed"
	"slices"
	"strings"
)

// data has what the build of the repository writes: the kernel, the plans of the presets, versions, names of statuses.
//
//go:embed data
var data embed.FS

var (
	planVersions []string
	presets      []string
	// profile is what a profile id depends on besides the plan.
	profile string
	// failures has the error of each status of a URL, and nil for those that have a normal form.
	failures []*Error
)

func init() {
	versions := map[string]string{}
	for line := range strings.Lines(string(read("versions.properties"))) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		versions[name] = value
		code, isStatus := strings.CutPrefix(name, "status.")
		switch {
		case isStatus && len(failures) > statusChanged:
			failures = append(failures, &Error{Code: code, Offset: -1, Text: value})
		case isStatus:
			failures = append(failures, nil)
		}
	}
	planVersions = strings.Split(versions["plans"], ",")
	presets = strings.Split(versions["presets"], ",")
	profile = versions["spec"] + " " + versions["unicode"] + " "
}

// read returns a file of data. The files are those of the build, so one that is missing is a mistake of this package.
func read(name string) []byte {
	bytes, err := data.ReadFile("data/" + name)
	if err != nil {
		panic(err)
	}
	return bytes
}

// presetPlan returns the plan of a preset.
func presetPlan(preset string) ([]byte, error) {
	if !slices.Contains(presets, preset) {
		return nil, badOption("preset: must be one of " + strings.Join(presets, ", ") + ", not " + preset)
	}
	return read("plans/" + preset + ".plan"), nil
}
