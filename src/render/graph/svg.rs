//! A graph as a picture: one file, light or dark as who looks at it prefers.

use super::layout::{HEAD, ROW, boxes};
use super::{Arrow, Graph, Node};
use crate::render::markup::{escaped, put};
use crate::render::rect::Rect;

const STYLE: &str = "\
    text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; }\n\
    .name { font-weight: bold; } .note { fill: #57606a; }\n\
    rect { fill: #f6f8fa; stroke: #afb8c1; } .outside rect { fill: none; stroke-dasharray: 4 3; }\n\
    path { fill: none; stroke: #0969da; stroke-opacity: .55; } path:hover { stroke-width: 3; stroke-opacity: 1; }\n\
    .dashed { stroke: #9a6700; stroke-dasharray: 5 3; } marker path { fill: #57606a; stroke: none; }\n\
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .note { fill: #8d96a0; }\n\
    rect { fill: #161b22; stroke: #3d444d; } path { stroke: #4493f8; } .dashed { stroke: #d29922; }\n\
    marker path { fill: #8d96a0; } svg { background: #0d1117; } }\n";

/// Draws the picture.
pub fn svg(graph: &Graph) -> String {
    let (rects, (width, bottom)) = boxes(graph);
    let notes = f64::from(u32::try_from(graph.notes.len()).unwrap_or(u32::MAX));
    let height = bottom + ROW * (notes + 1.0);
    let mut out = String::new();
    put(
        &mut out,
        &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>\n{STYLE}</style>\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n"
        ),
    );
    // Boxes stand before what only passes them.
    for arrow in &graph.arrows {
        put(&mut out, &drawn(graph, &rects, arrow));
    }
    for (cluster, rect) in graph.clusters.iter().zip(&rects) {
        let Rect { x, y, width, height } = rect;
        let class = if cluster.is_outside { " class=\"outside\"" } else { "" };
        put(
            &mut out,
            &format!(
                "<g{class}><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"5\"/>\n"
            ),
        );
        let mut line = |class: &str, y: f64, text: &str| {
            put(&mut out, &format!("<text{class} x=\"{:.1}\" y=\"{y:.1}\">{}</text>\n", x + 12.0, escaped(text)));
        };
        line(" class=\"name\"", y + 19.0, &cluster.name);
        (0_u32..).zip(&cluster.nodes).for_each(|(row, name)| line("", y + HEAD + ROW * f64::from(row) + 14.0, name));
        put(&mut out, "</g>\n");
    }
    for (row, note) in (0_u32..).zip(&graph.notes) {
        let y = bottom + ROW * (f64::from(row) + 0.5);
        put(&mut out, &format!("<text class=\"note\" x=\"12\" y=\"{y:.1}\">{}</text>\n", escaped(note)));
    }
    put(&mut out, "</svg>\n");
    out
}

/// Draws an arrow from the side of its caller's row that looks to the other box.
fn drawn(graph: &Graph, rects: &[Rect], arrow: &Arrow) -> String {
    let row = |node: Node| {
        let rect = rects[node.cluster];
        let number = u32::try_from(node.number).unwrap_or(u32::MAX);
        (rect.x, rect.x + rect.width, rect.y + HEAD + ROW * (f64::from(number) + 0.5))
    };
    let ((left, right, y), (to_left, to_right, to_y)) = (row(arrow.from), row(arrow.to));
    let (from, to, bend, back) = if to_left > right {
        (right, to_left, ((to_left - right) / 2.0).max(30.0), -1.0)
    } else if to_right < left {
        (left, to_right, -((left - to_right) / 2.0).max(30.0), -1.0)
    } else {
        // Both stand in one column: round the right side.
        (right, to_right, 24.0 + ((to_y - y).abs() / 8.0).min(40.0), 1.0)
    };
    let curve =
        format!("M{from:.1} {y:.1}C{:.1} {y:.1} {:.1} {to_y:.1} {to:.1} {to_y:.1}", from + bend, to + bend * back);
    let (class, kind) = match &arrow.label {
        Some(label) => (" class=\"dashed\"", format!(" ({label})")),
        None => ("", String::new()),
    };
    let title = format!("{} → {}{kind}", graph.name(arrow.from), graph.name(arrow.to));
    format!("<path{class} d=\"{curve}\" marker-end=\"url(#tip)\"><title>{}</title></path>\n", escaped(&title))
}
