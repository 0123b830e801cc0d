use crate::kernel::{CHANGED, Kernel};
use crate::{Error, Fingerprint, Key, release};

/// Has what [`Normalizer::normalize_batch`](crate::Normalizer::normalize_batch) made of a list.
pub struct NormalizedBatch {
    text: String,
    /// Where each canonical form ends in the text.
    ends: Vec<usize>,
    statuses: Vec<u8>,
}

impl NormalizedBatch {
    pub(crate) fn with_capacity<U: AsRef<[u8]>>(urls: &[U]) -> Self {
        let bytes = urls.iter().map(|url| url.as_ref().len() + 1).sum();
        Self {
            text: String::with_capacity(bytes),
            ends: Vec::with_capacity(urls.len()),
            statuses: Vec::with_capacity(urls.len()),
        }
    }

    /// Adds the rows of the last call of a kernel.
    pub(crate) fn push(&mut self, kernel: &Kernel, rows: usize) -> Result<(), Error> {
        let begin = self.text.len();
        self.ends.extend(kernel.ends(rows).map(|end| begin + end));
        self.text.push_str(kernel.output(rows)?);
        self.statuses.extend_from_slice(kernel.statuses(rows));
        Ok(())
    }

    /// Returns the length of the list.
    pub fn len(&self) -> usize {
        self.statuses.len()
    }

    /// Says whether the list was empty.
    pub fn is_empty(&self) -> bool {
        self.statuses.is_empty()
    }

    /// Returns the canonical form of a URL by its index in the list, or its error. Panics for another index.
    pub fn get(&self, row: usize) -> Result<&str, Error> {
        check(self.statuses[row])?;
        let begin = if row == 0 { 0 } else { self.ends[row - 1] };
        Ok(&self.text[begin..self.ends[row]])
    }

    /// Returns the canonical form or the error of each URL, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Result<&str, Error>> {
        (0..self.len()).map(|row| self.get(row))
    }
}

/// Has what [`Normalizer::fingerprint_batch`](crate::Normalizer::fingerprint_batch) made of a list.
#[derive(Default)]
pub struct FingerprintBatch {
    fingerprints: Vec<Fingerprint>,
    statuses: Vec<u8>,
}

impl FingerprintBatch {
    /// Adds the rows of the last call of a kernel.
    pub(crate) fn push(
        &mut self,
        kernel: &mut Kernel,
        rows: usize,
        key: &Key,
    ) -> Result<(), Error> {
        self.fingerprints.extend_from_slice(kernel.fingerprint(rows, key)?);
        self.statuses.extend_from_slice(kernel.statuses(rows));
        Ok(())
    }

    /// Returns the length of the list.
    pub fn len(&self) -> usize {
        self.statuses.len()
    }

    /// Says whether the list was empty.
    pub fn is_empty(&self) -> bool {
        self.statuses.is_empty()
    }

    /// Returns the fingerprint of a URL by its index in the list, or its error. Panics for another index.
    pub fn get(&self, row: usize) -> Result<Fingerprint, Error> {
        check(self.statuses[row])?;
        Ok(self.fingerprints[row])
    }

    /// Returns the fingerprint or the error of each URL, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Result<Fingerprint, Error>> {
        (0..self.len()).map(|row| self.get(row))
    }
}

fn check(status: u8) -> Result<(), Error> {
    if status > CHANGED { Err(release::failure(status)) } else { Ok(()) }
}
