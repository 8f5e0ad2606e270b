//! A terminal's output as an SVG, so that the front page can show a run.

use std::fmt::Write as _;

const LINE: usize = 18;
/// The width of a character of 13 pixels, in tenths of a pixel.
const CHARACTER: usize = 79;

/// Draws what stands in a terminal, a command and its output, in the colours of a diff.
pub(super) fn of(run: &str) -> String {
    let lines = shortened(run);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (longest * CHARACTER / 10 + 40, lines.len() * LINE + 60);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"lspwright plans a rename\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <circle cx=\"20\" cy=\"18\" r=\"5\" fill=\"#ff5f57\"/><circle cx=\"38\" cy=\"18\" r=\"5\" fill=\"#febc2e\"/>\
         <circle cx=\"56\" cy=\"18\" r=\"5\" fill=\"#28c840\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"13\" \
         xml:space=\"preserve\">\n"
    );
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let colour = colour(line);
        let y = at * LINE + 52;
        // A fixed length keeps the columns where a font is wider or narrower.
        let length = line.chars().count() * CHARACTER / 10;
        writeln!(svg, "<text x=\"20\" y=\"{y}\" fill=\"{colour}\" textLength=\"{length}\">{}</text>", escaped(line))
            .unwrap();
    }
    svg + "</g>\n</svg>\n"
}

/// Leaves out the changes of all files but the first and the last, and says so.
fn shortened(run: &str) -> Vec<String> {
    let mut files = run.split("\n--- ");
    let remarks = files.next().unwrap_or_default();
    let files: Vec<String> = files.map(|file| format!("--- {file}")).collect();
    let mut lines: Vec<String> = remarks.lines().map(str::to_owned).collect();
    if let [first, others @ .., last] = files.as_slice() {
        lines.extend(first.lines().map(str::to_owned));
        lines.push(format!("… {} more files …", others.len()));
        lines.extend(last.trim_end().lines().map(str::to_owned));
    }
    lines
}

fn colour(line: &str) -> &'static str {
    match line {
        line if line.starts_with("$ ") => "#ffffff",
        line if line.starts_with("--- ") || line.starts_with("+++ ") => "#79c0ff",
        line if line.starts_with("@@") => "#8b949e",
        line if line.starts_with('+') => "#56d364",
        line if line.starts_with('-') => "#ff7b72",
        line if line.starts_with("possible-use") || line.starts_with("error") => "#e3b341",
        line if line.starts_with("plan ") => "#d2a8ff",
        _ => "#c9d1d9",
    }
}

fn escaped(line: &str) -> String {
    // A blank of its own: what does not keep white space keeps this.
    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(' ', "\u{a0}")
}
