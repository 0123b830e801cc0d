package urlmill

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// abiVersion is the version of the kernel's interface that this file speaks (docs/kernel.md).
const abiVersion = 13

const (
	statusChanged = 1
	statusTooLong = 12
)

const (
	// windowBytes is how much input a kernel takes at once. A longer URL gets a window of its own length.
	windowBytes = 1 << 16
	// windowRows is how many URLs a kernel takes at once, so that they stay in the processor's cache.
	windowRows = 1 << 12
	// keptBytes is the longest window whose memory a kernel keeps after a call.
	keptBytes = 4 * windowBytes
)

// engine has a kernel that is compiled. Goroutines share it.
type engine struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
}

// embedded compiles the kernel of this package when it is first needed.
var embedded = sync.OnceValues(func() (*engine, error) { return compile(read("kernel.wasm")) })

func compile(kernel []byte) (*engine, error) {
	r := wazero.NewRuntime(context.Background())
	code, err := r.CompileModule(context.Background(), kernel)
	if err != nil {
		return nil, unavailable("the kernel cannot run here", err)
	}
	return &engine{r, code}, nil
}

// kernel is an instance with one plan. It serves one call at a time.
type kernel struct {
	module api.Module
	plan   []byte
	// capacity is the longest URL in bytes that the window has room for.
	capacity int
	// hasStopped says that a call failed, so that the memory is in any state.
	hasStopped bool

	normalizeColumn, fingerprintRows, errorOffset api.Function
	stack                                         [3]uint64

	// Regions of the memory, which grows in reserve alone.
	input, inOffsets, statuses, output, outOffsets, fingerprintKey, fingerprints []byte
}

// start makes an instance for a plan. Its memory is freed after nothing refers to the kernel.
func (e *engine) start(plan []byte) (*kernel, error) {
	ctx := context.Background()
	module, err := e.runtime.InstantiateModule(ctx, e.code, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, unavailable("the kernel cannot start", err)
	}
	k := &kernel{module: module, plan: plan}
	// The runtime has a list of its modules, until they are closed.
	runtime.AddCleanup(k, func(module api.Module) { module.Close(ctx) }, module)
	if abi := k.number("ABI_VERSION"); abi != abiVersion {
		text := fmt.Sprintf("the kernel has version %d of the interface, not %d", abi, abiVersion)
		return nil, &Error{Code: "ENGINE_FAILED", Offset: -1, Text: text}
	}
	k.normalizeColumn = module.ExportedFunction("normalizeColumn")
	k.fingerprintRows = module.ExportedFunction("fingerprintRows")
	k.errorOffset = module.ExportedFunction("errorOffset")
	hasRoom, err := k.reserve(windowBytes)
	if err == nil && !hasRoom {
		err = unavailable(fmt.Sprintf("no memory for a window of %d bytes", windowBytes), nil)
	}
	return k, err
}

// reserve lays the memory out for a window, and loads the plan. Without enough memory it returns false and changes nothing.
func (k *kernel) reserve(window int) (bool, error) {
	hasRoom, err := k.call("reserve", uint64(len(k.plan)), 0, uint64(window), windowRows)
	if err != nil || hasRoom == 0 {
		return false, err
	}
	k.capacity = window
	memory, _ := k.module.Memory().Read(0, k.module.Memory().Size())
	copy(memory[k.number("planStart"):], k.plan)
	isLoaded, err := k.call("loadPlan")
	if err != nil {
		return false, err
	}
	if isLoaded == 0 {
		return false, badOption("plan: the bytes are damaged")
	}
	if _, err := k.call("loadBase", 0); err != nil {
		return false, err
	}
	k.input, k.inOffsets = memory[k.number("inputStart"):], memory[k.number("inOffsets"):]
	k.statuses = memory[k.number("statusStart"):]
	k.output, k.outOffsets = memory[k.number("outputStart"):], memory[k.number("outOffsets"):]
	k.fingerprintKey, k.fingerprints = memory[k.number("fingerprintKey"):], memory[k.number("fingerprints"):]
	return true, nil
}

// normalize takes as many URLs as fit, at least one, and returns how many. A URL that is longer than maxLength, or than
// there is memory for, is TOO_LONG.
func (k *kernel) normalize(urls []string, maxLength int) (int, error) {
	if first := len(urls[0]); first > k.capacity && first <= maxLength {
		// Without the memory, the URL stays longer than the capacity.
		if _, err := k.reserve(first); err != nil {
			return 0, err
		}
	}
	isTooLong := len(urls[0]) > k.capacity
	rows, end := 0, 0
	binary.LittleEndian.PutUint32(k.inOffsets, 0)
	for _, url := range urls[:min(len(urls), windowRows)] {
		if rows == 0 && isTooLong {
			url = ""
		}
		if end+len(url) > k.capacity {
			break
		}
		copy(k.input[end:], url)
		rows, end = rows+1, end+len(url)
		binary.LittleEndian.PutUint32(k.inOffsets[4*rows:], uint32(end))
	}
	k.stack[0] = uint64(rows)
	if err := k.run(k.normalizeColumn, k.stack[:]); err != nil {
		return 0, err
	}
	if isTooLong {
		k.statuses[0] = statusTooLong
	}
	return int(k.stack[0]), nil
}

// fingerprint makes the fingerprints of the rows of the last call.
func (k *kernel) fingerprint(rows int, key *Key) error {
	copy(k.fingerprintKey, key[:])
	k.stack = [3]uint64{uint64(rows), 0, 0}
	return k.run(k.fingerprintRows, k.stack[:])
}

// outputEnd returns where a row of the last call ends in the output.
func (k *kernel) outputEnd(row int) int {
	return int(binary.LittleEndian.Uint32(k.outOffsets[4*row+4:]))
}

// failure returns the error of the only URL of the last call.
func (k *kernel) failure(url string, maxLength int) error {
	failure := *failures[k.statuses[0]]
	failure.Text += ": " + shown(url)
	failure.Offset = min(len(url), maxLength)
	if len(url) <= k.capacity {
		if err := k.run(k.errorOffset, k.stack[:]); err != nil {
			return err
		}
		failure.Offset = int(uint32(k.stack[0]))
	}
	return &failure
}

// call calls an export that is seldom called: finding it takes memory.
func (k *kernel) call(name string, numbers ...uint64) (uint64, error) {
	stack := append(make([]uint64, 0, 4), numbers...)
	stack = stack[:max(len(stack), 1)]
	err := k.run(k.module.ExportedFunction(name), stack)
	return stack[0], err
}

func (k *kernel) run(export api.Function, stack []uint64) error {
	if err := export.CallWithStack(context.Background(), stack); err != nil {
		k.hasStopped = true
		text := "the kernel stopped, so this call has no result; the next has a new kernel: " + err.Error()
		return &Error{Code: "ENGINE_FAILED", Offset: -1, Text: text, cause: err}
	}
	return nil
}

// number returns the value of a global, or 0 if the kernel has none of this name.
func (k *kernel) number(name string) uint32 {
	if global := k.module.ExportedGlobal(name); global != nil {
		return uint32(global.Get())
	}
	return 0
}

func unavailable(text string, cause error) error {
	if cause != nil {
		text += ": " + cause.Error()
	}
	return &Error{Code: "ENGINE_UNAVAILABLE", Offset: -1, Text: text, cause: cause}
}
