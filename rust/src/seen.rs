use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Error, Fingerprint, Key, Normalizer};

/// A set of pages in memory, which tells which URLs are new. Threads may share one.
///
/// It has the fingerprint of each page, of 16 bytes, under a random key. Two URLs with one canonical form are one page.
///
/// # Examples
///
/// ```
/// use urlmill::{Normalizer, Seen};
///
/// let seen = Seen::new(Normalizer::new("crawl")?);
/// assert!(seen.add("HTTP://Example.com/b?utm_source=x&a=1#top")?);
/// assert!(!seen.add("http://example.com/b?a=1")?);
/// # Ok::<(), urlmill::Error>(())
/// ```
pub struct Seen {
    normalizer: Normalizer,
    pub(crate) key: Key,
    known: Mutex<HashSet<Fingerprint>>,
}

impl Seen {
    /// Makes an empty set.
    pub fn new(normalizer: Normalizer) -> Self {
        // Each state has a secret of its own, which comes from the system.
        let half = || RandomState::new().hash_one(());
        let key = (u128::from(half()) << 64 | u128::from(half())).to_le_bytes();
        Self { normalizer, key, known: Mutex::default() }
    }

    /// Adds the page of a URL, and returns whether it is new. What is not a URL is not added, and gives the error of
    /// [`Normalizer::normalize`].
    pub fn add(&self, url: impl AsRef<[u8]>) -> Result<bool, Error> {
        let fingerprint = self.normalizer.fingerprint(url, &self.key)?;
        Ok(self.known().insert(fingerprint))
    }

    /// Returns how many pages the set has.
    pub fn len(&self) -> usize {
        self.known().len()
    }

    /// Says whether the set has no page.
    pub fn is_empty(&self) -> bool {
        self.known().is_empty()
    }

    fn known(&self) -> MutexGuard<'_, HashSet<Fingerprint>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
