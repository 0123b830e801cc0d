//! Prints the normalized URL of each line of a file: `normalize PLAN FILE`.
//!
//! A line that is not a URL stays as it is. Its number and the code of its error go to standard error.

use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::{env, fs, process};

use urlmill::Normalizer;

fn run(plan: &str, file: &str) -> Result<(), Box<dyn Error>> {
    let (plan, text) = (fs::read(plan)?, fs::read(file)?);
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').map(without_end).collect();
    let batch = Normalizer::load(&plan)?.normalize_batch(&lines)?;
    let (mut output, mut errors) = (Vec::with_capacity(text.len()), String::new());
    for (row, made) in batch.iter().enumerate() {
        match made {
            Ok(url) => output.extend_from_slice(url.as_bytes()),
            Err(error) => {
                output.extend_from_slice(lines[row]);
                errors += &format!("{}\t{}\n", row + 1, error.code());
            }
        }
        output.push(b'\n');
    }
    stdout().write_all(&output)?;
    Ok(stderr().write_all(errors.as_bytes())?)
}

/// Returns a line without its LF or CR LF.
fn without_end(line: &[u8]) -> &[u8] {
    let Some(line) = line.strip_suffix(b"\n") else { return line };
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let [plan, file] = &args[..] else {
        eprintln!("usage: normalize PLAN FILE");
        process::exit(2);
    };
    if let Err(error) = run(plan, file) {
        eprintln!("{error}");
        process::exit(1);
    }
}
