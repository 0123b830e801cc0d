//! Times urlmill beside the crate `url`: `cargo bench --bench peers -- PRESET FILE`.
//!
//! Prints nanoseconds of the processor for each line of FILE, medians of three interleaved rounds.

use std::time::Duration;
use std::{env, fs};

use rustix::time::{ClockId, clock_gettime};
use url::Url;
use urlmill::{Normalizer, Seen};

const ROUNDS: usize = 3;
const PASSES: u32 = 5;

/// Returns the time that the processor has spent on this process.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap()
}

/// A way to go through the list, with its name. It returns the bytes of its results.
type Way<'a> = (&'a str, Box<dyn Fn() -> usize + 'a>);

fn ways<'a>(preset: &'a str, normalizer: &'a Normalizer, urls: &'a [&str]) -> [Way<'a>; 5] {
    [
        (
            "batches",
            Box::new(|| {
                let batch = normalizer.normalize_batch(urls).unwrap();
                batch.iter().map(|url| url.map_or(0, str::len)).sum()
            }),
        ),
        (
            "fingerprints of batches",
            Box::new(|| 16 * normalizer.fingerprint_batch(urls, &[0; 16]).unwrap().len()),
        ),
        (
            "one URL a call",
            Box::new(|| {
                urls.iter().map(|url| normalizer.normalize(url).map_or(0, |url| url.len())).sum()
            }),
        ),
        (
            "a set of seen pages",
            Box::new(move || {
                let seen = Seen::new(Normalizer::new(preset).unwrap());
                16 * urls.iter().filter(|url| seen.add(url).unwrap_or(false)).count()
            }),
        ),
        (
            "url",
            Box::new(|| {
                urls.iter().map(|url| Url::parse(url).map_or(0, |url| url.as_str().len())).sum()
            }),
        ),
    ]
}

fn main() {
    // Cargo adds a flag of its own.
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [preset, file] = &args[..] else {
        panic!("usage: cargo bench --bench peers -- PRESET FILE");
    };
    let text = fs::read_to_string(file).unwrap();
    let urls: Vec<&str> = text.lines().collect();

    let before = processor_time();
    let normalizer = Normalizer::new(preset).unwrap();
    println!("{:24} {:5} ms", "set-up", (processor_time() - before).as_millis());

    let ways = ways(preset, &normalizer, &urls);
    let mut times = [const { Vec::<Duration>::new() }; 5];
    let mut bytes = 0;
    for round in 0..=ROUNDS {
        for ((_, pass), times) in ways.iter().zip(&mut times) {
            let before = processor_time();
            bytes += (0..PASSES).map(|_| pass()).sum::<usize>();
            // The first round warms up.
            if round > 0 {
                times.push((processor_time() - before) / (PASSES * urls.len() as u32));
            }
        }
    }
    for ((name, _), times) in ways.iter().zip(&mut times) {
        times.sort();
        println!("{name:24} {:5} ns", times[ROUNDS / 2].as_nanos());
    }
    eprintln!("{bytes} bytes of results");
}
