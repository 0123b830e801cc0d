//! Hosts one instance of the kernel (`docs/kernel.md`).

use wasmtime::{Engine, Instance, Memory, Module, Store, TypedFunc, WasmParams, WasmResults};

use crate::release::failure;
use crate::{Error, Fingerprint, Key};

/// The version of the kernel's interface that this file speaks.
const ABI_VERSION: u32 = 13;

pub const CHANGED: u8 = 1;
const TOO_LONG: u8 = 12;

/// Bytes of input that a kernel takes at once. A longer URL gets a window of its own length.
pub const WINDOW_BYTES: usize = 1 << 16;
/// URLs that a kernel takes at once, so that they stay in the processor's cache.
const WINDOW_ROWS: usize = 1 << 12;
/// The longest window whose memory a kernel keeps after a call.
pub const KEPT_BYTES: usize = 4 * WINDOW_BYTES;
/// Bytes of a URL that an error shows.
const SHOWN_BYTES: usize = 200;

/// Compiles a kernel. Threads share it.
pub fn compile(kernel: &[u8]) -> Result<Module, Error> {
    Module::new(&Engine::default(), kernel)
        .map_err(|error| Error::unavailable(format!("the kernel cannot run here: {error:#}")))
}

/// An instance with one plan. It serves one call at a time.
pub struct Kernel {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
    normalize_column: TypedFunc<u32, u32>,
    fingerprint_rows: TypedFunc<(u32, u32, u32), ()>,
    error_offset: TypedFunc<(), u32>,
    /// The longest URL in bytes that the window has room for.
    pub capacity: usize,
    /// Says that a call failed, so that the memory is in any state.
    pub has_stopped: bool,
    regions: Regions,
}

/// Addresses in the memory, until the next `reserve`.
#[derive(Default)]
struct Regions {
    input: usize,
    in_offsets: usize,
    statuses: usize,
    output: usize,
    out_offsets: usize,
    key: usize,
    fingerprints: usize,
}

impl Kernel {
    pub fn start(module: &Module, plan: &[u8]) -> Result<Self, Error> {
        let mut store = Store::new(module.engine(), ());
        let unavailable = |error| Error::unavailable(format!("the kernel cannot start: {error:#}"));
        let instance = Instance::new(&mut store, module, &[]).map_err(unavailable)?;
        let abi = number(&mut store, &instance, "ABI_VERSION");
        if abi != ABI_VERSION {
            let text = format!("the kernel has version {abi} of the interface, not {ABI_VERSION}");
            return Err(Error::new("ENGINE_FAILED", text));
        }
        let memory = instance.get_memory(&mut store, "memory");
        let mut kernel = Self {
            memory: memory
                .ok_or_else(|| Error::new("ENGINE_FAILED", "the kernel has no memory"))?,
            normalize_column: export(&mut store, &instance, "normalizeColumn")?,
            fingerprint_rows: export(&mut store, &instance, "fingerprintRows")?,
            error_offset: export(&mut store, &instance, "errorOffset")?,
            store,
            instance,
            capacity: 0,
            has_stopped: false,
            regions: Regions::default(),
        };
        if !kernel.reserve(plan, WINDOW_BYTES)? {
            let text = format!("no memory for a window of {WINDOW_BYTES} bytes");
            return Err(Error::unavailable(text));
        }
        Ok(kernel)
    }

    /// Lays the memory out for a window, and loads the plan. Without enough memory it returns false and changes nothing.
    fn reserve(&mut self, plan: &[u8], window: usize) -> Result<bool, Error> {
        let sizes = (plan.len() as u32, 0, window as u32, WINDOW_ROWS as u32);
        if self.call::<(u32, u32, u32, u32), u32>("reserve", sizes)? == 0 {
            return Ok(false);
        }
        self.capacity = window;
        let start = self.address("planStart");
        self.memory.data_mut(&mut self.store)[start..][..plan.len()].copy_from_slice(plan);
        if self.call::<(), u32>("loadPlan", ())? == 0 {
            return Err(Error::bad_option("plan: the bytes are damaged"));
        }
        self.call::<u32, ()>("loadBase", 0)?;
        self.regions = Regions {
            input: self.address("inputStart"),
            in_offsets: self.address("inOffsets"),
            statuses: self.address("statusStart"),
            output: self.address("outputStart"),
            out_offsets: self.address("outOffsets"),
            key: self.address("fingerprintKey"),
            fingerprints: self.address("fingerprints"),
        };
        Ok(true)
    }

    /// Takes as many URLs as fit, at least one, and returns how many. A URL that is longer than `max_length`, or than
    /// there is memory for, is `TOO_LONG`.
    pub fn normalize<U: AsRef<[u8]>>(
        &mut self,
        plan: &[u8],
        urls: &[U],
        max_length: usize,
    ) -> Result<usize, Error> {
        let first = urls[0].as_ref().len();
        if first > self.capacity && first <= max_length {
            // Without the memory, the URL stays longer than the capacity.
            self.reserve(plan, first)?;
        }
        let is_too_long = first > self.capacity;
        let Regions { input, in_offsets, statuses, .. } = self.regions;
        let memory = self.memory.data_mut(&mut self.store);
        let (mut rows, mut end) = (0, 0);
        memory[in_offsets..][..4].fill(0);
        for url in urls.iter().take(WINDOW_ROWS) {
            let url = if rows == 0 && is_too_long { b"" } else { url.as_ref() };
            if end + url.len() > self.capacity {
                break;
            }
            memory[input + end..][..url.len()].copy_from_slice(url);
            (rows, end) = (rows + 1, end + url.len());
            memory[in_offsets + 4 * rows..][..4].copy_from_slice(&(end as u32).to_le_bytes());
        }
        let called = self.normalize_column.call(&mut self.store, rows as u32);
        let done = called.map_err(|trap| self.stop(&trap))?;
        if is_too_long {
            self.memory.data_mut(&mut self.store)[statuses] = TOO_LONG;
        }
        Ok(done as usize)
    }

    /// Makes the fingerprints of the rows of the last call.
    pub fn fingerprint(&mut self, rows: usize, key: &Key) -> Result<&[Fingerprint], Error> {
        let start = self.regions.key;
        self.memory.data_mut(&mut self.store)[start..][..key.len()].copy_from_slice(key);
        let called = self.fingerprint_rows.call(&mut self.store, (rows as u32, 0, 0));
        called.map_err(|trap| self.stop(&trap))?;
        let (made, _) = self.memory.data(&self.store)[self.regions.fingerprints..].as_chunks();
        Ok(&made[..rows])
    }

    /// Returns the statuses of the rows of the last call.
    pub fn statuses(&self, rows: usize) -> &[u8] {
        &self.memory.data(&self.store)[self.regions.statuses..][..rows]
    }

    /// Returns where each row of the last call ends in its output.
    pub fn ends(&self, rows: usize) -> impl DoubleEndedIterator<Item = usize> {
        let (offsets, _) =
            self.memory.data(&self.store)[self.regions.out_offsets + 4..].as_chunks();
        offsets[..rows].iter().map(|offset| u32::from_le_bytes(*offset) as usize)
    }

    /// Returns the output of the last call. It is ASCII, unless a damaged plan says otherwise: that does not panic.
    pub fn output(&self, rows: usize) -> Result<&str, Error> {
        let end = self.ends(rows).next_back().unwrap_or(0);
        let output = &self.memory.data(&self.store)[self.regions.output..][..end];
        let text = str::from_utf8(output).ok().filter(|text| text.is_ascii());
        text.ok_or_else(|| Error::bad_option("plan: it gives a URL that is not ASCII"))
    }

    /// Returns the error of the only URL of the last call.
    pub fn failure(&mut self, url: &[u8], max_length: usize) -> Error {
        let mut error = failure(self.statuses(1)[0]);
        let shown = String::from_utf8_lossy(&url[..url.len().min(SHOWN_BYTES)]);
        let more = if url.len() > SHOWN_BYTES { "..." } else { "" };
        error.text = format!("{}: {shown}{more}", error.text).into();
        if url.len() > self.capacity {
            error.offset = Some(url.len().min(max_length));
            return error;
        }
        match self.error_offset.call(&mut self.store, ()) {
            Ok(offset) => Error { offset: Some(offset as usize), ..error },
            Err(trap) => self.stop(&trap),
        }
    }

    /// Calls an export that is seldom called.
    fn call<P: WasmParams, R: WasmResults>(&mut self, name: &str, params: P) -> Result<R, Error> {
        let function = export::<P, R>(&mut self.store, &self.instance, name)?;
        function.call(&mut self.store, params).map_err(|trap| self.stop(&trap))
    }

    fn stop(&mut self, trap: &wasmtime::Error) -> Error {
        self.has_stopped = true;
        let text = "the kernel stopped, so this call has no result; the next has a new kernel";
        Error::new("ENGINE_FAILED", format!("{text}: {trap:#}"))
    }

    fn address(&mut self, name: &str) -> usize {
        number(&mut self.store, &self.instance, name) as usize
    }
}

/// Returns the value of a global, or 0 if the kernel has none of this name.
fn number(store: &mut Store<()>, instance: &Instance, name: &str) -> u32 {
    let global = instance.get_global(&mut *store, name);
    global.and_then(|global| global.get(store).i32()).unwrap_or(0) as u32
}

fn export<P: WasmParams, R: WasmResults>(
    store: &mut Store<()>,
    instance: &Instance,
    name: &str,
) -> Result<TypedFunc<P, R>, Error> {
    let found = instance.get_typed_func(store, name);
    found.map_err(|error| Error::new("ENGINE_FAILED", format!("this is not a kernel: {error:#}")))
}
