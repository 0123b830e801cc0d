//! Gives every URL one canonical form, so that equal pages get equal keys.
//!
//! It runs the kernel of the Node package in wasmtime, so results are the same bytes as in Node, Python, Java and Go. The
//! kernel and the plans of the presets are embedded.
//!
//! # Examples
//!
//! ```
//! use urlmill::{Normalizer, Seen};
//!
//! let normalizer = Normalizer::new("crawl")?;
//! assert_eq!(normalizer.normalize("HTTP://Example.com/?b&a#top")?, "http://example.com/?a&b");
//!
//! let seen = Seen::new(normalizer);
//! assert!(seen.add("HTTP://Example.com/?b&a#top")?);
//! assert!(!seen.add("http://example.com/?a&b")?);
//! # Ok::<(), urlmill::Error>(())
//! ```
#![warn(missing_docs)]

mod batch;
mod error;
mod kernel;
mod kernels;
mod normalizer;
mod release;
mod seen;

pub use batch::{FingerprintBatch, NormalizedBatch};
pub use error::Error;
pub use normalizer::{Fingerprint, Key, Normalizer};
pub use seen::Seen;

#[cfg(test)]
mod tests;

/// The blocks of code in documents are tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/rust.md")]
    struct Document;
}
