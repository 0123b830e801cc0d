// Normalizes URLs with a crate: parsers CRATE WAY LIST ROUNDS [OUT]. bench/peers/parsers.mjs says what it prints and writes.
use std::time::{Duration, Instant};
use std::{env, fs, io::Error};

fn append_url(line: &str, output: &mut String) {
    if let Ok(url) = url::Url::parse(line) {
        output.push_str(url.as_str());
    }
}

fn append_ada(line: &str, output: &mut String) {
    if let Ok(url) = ada_url::Url::parse(line, None) {
        output.push_str(url.href());
    }
}

fn main() -> Result<(), Error> {
    let args: Vec<String> = env::args().collect();
    let append = if args[1] == "url" {
        append_url
    } else {
        append_ada
    };
    let of_lines = args[2] == "lines";
    let text = fs::read_to_string(&args[3])?;
    let urls: Vec<String> = text.split_terminator('\n').map(String::from).collect();
    let mut results = vec![String::new(); urls.len()];
    let mut output = String::new();

    let mut run = || {
        let begin = Instant::now();
        if of_lines {
            output.clear();
            for line in text.split_terminator('\n') {
                append(line, &mut output);
                output.push('\n');
            }
        } else {
            for (url, result) in urls.iter().zip(&mut results) {
                result.clear();
                append(url, result);
            }
        }
        begin.elapsed().as_nanos() as f64 / urls.len() as f64
    };

    let warm = Instant::now() + Duration::from_millis(500);
    while Instant::now() < warm {
        run();
    }
    let mut times: Vec<f64> = (0..args[4].parse().unwrap()).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    println!("{} {}", times[0], times[times.len() / 2]);
    match args.get(5) {
        Some(file) if of_lines => fs::write(file, output),
        Some(file) => fs::write(file, results.join("\n") + "\n"),
        None => Ok(()),
    }
}
