//! Normalizes URLs by urlmill's kernel in wasmtime. `docs/kernel.md` describes the kernel's interface.

use wasmtime::{Instance, Memory, Module, Store, TypedFunc, format_err};

const ABI_VERSION: u32 = 13;
const PLAN_VERSIONS: [u32; 4] = [6, 7, 8, 9];
/// Rows that one call takes at most, so that they stay in the processor's cache.
const ROWS: usize = 1 << 12;
/// Names of the statuses, from the third on those of errors.
const CODES: &str = "UNCHANGED CHANGED EMPTY NO_SCHEME BAD_SCHEME SCHEME_NOT_ALLOWED BAD_HOST \
    BAD_IPV4 BAD_IPV6 BAD_IDN BAD_PORT BAD_USERINFO TOO_LONG";

/// Says by a stable code and a text why there are no results: `BAD_OPTION` for a plan,
/// `ENGINE_UNAVAILABLE` for a kernel that cannot run here, `ENGINE_FAILED` for one that stopped, or
/// has another interface.
#[derive(Debug)]
pub struct Error(pub &'static str, pub String);

impl From<wasmtime::Error> for Error {
    fn from(error: wasmtime::Error) -> Self {
        Error("ENGINE_UNAVAILABLE", format!("{error:#}"))
    }
}

/// Normalizes URLs by one plan. Each thread makes its own. After `ENGINE_FAILED` make another.
pub struct Normalizer {
    store: Store<()>,
    memory: Memory,
    /// The function `normalizeColumn`, until the kernel stops.
    column: Option<TypedFunc<u32, u32>>,
    /// Addresses of the input, its offsets, the statuses, the output and its offsets.
    regions: [usize; 5],
    longest: usize,
}

impl Normalizer {
    /// Makes an instance of the kernel, which was compiled once, for the bytes of a plan. URLs of more
    /// than `longest` bytes are `TOO_LONG`, even if the plan allows them: each of these bytes takes 32
    /// bytes of memory.
    pub fn new(kernel: &Module, plan: &[u8], longest: u32) -> Result<Self, Error> {
        let mut store = Store::new(kernel.engine(), ());
        let instance = Instance::new(&mut store, kernel, &[])?;
        let number = |store: &mut Store<()>, name| {
            let global = instance.get_global(&mut *store, name);
            global.map_or(0, |global| global.get(store).i32().unwrap_or(0) as u32)
        };
        let abi = number(&mut store, "ABI_VERSION");
        if abi != ABI_VERSION {
            let text = format!("the kernel has interface {abi}, this host speaks {ABI_VERSION}");
            return Err(Error("ENGINE_FAILED", text));
        }
        let version = plan.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        if !PLAN_VERSIONS.contains(&version) {
            let text = format!("the plan has version {version}, this host reads {PLAN_VERSIONS:?}");
            return Err(Error("BAD_OPTION", text));
        }
        let reserve =
            instance.get_typed_func::<(u32, u32, u32, u32), u32>(&mut store, "reserve")?;
        let sizes = (plan.len() as u32, 0, longest, ROWS as u32);
        if reserve.call(&mut store, sizes)? == 0 {
            return Err(Error("ENGINE_UNAVAILABLE", format!("no memory for {longest} bytes")));
        }
        let memory = instance.get_memory(&mut store, "memory").ok_or(format_err!("no memory"))?;
        let start = number(&mut store, "planStart") as usize;
        memory.write(&mut store, start, plan).map_err(wasmtime::Error::from)?;
        let load_plan = instance.get_typed_func::<(), u32>(&mut store, "loadPlan")?;
        if load_plan.call(&mut store, ())? == 0 {
            return Err(Error("BAD_OPTION", "the plan is damaged".into()));
        }
        instance.get_typed_func::<u32, ()>(&mut store, "loadBase")?.call(&mut store, 0)?;
        let regions = ["inputStart", "inOffsets", "statusStart", "outputStart", "outOffsets"];
        let regions = regions.map(|name| number(&mut store, name) as usize);
        let column = Some(instance.get_typed_func(&mut store, "normalizeColumn")?);
        Ok(Self { store, memory, column, regions, longest: longest as usize })
    }

    /// Hands the index of each URL to `each`, with the normalized URL or the code of its error.
    pub fn normalize<F>(&mut self, urls: &[impl AsRef<[u8]>], mut each: F) -> Result<(), Error>
    where
        F: FnMut(usize, Result<&[u8], &'static str>),
    {
        let [input, in_offsets, status, output, out_offsets] = self.regions;
        let mut next = 0;
        while next < urls.len() {
            let memory = self.memory.data_mut(&mut self.store);
            let (mut rows, mut end) = (0, 0);
            memory[in_offsets..][..4].fill(0);
            for url in urls[next..].iter().take(ROWS).map(AsRef::as_ref) {
                let url = if url.len() > self.longest { b"" } else { url };
                if end + url.len() > self.longest {
                    break;
                }
                memory[input + end..][..url.len()].copy_from_slice(url);
                (rows, end) = (rows + 1, end + url.len());
                memory[in_offsets + 4 * rows..][..4].copy_from_slice(&(end as u32).to_le_bytes());
            }
            // A trap leaves the memory in any state, so no call comes after it.
            let column = self.column.take().ok_or(Error("ENGINE_FAILED", "it stopped".into()))?;
            let called = column.call(&mut self.store, rows as u32);
            let done = called.map_err(|trap| Error("ENGINE_FAILED", format!("{trap:#}")))? as usize;
            self.column = Some(column);
            let memory = self.memory.data(&self.store);
            let mut begin = output;
            for (row, url) in urls[next..].iter().take(done).enumerate() {
                let offset = memory[out_offsets + 4 * (row + 1)..].first_chunk().copied();
                let end = output + u32::from_le_bytes(offset.unwrap_or_default()) as usize;
                let result = match memory[status + row] as usize {
                    _ if url.as_ref().len() > self.longest => Err("TOO_LONG"),
                    0 | 1 => Ok(&memory[begin..end]),
                    code => Err(CODES.split(' ').nth(code).unwrap_or("ENGINE_FAILED")),
                };
                each(next + row, result);
                begin = end;
            }
            next += done;
        }
        Ok(())
    }
}
