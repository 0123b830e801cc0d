//! What the build of the repository writes to `data`: the kernel, the plans of the presets, versions, names of statuses.

use std::sync::LazyLock;

use crate::Error;

pub const KERNEL: &[u8] = include_bytes!("../data/kernel.wasm");

const VERSIONS: &str = include_str!("../data/versions.properties");

const PLANS: [(&str, &[u8]); 4] = [
    ("safe", include_bytes!("../data/plans/safe.plan")),
    ("crawl", include_bytes!("../data/plans/crawl.plan")),
    ("c14n", include_bytes!("../data/plans/c14n.plan")),
    ("aggressive", include_bytes!("../data/plans/aggressive.plan")),
];

/// Code and meaning of each status of a URL, by its number.
static STATUSES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    VERSIONS.lines().filter_map(|line| line.strip_prefix("status.")?.split_once('=')).collect()
});

/// Returns the value of a name in the versions.
fn value(name: &str) -> &'static str {
    let mut lines = VERSIONS.lines().filter_map(|line| line.split_once('='));
    lines.find(|(each, _)| *each == name).map_or("", |(_, value)| value)
}

/// Returns the versions of plans that this release reads, as `6, 7`.
pub fn plan_versions() -> String {
    value("plans").replace(',', ", ")
}

/// Returns what a profile id depends on besides the plan.
pub fn profile() -> String {
    format!("{} {} ", value("spec"), value("unicode"))
}

/// Returns the plan of a preset.
pub fn preset_plan(preset: &str) -> Result<&'static [u8], Error> {
    let plan = PLANS.iter().find(|(name, _)| *name == preset);
    plan.map(|(_, plan)| *plan).ok_or_else(|| {
        let names = PLANS.map(|(name, _)| name).join(", ");
        Error::bad_option(format!("preset: must be one of {names}, not {preset}"))
    })
}

/// Returns the error of a status, without a place.
pub fn failure(status: u8) -> Error {
    let (code, meaning) = STATUSES[usize::from(status)];
    Error::new(code, meaning)
}
