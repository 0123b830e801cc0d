use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{or_code, with_preset};
use crate::kernel::compile;
use crate::release::{KERNEL, preset_plan};
use crate::{Normalizer, Seen};

const THREADS: usize = 16;
const COUNT: usize = 100_000;

/// Returns URLs with every kind of result. Each page comes twice, and every tenth text is not a URL.
fn many_urls() -> Vec<String> {
    let url = |at: usize| {
        let page = at % (COUNT / 2);
        match at % 10 {
            0 => format!("//a.example/{page}"),
            1 => format!("HTTP://Bücher.example:80/%7e/../{page}?b={page}&a#top"),
            _ => format!("https://h{}.example/{page}?utm_source=x&id={page}", page % 97),
        }
    };
    (0..COUNT).map(url).collect()
}

fn in_threads(part: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let part = &part;
            scope.spawn(move || part(thread));
        }
    });
}

#[test]
fn threads_get_what_one_gets() {
    let urls = many_urls();
    let alone = with_preset("crawl");
    let serial: Vec<_> = urls.iter().map(|url| or_code(alone.normalize(url))).collect();
    let module = compile(KERNEL).unwrap();
    let plan = preset_plan("crawl").unwrap();
    for limit in [1, 3, THREADS] {
        let normalizer = Normalizer::with_limit(&module, plan, limit).unwrap();
        in_threads(|thread| {
            let first = thread * COUNT / THREADS;
            for at in first..first + COUNT / THREADS {
                assert_eq!(or_code(normalizer.normalize(&urls[at])), serial[at], "{}", urls[at]);
            }
            // All threads normalize all URLs in batches, from another place on.
            let rows = [&urls[first..], &urls[..first]].concat();
            let batch = normalizer.normalize_batch(&rows).unwrap();
            for (row, made) in batch.iter().enumerate() {
                let expected = &serial[(first + row) % COUNT];
                assert_eq!(&or_code(made.map(str::to_owned)), expected, "{}", rows[row]);
            }
        });
        assert!(normalizer.kernels.kept().len() <= limit);
    }
}

#[test]
fn fingerprints_of_threads_are_those_of_their_key() {
    let urls = &many_urls()[..10_000];
    let normalizer = with_preset("crawl");
    in_threads(|thread| {
        let key = [(thread % 2) as u8; 16];
        let batch = normalizer.fingerprint_batch(urls, &key).unwrap();
        let alone = with_preset("crawl");
        for (url, in_batch) in urls.iter().zip(batch.iter()) {
            let own = alone.fingerprint(url, &key).ok();
            assert_eq!(normalizer.fingerprint(url, &key).ok(), own, "{url}");
            assert_eq!(in_batch.ok(), own, "{url}");
        }
    });
}

#[test]
fn each_page_is_new_to_one_thread() {
    let urls = many_urls();
    let seen = Seen::new(with_preset("crawl"));
    let found = AtomicUsize::new(0);
    in_threads(|_| {
        let new = urls.iter().filter(|url| seen.add(url).unwrap_or(false)).count();
        found.fetch_add(new, Ordering::Relaxed);
    });
    assert_eq!((found.into_inner(), seen.len()), (COUNT * 9 / 20, COUNT * 9 / 20));
}
