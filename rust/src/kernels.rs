//! Lends the kernels of one plan to calls.

use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use wasmtime::Module;

use crate::Error;
use crate::kernel::{KEPT_BYTES, Kernel};

/// Lends each kernel to one call at a time. A kernel starts when a call finds no other free. A call waits while as many
/// as the limit are lent.
pub struct Kernels {
    module: Module,
    pub plan: Box<[u8]>,
    limit: usize,
    state: Mutex<State>,
    is_free: Condvar,
}

#[derive(Default)]
struct State {
    free: Vec<Kernel>,
    lent: usize,
    /// Calls that wait. Without one, nothing is woken: that is a call of the system.
    waiting: usize,
}

impl Kernels {
    pub fn new(module: Module, plan: &[u8], limit: usize) -> Self {
        let (state, is_free) = (Mutex::default(), Condvar::new());
        Self { module, plan: plan.into(), limit, state, is_free }
    }

    pub fn lend(&self) -> Result<Lent<'_>, Error> {
        let mut state = self.state();
        while state.lent == self.limit {
            state.waiting += 1;
            state = self.is_free.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state.lent += 1;
        let free = state.free.pop();
        drop(state);
        // Given back with no kernel if none starts.
        let mut lent = Lent { kernels: self, kernel: free };
        if lent.kernel.is_none() {
            lent.kernel = Some(Kernel::start(&self.module, &self.plan)?);
        }
        Ok(lent)
    }

    /// Returns the windows of the kernels that are free, in bytes.
    #[cfg(test)]
    pub fn kept(&self) -> Vec<usize> {
        self.state().free.iter().map(|kernel| kernel.capacity).collect()
    }

    /// Nothing that panics is done under the lock, so a poisoned one is whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A kernel that a call has until it is dropped.
pub struct Lent<'a> {
    kernels: &'a Kernels,
    kernel: Option<Kernel>,
}

impl Deref for Lent<'_> {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        self.kernel.as_ref().expect("it has started")
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Kernel {
        self.kernel.as_mut().expect("it has started")
    }
}

impl Drop for Lent<'_> {
    /// Gives the kernel back. One that stopped or has much memory is let go.
    fn drop(&mut self) {
        let kept =
            self.kernel.take_if(|kernel| !kernel.has_stopped && kernel.capacity <= KEPT_BYTES);
        let mut state = self.kernels.state();
        state.free.extend(kept);
        state.lent -= 1;
        if state.waiting > 0 {
            self.kernels.is_free.notify_one();
        }
    }
}
