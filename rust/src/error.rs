use std::borrow::Cow;
use std::{error, fmt};

/// Reports every error of this crate: a stable code, the place, and a text for people.
///
/// # Examples
///
/// ```
/// let normalizer = urlmill::Normalizer::new("safe")?;
/// let error = normalizer.normalize("http://1.2.3.256/").unwrap_err();
/// assert_eq!(error.code(), "BAD_IPV4");
/// assert_eq!(error.offset(), Some(7));
/// # Ok::<(), urlmill::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Error {
    pub(crate) code: &'static str,
    pub(crate) offset: Option<usize>,
    pub(crate) text: Cow<'static, str>,
}

impl Error {
    pub(crate) fn new(code: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Self { code, offset: None, text: text.into() }
    }

    pub(crate) fn bad_option(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new("BAD_OPTION", text)
    }

    pub(crate) fn unavailable(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new("ENGINE_UNAVAILABLE", text)
    }

    /// Returns the code, which is stable, and the same as in Node, Python, Java and Go.
    ///
    /// For a URL it is the name of a status, such as `BAD_HOST` or `TOO_LONG`. Other codes: `BAD_OPTION` for a
    /// preset or plan that cannot be taken, `ENGINE_UNAVAILABLE` if there is no memory for a kernel,
    /// `ENGINE_FAILED` if the kernel stopped or is of another release.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the place of the error in the URL, in bytes. It is `None` if the error has no place, and in batches.
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.text)
    }
}

impl error::Error for Error {}
