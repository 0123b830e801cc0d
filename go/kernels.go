package urlmill

import "sync"

// kernels lends the kernels of one plan to calls, each to one call at a time. A kernel starts when a call finds no other
// free. A call waits while as many as the limit are lent.
type kernels struct {
	engine *engine
	plan   []byte
	limit  int

	mutex sync.Mutex
	// isFree wakes a call that waits.
	isFree sync.Cond
	free   []*kernel
	lent   int
}

func newKernels(engine *engine, plan []byte, limit int) *kernels {
	ks := &kernels{engine: engine, plan: plan, limit: limit}
	ks.isFree.L = &ks.mutex
	return ks
}

func (ks *kernels) lend() (*kernel, error) {
	ks.mutex.Lock()
	for ks.lent == ks.limit {
		ks.isFree.Wait()
	}
	ks.lent++
	var k *kernel
	if last := len(ks.free) - 1; last >= 0 {
		k = ks.free[last]
		// The array would keep a kernel that is let go.
		ks.free[last] = nil
		ks.free = ks.free[:last]
	}
	ks.mutex.Unlock()
	if k != nil {
		return k, nil
	}
	k, err := ks.engine.start(ks.plan)
	if err != nil {
		ks.giveBack(nil)
	}
	return k, err
}

// giveBack takes a kernel back from a call. One that stopped or has much memory is let go.
func (ks *kernels) giveBack(k *kernel) {
	ks.mutex.Lock()
	if k != nil && !k.hasStopped && k.capacity <= keptBytes {
		ks.free = append(ks.free, k)
	}
	ks.lent--
	ks.mutex.Unlock()
	ks.isFree.Signal()
}
