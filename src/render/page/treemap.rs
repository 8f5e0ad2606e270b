//! Rectangles whose areas are given, in one that they fill: squarified, so that they are no thinner than they must be
//! (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000).

use crate::render::rect::Rect;

impl Rect {
    /// Returns a part along the shorter side that has this area, and what is left.
    fn cut(self, area: f64) -> (Self, Self) {
        if self.width >= self.height {
            let width = if self.height > 0.0 { area / self.height } else { 0.0 };
            (Self { width, ..self }, Self { x: self.x + width, width: (self.width - width).max(0.0), ..self })
        } else {
            let height = if self.width > 0.0 { area / self.width } else { 0.0 };
            (Self { height, ..self }, Self { y: self.y + height, height: (self.height - height).max(0.0), ..self })
        }
    }

    /// Divides it along its longer side by these areas, of which it is the sum.
    fn divided(self, areas: &[f64]) -> Vec<Self> {
        let whole: f64 = areas.iter().sum();
        let mut done = 0.0;
        let parts = areas.iter().map(|area| {
            let (from, share) = (done, if whole > 0.0 { area / whole } else { 0.0 });
            done += share;
            if self.width >= self.height {
                Self { x: self.x + self.width * from, width: self.width * share, ..self }
            } else {
                Self { y: self.y + self.height * from, height: self.height * share, ..self }
            }
        });
        parts.collect()
    }
}

/// Places a rectangle for each weight, none of which is negative, in `within`; the largest ones should come first.
pub(super) fn placed(weights: &[f64], within: Rect) -> Vec<Rect> {
    let whole: f64 = weights.iter().sum();
    let scale = if whole > 0.0 { within.width * within.height / whole } else { 0.0 };
    let areas: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
    let (mut rects, mut left, mut begin) = (Vec::new(), within, 0);
    while begin < areas.len() {
        let side = left.width.min(left.height);
        let mut end = begin + 1;
        while end < areas.len() && worst(&areas[begin..=end], side) <= worst(&areas[begin..end], side) {
            end += 1;
        }
        let (row, rest) = left.cut(areas[begin..end].iter().sum());
        rects.extend(row.divided(&areas[begin..end]));
        (left, begin) = (rest, end);
    }
    rects
}

/// Returns how thin the thinnest rectangle of a row along a side would be: 1 is a square.
fn worst(row: &[f64], side: f64) -> f64 {
    let sum: f64 = row.iter().sum();
    let thickness = sum / side;
    row.iter().map(|area| (thickness * thickness / area).max(area / (thickness * thickness))).fold(1.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::placed;
    use crate::render::rect::Rect;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn areas_are_as_asked_and_nothing_sticks_out(mut weights in prop::collection::vec(1.0..1000.0_f64, 1..60)) {
            weights.sort_by(|one, other| other.total_cmp(one));
            let within = Rect { x: 0.0, y: 0.0, width: 100.0, height: 40.0 };
            let rects = placed(&weights, within);
            let whole: f64 = weights.iter().sum();
            prop_assert_eq!(rects.len(), weights.len());
            for (rect, weight) in rects.iter().zip(&weights) {
                prop_assert!((rect.width * rect.height - weight / whole * 4_000.0).abs() < 0.01);
                prop_assert!(rect.x + rect.width < 100.01 && rect.y + rect.height < 40.01);
            }
            for (at, one) in rects.iter().enumerate() {
                for other in &rects[..at] {
                    let wide = (one.x + one.width).min(other.x + other.width) - one.x.max(other.x);
                    let high = (one.y + one.height).min(other.y + other.height) - one.y.max(other.y);
                    prop_assert!(wide < 0.001 || high < 0.001);
                }
            }
        }
    }
}
