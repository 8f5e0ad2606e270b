//! Where the boxes of a graph stand: in columns from left to right, callers before what they call.
//!
//! Our own, because the library that was tried for it (`rust-sugiyama` 0.4) did not come to an end on small random graphs
//! with circles.

use std::collections::{BTreeMap, BTreeSet};

use super::Graph;
use crate::render::rect::Rect;

pub(super) const ROW: f64 = 20.0;
pub(super) const HEAD: f64 = 28.0;
const LETTER: f64 = 7.3;
const PADDING: f64 = 12.0;
const BESIDE: f64 = 90.0;
const BELOW: f64 = 22.0;
/// A column that is higher goes on in the next one.
const HIGHEST: f64 = 2_400.0;
/// How often the boxes of the columns are put in another order.
const SWEEPS: usize = 4;

/// Returns a box for each cluster, and how large the picture is, in pixels.
pub(super) fn boxes(graph: &Graph) -> (Vec<Rect>, (f64, f64)) {
    let mut rects: Vec<Rect> = graph.clusters.iter().map(|it| size(&it.name, &it.nodes)).collect();
    let (mut x, mut bottom) = (PADDING, 0.0_f64);
    for column in columns(graph) {
        let (mut y, mut widest) = (PADDING, 0.0_f64);
        for cluster in column {
            if y > PADDING && y + rects[cluster].height > HIGHEST {
                x += widest + BESIDE;
                (y, widest) = (PADDING, 0.0);
            }
            (rects[cluster].x, rects[cluster].y) = (x, y);
            widest = widest.max(rects[cluster].width);
            y += rects[cluster].height + BELOW;
            bottom = bottom.max(y);
        }
        x += widest + BESIDE;
    }
    (rects, (x - BESIDE + PADDING + ROW * 2.0, bottom))
}

fn size(name: &str, nodes: &[String]) -> Rect {
    let letters = nodes.iter().map(|it| it.chars().count()).chain([name.chars().count() + 1]).max().unwrap_or(0);
    let count = |it: usize| f64::from(u32::try_from(it).unwrap_or(u32::MAX));
    let width = count(letters) * LETTER + 2.0 * PADDING;
    Rect { x: 0.0, y: 0.0, width, height: HEAD + count(nodes.len()) * ROW + PADDING / 2.0 }
}

/// Returns the clusters by columns; those of a column stand near to what they are connected with.
fn columns(graph: &Graph) -> Vec<Vec<usize>> {
    let lines: BTreeSet<(usize, usize)> =
        graph.arrows.iter().map(|it| (it.from.cluster, it.to.cluster)).filter(|(from, to)| from != to).collect();
    let ranks = ranks(graph, &lines);
    let mut columns: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (cluster, rank) in ranks.into_iter().enumerate() {
        columns.entry(rank).or_default().push(cluster);
    }
    let mut columns: Vec<Vec<usize>> = columns.into_values().collect();
    for _ in 0..SWEEPS {
        settle(&mut columns, &lines);
    }
    columns
}

/// Orders every column by where the neighbours of its boxes stand on average.
fn settle(columns: &mut [Vec<usize>], lines: &BTreeSet<(usize, usize)>) {
    for at in 0..columns.len() {
        let stands: BTreeMap<usize, f64> =
            columns.iter().flat_map(|column| (0_u32..).zip(column)).map(|(row, it)| (*it, f64::from(row))).collect();
        let wants = |cluster: usize| {
            let near = lines.iter().filter_map(|(from, to)| match cluster {
                _ if *from == cluster => Some(stands[to]),
                _ if *to == cluster => Some(stands[from]),
                _ => None,
            });
            let (sum, count) = near.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
            if count > 0.0 { sum / count } else { stands[&cluster] }
        };
        columns[at].sort_by(|one, other| wants(*one).total_cmp(&wants(*other)));
    }
}

/// Returns each cluster's column: one behind the last of those that lead to it, but for the arrows that close a circle.
/// What lies outside stands last.
fn ranks(graph: &Graph, lines: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    let mut leads: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in lines {
        leads.entry(*from).or_default().push(*to);
    }
    // Depth first: what is left last comes first, and an arrow to what is still open closes a circle.
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    for start in 0..graph.clusters.len() {
        let mut open = Vec::from_iter(seen.insert(start).then_some((start, 0)));
        while let Some((cluster, next)) = open.pop() {
            let Some(to) = leads.get(&cluster).and_then(|it| it.get(next)) else {
                order.push(cluster);
                continue;
            };
            open.push((cluster, next + 1));
            if seen.insert(*to) {
                open.push((*to, 0));
            }
        }
    }
    order.reverse();
    let mut place = vec![0; order.len()];
    for (at, cluster) in order.iter().enumerate() {
        place[*cluster] = at;
    }
    let mut ranks = vec![0; order.len()];
    for cluster in &order {
        for to in leads.get(cluster).into_iter().flatten().filter(|to| place[**to] > place[*cluster]) {
            ranks[*to] = ranks[*to].max(ranks[*cluster] + 1);
        }
    }
    let last = ranks.iter().copied().max().unwrap_or(0);
    let is_last = |it: &usize| graph.clusters[*it].is_outside;
    for outside in (0..ranks.len()).filter(is_last) {
        ranks[outside] = last + 1;
    }
    ranks
}
