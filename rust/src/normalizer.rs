use std::sync::LazyLock;
use std::thread;

use wasmtime::Module;

use crate::kernel::{CHANGED, Kernel, compile};
use crate::kernels::Kernels;
use crate::{Error, FingerprintBatch, NormalizedBatch, release};

/// Stands for a canonical form: 128 bits, the SipHash-1-3 of its bytes.
pub type Fingerprint = [u8; 16];

/// The secret under which fingerprints are made. The same key gives the same fingerprints in every language.
///
/// Keep it from whoever picks the URLs: with it, an author of URLs can make two with one fingerprint.
pub type Key = [u8; 16];

/// Bytes of the shortest plan.
const PLAN_HEADER_BYTES: usize = 48;

/// Compiled when it is first needed.
static EMBEDDED: LazyLock<Result<Module, Error>> = LazyLock::new(|| compile(release::KERNEL));

/// Normalizes URLs by one plan. No result depends on an earlier call. Threads may share one.
///
/// Each call has a kernel to itself. A normalizer has at most as many kernels as there were processors
/// ([`std::thread::available_parallelism`]) when it was made; further calls wait. A batch lends its kernel to others after
/// every 64 KiB.
///
/// # Examples
///
/// ```
/// let normalizer = urlmill::Normalizer::new("crawl")?;
/// let url = normalizer.normalize("HTTP://Example.com:80/b?utm_source=x&a=1#top")?;
/// assert_eq!(url, "http://example.com/b?a=1");
/// # Ok::<(), urlmill::Error>(())
/// ```
pub struct Normalizer {
    pub(crate) kernels: Kernels,
    max_length: usize,
}

impl Normalizer {
    /// Makes a normalizer with a preset: `safe`, `crawl`, `c14n` or `aggressive`. Another name is `BAD_OPTION`.
    pub fn new(preset: &str) -> Result<Self, Error> {
        Self::load(release::preset_plan(preset)?)
    }

    /// Makes a normalizer with the bytes of a plan, which `urlmill plan` writes. Any other bytes are `BAD_OPTION`, and so
    /// is a plan of another version: the text names both.
    ///
    /// # Examples
    ///
    /// ```
    /// let plan = std::fs::read("data/plans/crawl.plan")?; // urlmill plan --preset crawl -o crawl.plan
    /// let normalizer = urlmill::Normalizer::load(&plan)?;
    /// assert_eq!(normalizer.normalize("HTTP://A/?b&a")?, "http://a/?a&b");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(plan: &[u8]) -> Result<Self, Error> {
        let module = EMBEDDED.as_ref().map_err(Error::clone)?;
        Self::with_limit(module, plan, thread::available_parallelism().map_or(1, usize::from))
    }

    /// Makes a normalizer with another kernel, and with so many of them at most.
    pub(crate) fn with_limit(module: &Module, plan: &[u8], limit: usize) -> Result<Self, Error> {
        if plan.len() < PLAN_HEADER_BYTES || !plan.len().is_multiple_of(4) {
            let text = "plan: these bytes are not what `urlmill plan` writes";
            return Err(Error::bad_option(text));
        }
        let (words, _) = plan.as_chunks();
        let [version, max_length] = [0, 1].map(|word| u32::from_le_bytes(words[word]));
        let known = release::plan_versions();
        if !known.split(", ").any(|each| each == version.to_string()) {
            return Err(Error::bad_option(format!(
                "plan: is of version {version}, and this release reads {known}: make it anew with `urlmill plan` of the same release"
            )));
        }
        let kernels = Kernels::new(module.clone(), plan, limit);
        // The kernel finds what else is damaged.
        kernels.lend()?;
        Ok(Self { kernels, max_length: max_length as usize })
    }

    /// Returns the canonical form of a URL. Bytes that are not UTF-8 are percent-encoded one by one.
    pub fn normalize(&self, url: impl AsRef<[u8]>) -> Result<String, Error> {
        self.one(url.as_ref(), |kernel| kernel.output(1).map(str::to_owned))
    }

    /// Returns the fingerprint of the canonical form of a URL.
    ///
    /// # Examples
    ///
    /// ```
    /// let normalizer = urlmill::Normalizer::new("crawl")?;
    /// let fingerprint = normalizer.fingerprint("http://Example.com", &[0; 16])?;
    /// assert_eq!(u128::from_be_bytes(fingerprint), 0x212e1508f82944071ac0a1ff3d570dfc);
    /// # Ok::<(), urlmill::Error>(())
    /// ```
    pub fn fingerprint(&self, url: impl AsRef<[u8]>, key: &Key) -> Result<Fingerprint, Error> {
        self.one(url.as_ref(), |kernel| Ok(kernel.fingerprint(1, key)?[0]))
    }

    /// Normalizes a list, which takes less time than a call for each URL. One that is not a URL has an error of its own,
    /// and does not end the batch. The error of the batch is `ENGINE_FAILED` or `ENGINE_UNAVAILABLE`.
    ///
    /// # Examples
    ///
    /// ```
    /// let batch = urlmill::Normalizer::new("safe")?.normalize_batch(&["HTTP://A/%7e", "x"])?;
    /// assert_eq!(batch.get(0)?, "http://a/~");
    /// assert_eq!(batch.get(1).unwrap_err().code(), "NO_SCHEME");
    /// # Ok::<(), urlmill::Error>(())
    /// ```
    pub fn normalize_batch<U: AsRef<[u8]>>(&self, urls: &[U]) -> Result<NormalizedBatch, Error> {
        let mut batch = NormalizedBatch::with_capacity(urls);
        self.windows(urls, |kernel, rows| batch.push(kernel, rows))?;
        Ok(batch)
    }

    /// Makes the fingerprints of the canonical forms of a list, with the errors of
    /// [`normalize_batch`](Self::normalize_batch).
    ///
    /// # Examples
    ///
    /// ```
    /// let normalizer = urlmill::Normalizer::new("crawl")?;
    /// let batch = normalizer.fingerprint_batch(&["http://a/?b&a", "HTTP://A/?a&b", "x"], &[0; 16])?;
    /// assert_eq!(batch.get(0)?, batch.get(1)?);
    /// assert_eq!(batch.get(2).unwrap_err().code(), "NO_SCHEME");
    /// # Ok::<(), urlmill::Error>(())
    /// ```
    pub fn fingerprint_batch<U: AsRef<[u8]>>(
        &self,
        urls: &[U],
        key: &Key,
    ) -> Result<FingerprintBatch, Error> {
        let mut batch = FingerprintBatch::default();
        self.windows(urls, |kernel, rows| batch.push(kernel, rows, key))?;
        Ok(batch)
    }

    /// Returns a short name for everything that a result depends on besides the URL, which is the same in Node, Python,
    /// Java and Go.
    ///
    /// Store it with keys that outlive the process: keys of two ids do not compare.
    pub fn profile_id(&self) -> String {
        let profile = release::profile();
        let bytes = profile.bytes().chain(self.kernels.plan.iter().copied());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// Hands `take` the kernel that has normalized a URL. If it is not a URL, returns its error.
    fn one<T>(
        &self,
        url: &[u8],
        take: impl FnOnce(&mut Kernel) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut kernel = self.kernels.lend()?;
        kernel.normalize(&self.kernels.plan, &[url], self.max_length)?;
        if kernel.statuses(1)[0] > CHANGED {
            return Err(kernel.failure(url, self.max_length));
        }
        take(&mut kernel)
    }

    /// Hands `take` the kernel after each window, with how many URLs it has normalized.
    fn windows<U: AsRef<[u8]>>(
        &self,
        mut urls: &[U],
        mut take: impl FnMut(&mut Kernel, usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        while !urls.is_empty() {
            let mut kernel = self.kernels.lend()?;
            let rows = kernel.normalize(&self.kernels.plan, urls, self.max_length)?;
            take(&mut kernel, rows)?;
            urls = &urls[rows..];
        }
        Ok(())
    }
}
