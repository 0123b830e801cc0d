//! Times the kernel beside the crate `url`: `cargo bench --bench peers -- KERNEL PLAN FILE`.
//!
//! Prints nanoseconds of the processor for each line of FILE, medians of three interleaved rounds.

use std::time::Duration;
use std::{env, fs};

use rustix::time::{ClockId, clock_gettime};
use url::Url;
use urlmill_host::Normalizer;
use wasmtime::{Engine, Module};

const ROUNDS: usize = 3;
const PASSES: u32 = 5;

/// Returns the time that the processor has spent on this process.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap()
}

fn main() {
    // Cargo adds a flag of its own.
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [kernel, plan, file] = &args[..] else {
        panic!("usage: cargo bench --bench peers -- KERNEL PLAN FILE");
    };
    let (kernel, plan) = (fs::read(kernel).unwrap(), fs::read(plan).unwrap());
    let text = fs::read_to_string(file).unwrap();
    let urls: Vec<&str> = text.lines().collect();

    let before = processor_time();
    let module = Module::new(&Engine::default(), kernel).unwrap();
    let mut batches = Normalizer::new(&module, &plan, 1 << 20).unwrap();
    println!("{:24} {:5} ms", "set-up", (processor_time() - before).as_millis());
    let mut each = Normalizer::new(&module, &plan, 1 << 20).unwrap();

    // Each way returns the bytes of its results.
    let mut ways: [(&str, Box<dyn FnMut() -> usize>); 3] = [
        (
            "kernel, batches",
            Box::new(|| {
                let mut sum = 0;
                batches.normalize(&urls, |_, url| sum += url.map_or(0, <[u8]>::len)).unwrap();
                sum
            }),
        ),
        (
            "kernel, one URL a call",
            Box::new(|| {
                let mut sum = 0;
                for url in &urls {
                    each.normalize(&[url], |_, url| sum += url.map_or(0, <[u8]>::len)).unwrap();
                }
                sum
            }),
        ),
        (
            "url",
            Box::new(|| {
                urls.iter().map(|url| Url::parse(url).map_or(0, |url| url.as_str().len())).sum()
            }),
        ),
    ];
    let mut times = [const { Vec::<Duration>::new() }; 3];
    let mut bytes = 0;
    for round in 0..=ROUNDS {
        for ((_, pass), times) in ways.iter_mut().zip(&mut times) {
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
