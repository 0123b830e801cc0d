// Package urlmill normalizes URLs by urlmill's kernel in wazero. docs/kernel.md describes the kernel's interface.
package urlmill

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const abiVersion = 13

var planVersions = []uint32{6, 7, 8, 9}

// Rows that one call takes at most, so that they stay in the processor's cache.
const maxRows = 1 << 12

// Names of the statuses, from the third on those of errors.
var codes = []string{"UNCHANGED", "CHANGED", "EMPTY", "NO_SCHEME", "BAD_SCHEME", "SCHEME_NOT_ALLOWED", "BAD_HOST",
	"BAD_IPV4", "BAD_IPV6", "BAD_IDN", "BAD_PORT", "BAD_USERINFO", "TOO_LONG"}

// Error says by a stable code and a text why there are no results: BAD_OPTION for a plan, ENGINE_UNAVAILABLE for a
// kernel that cannot run here, ENGINE_FAILED for one that stopped, or has another interface.
type Error struct{ Code, Text string }

func (e *Error) Error() string { return e.Code + ": " + e.Text }

// Normalizer normalizes URLs by one plan. Each goroutine makes its own. After ENGINE_FAILED make another.
type Normalizer struct {
	api.Module
	column                                         api.Function
	input, inOffsets, statuses, output, outOffsets []byte
	longest                                        int
	stack                                          [1]uint64
}

// New makes an instance of the kernel, which was compiled once, for the bytes of a plan. URLs of more than longest
// bytes are TOO_LONG, even if the plan allows them: each of these bytes takes 32 bytes of memory. Close frees it.
func New(ctx context.Context, runtime wazero.Runtime, kernel wazero.CompiledModule, plan []byte, longest uint32) (*Normalizer, error) {
	module, err := runtime.InstantiateModule(ctx, kernel, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, &Error{"ENGINE_UNAVAILABLE", err.Error()}
	}
	n := &Normalizer{Module: module, longest: int(longest)}
	if err = n.load(ctx, plan); err != nil {
		module.Close(ctx)
	}
	return n, err
}

func (n *Normalizer) load(ctx context.Context, plan []byte) error {
	if abi := n.number("ABI_VERSION"); abi != abiVersion {
		return &Error{"ENGINE_FAILED", fmt.Sprintf("the kernel has interface %d, this host speaks %d", abi, abiVersion)}
	}
	version := binary.LittleEndian.Uint32(append(slices.Clone(plan[:min(4, len(plan))]), 0, 0, 0, 0))
	if !slices.Contains(planVersions, version) {
		return &Error{"BAD_OPTION", fmt.Sprintf("the plan has version %d, this host reads %d", version, planVersions)}
	}
	sizes := []uint64{uint64(len(plan)), 0, uint64(n.longest), maxRows}
	if done, err := n.ExportedFunction("reserve").Call(ctx, sizes...); err != nil || done[0] == 0 {
		return &Error{"ENGINE_UNAVAILABLE", fmt.Sprintf("no memory for URLs of %d bytes", n.longest)}
	}
	n.Memory().Write(n.number("planStart"), plan)
	if done, err := n.ExportedFunction("loadPlan").Call(ctx); err != nil || done[0] == 0 {
		return &Error{"BAD_OPTION", "the plan is damaged"}
	}
	n.ExportedFunction("loadBase").Call(ctx, 0)
	// The memory grows in reserve alone, so these views of it stay.
	memory, _ := n.Memory().Read(0, n.Memory().Size())
	n.input, n.inOffsets, n.statuses = memory[n.number("inputStart"):], memory[n.number("inOffsets"):], memory[n.number("statusStart"):]
	n.output, n.outOffsets = memory[n.number("outputStart"):], memory[n.number("outOffsets"):]
	n.column = n.ExportedFunction("normalizeColumn")
	return nil
}

// number returns the value of a global, or 0 if the kernel has none of this name.
func (n *Normalizer) number(name string) uint32 {
	if global := n.ExportedGlobal(name); global != nil {
		return uint32(global.Get())
	}
	return 0
}

// Normalize hands the index of each URL to each, with the normalized URL, or with the code of its error and no URL.
func (n *Normalizer) Normalize(ctx context.Context, urls []string, each func(row int, url, code string)) error {
	word, putWord := binary.LittleEndian.Uint32, binary.LittleEndian.PutUint32
	for next := 0; next < len(urls); {
		rows, end := 0, 0
		putWord(n.inOffsets, 0)
		for _, url := range urls[next:min(len(urls), next+maxRows)] {
			if len(url) > n.longest {
				url = ""
			}
			if end+len(url) > n.longest {
				break
			}
			copy(n.input[end:], url)
			rows, end = rows+1, end+len(url)
			putWord(n.inOffsets[4*rows:], uint32(end))
		}
		if n.column == nil {
			return &Error{"ENGINE_FAILED", "the kernel stopped before"}
		}
		n.stack[0] = uint64(rows)
		if err := n.column.CallWithStack(ctx, n.stack[:]); err != nil {
			// A trap leaves the memory in any state, so no call comes after it.
			n.column = nil
			return &Error{"ENGINE_FAILED", err.Error()}
		}
		done, begin := int(n.stack[0]), uint32(0)
		for row, url := range urls[next : next+done] {
			end := word(n.outOffsets[4*row+4:])
			switch status := n.statuses[row]; {
			case len(url) > n.longest:
				each(next+row, "", "TOO_LONG")
			case status > 1:
				each(next+row, "", codes[status])
			case status == 1:
				url = string(n.output[begin:end])
				fallthrough
			default:
				each(next+row, url, "")
			}
			begin = end
		}
		next += done
	}
	return nil
}
