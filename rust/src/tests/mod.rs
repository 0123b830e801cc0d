mod node;
mod normalizer;
mod threads;

use crate::{Error, Normalizer};

const MESSY: &str = "HTTP://Example.com:80/%7e?utm_source=x&b&a=1#top";

fn with_preset(preset: &str) -> Normalizer {
    Normalizer::new(preset).unwrap()
}

/// Returns what a call made of a URL, or the code of its error.
fn or_code(made: Result<String, Error>) -> Result<String, &'static str> {
    made.map_err(|error| error.code())
}
