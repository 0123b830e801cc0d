use super::{MESSY, with_preset};
use crate::kernel::WINDOW_BYTES;
use crate::release::preset_plan;
use crate::{Error, Normalizer, Seen};

fn refusal(plan: &[u8]) -> Error {
    Normalizer::load(plan).err().expect("the plan is refused")
}

#[test]
fn presets_do_what_their_names_say() {
    let safe = with_preset("safe").normalize(MESSY).unwrap();
    assert_eq!(safe, "http://example.com/~?utm_source=x&b&a=1#top");
    assert_eq!(with_preset("crawl").normalize(MESSY).unwrap(), "http://example.com/~?a=1&b");
}

#[test]
fn an_unknown_preset_is_named_with_those_that_there_are() {
    let error = Normalizer::new("fast").err().unwrap();
    let expected = "BAD_OPTION: preset: must be one of safe, crawl, c14n, aggressive, not fast";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bytes_that_are_not_a_plan_are_refused() {
    for plan in [&[][..], &[6, 0, 0, 0], &[0; 49], &[0; 88]] {
        assert_eq!(refusal(plan).code(), "BAD_OPTION");
    }
}

#[test]
fn a_plan_of_another_version_is_refused_with_both_versions() {
    let mut plan = preset_plan("crawl").unwrap().to_vec();
    plan[0] = 5;
    let text = refusal(&plan).to_string();
    assert!(text.contains("is of version 5, and this release reads 6, 7, 8, 9"), "{text}");
}

#[test]
fn a_damaged_plan_is_refused_or_normalizes_to_the_end() {
    const COUNT: usize = 300;
    let mut state = 43_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let mut refused = 0;
    for at in 0..COUNT {
        let mut plan = preset_plan(["crawl", "aggressive"][at % 2]).unwrap().to_vec();
        // The first word is the version. Half of the changes are in the header.
        let place = 4 + random(if at / 2 % 2 == 0 { 44 } else { plan.len() - 4 });
        plan[place] = random(256) as u8;
        match Normalizer::load(&plan) {
            Ok(normalizer) => {
                normalizer.normalize_batch(&[MESSY, "http://a.co.uk/?sid=1"]).unwrap();
            }
            Err(error) => {
                assert_eq!(error.code(), "BAD_OPTION");
                refused += 1;
            }
        }
    }
    assert!(refused > COUNT / 10 && refused < COUNT, "{refused} of {COUNT} are refused");
}

#[test]
fn an_error_has_code_place_and_url() {
    let url = format!("http://a:x/{}", "é".repeat(200));
    let error = with_preset("safe").normalize(url).unwrap_err();
    assert_eq!((error.code(), error.offset()), ("BAD_PORT", Some(9)));
    let text = error.to_string();
    let begin = "BAD_PORT: the port is not a number, or above 65535: http://a:x/éé";
    assert!(text.starts_with(begin) && text.ends_with("..."), "{text}");
}

#[test]
fn bytes_that_are_not_utf_8_are_percent_encoded() {
    assert_eq!(with_preset("safe").normalize(b"http://a/\xff\xc3").unwrap(), "http://a/%FF%C3");
}

/// Returns a URL of so many bytes that is in normal form.
fn long_url(bytes: usize) -> String {
    format!("http://a/{}", "x".repeat(bytes - 9))
}

#[test]
fn urls_up_to_the_limit_of_the_plan_pass_among_short_ones() {
    const MAX_LENGTH: usize = 1 << 20;
    let normalizer = with_preset("safe");
    let lengths =
        [10, MAX_LENGTH, WINDOW_BYTES, MAX_LENGTH + 1, 11, WINDOW_BYTES + 1, 3 * MAX_LENGTH];
    let mut urls: Vec<String> = lengths.into_iter().map(long_url).collect();
    urls.push("x".into());
    let batch = normalizer.normalize_batch(&urls).unwrap();
    let fingerprints = normalizer.fingerprint_batch(&urls, &[1; 16]).unwrap();
    assert_eq!((batch.len(), fingerprints.len()), (urls.len(), urls.len()));
    for (row, url) in urls.iter().enumerate() {
        let expected = match url.len() {
            1 => Err("NO_SCHEME"),
            length if length > MAX_LENGTH => Err("TOO_LONG"),
            _ => Ok(url.as_str()),
        };
        let made = normalizer.normalize(url);
        assert_eq!(batch.get(row).map_err(|error| error.code()), expected);
        assert_eq!(made.as_deref().map_err(|error| error.code()), expected);
        if url.len() > MAX_LENGTH {
            assert_eq!(made.unwrap_err().offset(), Some(MAX_LENGTH));
        }
        let fingerprint = normalizer.fingerprint(url, &[1; 16]).map_err(|error| error.code());
        assert_eq!(fingerprints.get(row).map_err(|error| error.code()), fingerprint);
        assert_eq!(fingerprint.err(), expected.err());
    }
    assert!(normalizer.kernels.kept().iter().all(|window| *window <= 4 * WINDOW_BYTES));
}

#[test]
fn an_empty_list_gives_an_empty_batch() {
    let normalizer = with_preset("safe");
    assert!(normalizer.normalize_batch::<&str>(&[]).unwrap().is_empty());
    assert!(normalizer.fingerprint_batch::<&str>(&[], &[0; 16]).unwrap().is_empty());
}

#[test]
fn fingerprints_depend_on_the_key_and_the_canonical_form() {
    let normalizer = with_preset("crawl");
    let of = |url, key| normalizer.fingerprint(url, &[key; 16]).unwrap();
    assert_eq!(of(MESSY, 1), of("http://example.com/~?b&a=1", 1));
    assert_ne!(of(MESSY, 1), of(MESSY, 2));
    assert_ne!(of(MESSY, 1), of("http://b/", 1));
}

#[test]
fn a_set_counts_pages_and_not_spellings() {
    let seen = Seen::new(with_preset("crawl"));
    assert!(seen.is_empty());
    let urls = ["http://a/?b&a", "HTTP://A/?a&b#c", "http://a/", "x"];
    let found = urls.map(|url| seen.add(url).map_err(|error| error.code()));
    assert_eq!(found, [Ok(true), Ok(false), Ok(true), Err("NO_SCHEME")]);
    assert_eq!(seen.len(), 2);
    assert_ne!(seen.key, Seen::new(with_preset("crawl")).key);
}
