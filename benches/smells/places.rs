//! Where code is repeated and what is never used, beside what the tools find.

use lspwright::inspect::{Config, Request, SmellFinding, Watch, analyze};

use crate::Subject;
use crate::packages::Family;
use crate::tools::{Place, Tools};

/// What was found in one package, here and there.
pub struct Sightings {
    package: &'static str,
    lines: u64,
    smells: usize,
    copies: Overlap,
    dead: Overlap,
    exports: usize,
}

/// Places that both find, and those that only one finds.
#[derive(Default)]
struct Overlap {
    both: usize,
    here: Vec<String>,
    there: Vec<String>,
}

pub fn compare(subject: &Subject, tools: &Tools) -> Result<Sightings, String> {
    let request = Request { path: subject.sources.to_owned(), smells: Vec::new(), config: Config::default() };
    let analysis = analyze(&subject.disk, &request, &Watch::default()).map_err(|error| error.to_string())?;
    let of = |name: &str| analysis.found.iter().filter(|one| one.smell.name == name).collect::<Vec<_>>();
    Ok(Sightings {
        package: subject.name,
        lines: analysis.lines(),
        smells: analysis.found.len(),
        copies: copies(&of("duplicate-code"), tools),
        dead: dead(&of("dead-code"), subject, tools),
        exports: tools.exports,
    })
}

fn copies(found: &[&SmellFinding], tools: &Tools) -> Overlap {
    let mut here: Vec<Place> =
        found.iter().flat_map(|one| places(&one.finding.location, &one.finding.details)).collect();
    here.sort();
    let mut overlap = Overlap::default();
    let meets = |a: &Place, b: &Place| a.file == b.file && a.first < b.last && b.first < a.last;
    for place in &here {
        if tools.copies.iter().any(|other| meets(place, other)) {
            overlap.both += 1;
        } else {
            overlap.here.push(shown(place));
        }
    }
    let mut there: Vec<&Place> = tools.copies.iter().filter(|place| !here.iter().any(|it| meets(it, place))).collect();
    there.sort();
    there.dedup();
    overlap.there = there.into_iter().map(shown).collect();
    overlap
}

/// Reads all places of a copy: where it is found, and those that the details name.
fn places(location: &str, details: &str) -> Vec<Place> {
    let words = details.split([' ', ',']).chain([location]);
    let place = |word: &str| {
        let (file, lines) = word.split_once("#L")?;
        let (first, last) = lines.split_once("-L")?;
        Some(Place { file: file.to_owned(), first: first.parse().ok()?, last: last.parse().ok()? })
    };
    words.filter_map(place).collect()
}

fn shown(place: &Place) -> String {
    format!("{}:{}-{}", place.file, place.first, place.last)
}

fn dead(found: &[&SmellFinding], subject: &Subject, tools: &Tools) -> Overlap {
    let mut overlap = Overlap::default();
    let name = |one: &SmellFinding| one.finding.details.split('`').nth(1).unwrap_or_default().to_owned();
    let file = |one: &SmellFinding| one.finding.location.split(['#', ':']).next().unwrap_or_default().to_owned();
    let here: Vec<(String, String)> = found.iter().map(|one| (file(one), name(one))).collect();
    for (file, name) in &here {
        if tools.unused.iter().any(|(other, _, unused)| other == file && unused == name) {
            overlap.both += 1;
        } else {
            overlap.here.push(format!("{file} {name}"));
        }
    }
    // What everybody may use is only unused for those who know all that use it: here it is never told.
    let is_private = |name: &str| subject.language != Family::Python || name.starts_with('_') && !name.ends_with("__");
    let others = tools.unused.iter().filter(|(file, _, unused)| {
        is_private(unused) && !here.iter().any(|(other, name)| other == file && name == unused)
    });
    overlap.there = others.map(|(file, line, name)| format!("{file}:{line} {name}")).collect();
    overlap
}

pub fn print(all: &[Sightings], show: usize) {
    println!(
        "\n| package | lines | smells | one in | copies: both | here only | jscpd only | dead: both | here only | tool only | exports unused, says knip |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for one in all {
        let Sightings { package, lines, smells, copies, dead, exports } = one;
        let (every, both) = (lines / (*smells).max(1) as u64, [copies.both, dead.both]);
        println!(
            "| {package} | {lines} | {smells} | {every} | {} | {} | {} | {} | {} | {} | {exports} |",
            both[0],
            copies.here.len(),
            copies.there.len(),
            both[1],
            dead.here.len(),
            dead.there.len()
        );
    }
    println!();
    for one in all {
        let lists = [
            ("copies, here only", &one.copies.here),
            ("copies, jscpd only", &one.copies.there),
            ("dead, here only", &one.dead.here),
            ("dead, tool only", &one.dead.there),
        ];
        for (what, list) in lists {
            list.iter().take(show).for_each(|place| println!("{}: {what}: {place}", one.package));
        }
    }
}
