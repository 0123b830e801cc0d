//! Compares with files that `npm run proof hosts` names.

use std::path::Path;
use std::{env, fs};

use super::or_code;
use crate::kernel::{CHANGED, compile};
use crate::release::{failure, preset_plan};
use crate::{Error, Normalizer};

/// What Node made of a column (`java/src/test/node/write_results.mjs`).
struct Case<'a> {
    plan: &'a [u8],
    profile_id: &'a [u8],
    urls: Vec<&'a [u8]>,
    outputs: Vec<&'a [u8]>,
    statuses: &'a [u8],
    /// Under a key of zeros.
    fingerprints: &'a [[u8; 16]],
    places: Vec<i32>,
}

/// Takes a frame: its length, and its bytes.
fn frame<'a>(file: &mut &'a [u8]) -> &'a [u8] {
    let (length, rest) = file.split_first_chunk().unwrap();
    let (frame, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
    *file = rest;
    frame
}

fn numbers(file: &mut &[u8]) -> Vec<i32> {
    let (words, _) = frame(file).as_chunks();
    words.iter().map(|word| i32::from_le_bytes(*word)).collect()
}

fn column<'a>(file: &mut &'a [u8]) -> Vec<&'a [u8]> {
    let data = frame(file);
    let offsets = numbers(file);
    offsets.windows(2).map(|ends| &data[ends[0] as usize..ends[1] as usize]).collect()
}

impl<'a> Case<'a> {
    fn next(file: &mut &'a [u8]) -> Self {
        Self {
            plan: frame(file),
            profile_id: frame(file),
            urls: column(file),
            outputs: column(file),
            statuses: frame(file),
            fingerprints: frame(file).as_chunks().0,
            places: numbers(file),
        }
    }

    fn check(&self) {
        let normalizer = Normalizer::load(self.plan).unwrap();
        assert_eq!(normalizer.profile_id().as_bytes(), self.profile_id);
        let batch = normalizer.normalize_batch(&self.urls).unwrap();
        let fingerprints = normalizer.fingerprint_batch(&self.urls, &[0; 16]).unwrap();
        for (row, url) in self.urls.iter().enumerate() {
            let shown = url.escape_ascii();
            let status = self.statuses[row];
            let expected = if status > CHANGED {
                Err(failure(status).code())
            } else {
                Ok(String::from_utf8(self.outputs[row].to_vec()).unwrap())
            };
            assert_eq!(or_code(batch.get(row).map(str::to_owned)), expected, "{shown}");
            let made = normalizer.normalize(url);
            // Node has no place for bytes that are not UTF-8.
            if let (Err(error), 0..) = (&made, self.places[row]) {
                assert_eq!(error.offset(), Some(self.places[row] as usize), "{shown}");
            }
            assert_eq!(or_code(made), expected, "{shown}");
            let fingerprint = expected.map(|_| self.fingerprints[row]);
            let code = |error: Error| error.code();
            assert_eq!(fingerprints.get(row).map_err(code), fingerprint, "{shown}");
            assert_eq!(normalizer.fingerprint(url, &[0; 16]).map_err(code), fingerprint, "{shown}");
        }
    }
}

#[test]
#[ignore = "npm run proof hosts runs it"]
fn results_are_those_of_node() {
    let file = fs::read(env::var("URLMILL_RESULTS").unwrap()).unwrap();
    let (mut rest, mut cases, mut rows) = (&file[..], 0, 0);
    while !rest.is_empty() {
        let case = Case::next(&mut rest);
        case.check();
        cases += 1;
        rows += case.urls.len();
    }
    assert!(cases >= 60 && rows >= 200_000, "{cases} cases of {rows} rows");
}

/// Each file is a kernel that is damaged in one way.
#[test]
#[ignore = "npm run proof hosts runs it"]
fn a_damaged_kernel_is_an_error() {
    let folder = env::var("URLMILL_KERNELS").unwrap();
    for (name, expected) in [
        ("not-wasm.wasm", "ENGINE_UNAVAILABLE: the kernel cannot run here"),
        ("other-abi.wasm", "ENGINE_FAILED: the kernel has version 99 of the interface, not 13"),
        ("traps.wasm", "ENGINE_FAILED: the kernel stopped"),
        ("full-stack.wasm", "ENGINE_FAILED: the kernel stopped"),
    ] {
        let bytes = fs::read(Path::new(&folder).join(name)).unwrap();
        let plan = preset_plan("safe").unwrap();
        let check = |error: Error| {
            let text = error.to_string();
            assert!(text.starts_with(expected), "{name}: {text}");
        };
        match compile(&bytes).and_then(|module| Normalizer::with_limit(&module, plan, 1)) {
            Err(error) => check(error),
            // A kernel that stopped is not lent again, and the limit stays.
            Ok(normalizer) => {
                for _ in 0..2 {
                    check(normalizer.normalize("http://a/").unwrap_err());
                    check(normalizer.normalize_batch(&["http://a/"]).err().unwrap());
                    assert!(normalizer.kernels.kept().is_empty());
                }
            }
        }
    }
}
