//! Prints the normalized URL of each line of a file: `normalize KERNEL PLAN FILE`.
//!
//! A line that is not a URL stays as it is. Its number and the code of its error go to standard error.

use std::io::{Write, stderr, stdout};
use std::{env, fs, process};

use urlmill_host::{Error, Normalizer};
use wasmtime::{Engine, Module};

/// The longest URL that a normalizer allows, unless its options say otherwise.
const LONGEST: u32 = 1 << 20;

fn run(kernel: &[u8], plan: &[u8], text: &[u8]) -> Result<(Vec<u8>, String), Error> {
    let kernel = Module::new(&Engine::default(), kernel)?;
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').map(without_end).collect();
    let (mut output, mut errors) = (Vec::with_capacity(text.len()), String::new());
    Normalizer::new(&kernel, plan, LONGEST)?.normalize(&lines, |row, result| {
        output.extend_from_slice(result.unwrap_or(lines[row]));
        output.push(b'\n');
        if let Err(code) = result {
            errors += &format!("{}\t{code}\n", row + 1);
        }
    })?;
    Ok((output, errors))
}

/// Returns a line without its LF or CR LF.
fn without_end(line: &[u8]) -> &[u8] {
    let Some(line) = line.strip_suffix(b"\n") else { return line };
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn main() -> std::io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [kernel, plan, file] = &args[..] else {
        eprintln!("usage: normalize KERNEL PLAN FILE");
        process::exit(2);
    };
    match run(&fs::read(kernel)?, &fs::read(plan)?, &fs::read(file)?) {
        Ok((output, errors)) => {
            stdout().write_all(&output)?;
            stderr().write_all(errors.as_bytes())
        }
        Err(Error(code, text)) => {
            eprintln!("{code}: {text}");
            process::exit(1);
        }
    }
}
