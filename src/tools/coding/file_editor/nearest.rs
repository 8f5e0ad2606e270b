//! The lines of a file that are most like a text that does not stand in it.

use std::collections::BTreeMap;

/// Lines that are like the wanted ones, 0-based.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Near {
    first: usize,
    count: usize,
    differs: Differs,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Differs {
    InWhiteSpace,
    InWords,
}

/// How many are told of.
const MOST: usize = 2;
/// What is less like it, of a thousand, is no help.
const LEAST: usize = 500;
/// Larger files are not compared, line by line.
const MOST_LINES: usize = 50_000;
/// How much of the lines is shown.
const SHOWN: usize = 400;

impl Near {
    /// Says where they stand, and what they are.
    pub(super) fn told(&self, text: &str) -> String {
        let lines: Vec<&str> = text.lines().skip(self.first).take(self.count).collect();
        let joined = lines.join("\\n");
        let end = joined.floor_char_boundary(SHOWN);
        let shown = if end < joined.len() { format!("{}…", &joined[..end]) } else { joined };
        let (first, last) = (self.first + 1, self.first + self.count);
        let place = if first == last { format!("line {first}") } else { format!("lines {first} to {last}") };
        match self.differs {
            Differs::InWhiteSpace => format!("{place} differ only in white space: `{shown}`"),
            Differs::InWords => format!("the nearest: {place}: `{shown}`"),
        }
    }
}

/// Finds the lines that are most like `wanted`, the likeliest first.
pub(super) fn nearest(text: &str, wanted: &str) -> Vec<Near> {
    let lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
    let wanted: Vec<&str> = wanted.lines().skip_while(|line| line.trim().is_empty()).collect();
    let Some(anchor) = (0..wanted.len()).max_by_key(|at| wanted[*at].trim().len()) else { return Vec::new() };
    let of_anchor = pairs(wanted[anchor]);
    let mut found: Vec<(Differs, usize, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(first) = at.checked_sub(anchor) else { continue };
        let likeness = alike(&of_anchor, &pairs(line));
        if likeness < LEAST {
            continue;
        }
        let stretch = &lines[first..lines.len().min(first + wanted.len())];
        let is_same =
            stretch.len() == wanted.len() && stretch.iter().zip(&wanted).all(|(one, other)| words(one) == words(other));
        let differs = if is_same { Differs::InWhiteSpace } else { Differs::InWords };
        found.push((differs, 1000 - likeness, first));
    }
    found.sort_unstable();
    let near = found.into_iter().take(MOST);
    near.map(|(differs, _, first)| Near { first, count: wanted.len().min(lines.len() - first), differs }).collect()
}

fn words(line: &str) -> String {
    line.split_whitespace().collect()
}

/// Counts the pairs of neighbouring characters, white space left out.
fn pairs(line: &str) -> BTreeMap<(char, char), usize> {
    let line = words(line);
    let mut counts = BTreeMap::new();
    for pair in line.chars().zip(line.chars().skip(1)) {
        *counts.entry(pair).or_default() += 1;
    }
    counts
}

/// Returns how alike two lines are, of a thousand (Dice's coefficient).
fn alike(one: &BTreeMap<(char, char), usize>, other: &BTreeMap<(char, char), usize>) -> usize {
    let total: usize = one.values().chain(other.values()).sum();
    let shared: usize = one.iter().map(|(pair, count)| other.get(pair).map_or(0, |theirs| *count.min(theirs))).sum();
    (2000 * shared).checked_div(total).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_likeliest_lines_are_told() {
        let text = "def total(self):\n    return self.price * self.count\n\ndef land(self):\n    return self.country\n";
        let told = |wanted: &str| nearest(text, wanted).iter().map(|near| near.told(text)).collect::<Vec<_>>();
        assert_eq!(
            told("  return self.price*self.count")[0],
            "line 2 differ only in white space: `    return self.price * self.count`"
        );
        assert_eq!(
            told("def totals(self):\n    return self.prices * self.count")[0],
            "the nearest: lines 1 to 2: `def total(self):\\n    return self.price * self.count`"
        );
        assert_eq!(told("something else altogether"), [""; 0]);
        assert_eq!(told("\n\n"), [""; 0]);
    }
}
