//! Names of the project are no markup, and boxes do not lie on each other.

use super::{Arrow, Cluster, Graph, Node, dot, layout, mermaid, svg};
use proptest::prelude::*;

fn node(cluster: usize, number: usize) -> Node {
    Node { cluster, number }
}

fn cluster(name: &str, nodes: &[&str], is_outside: bool) -> Cluster {
    Cluster { name: name.to_owned(), nodes: nodes.iter().map(|it| (*it).to_owned()).collect(), is_outside }
}

fn small() -> Graph {
    Graph {
        clusters: vec![cluster("a.py", &["f", "Box.g"], false), cluster("<img onerror=x>", &["\"say\\\";]"], true)],
        arrows: vec![
            Arrow { from: node(0, 0), to: node(0, 1), label: None },
            Arrow { from: node(0, 1), to: node(1, 0), label: Some("package".to_owned()) },
        ],
        notes: vec!["not all\nof it".to_owned()],
    }
}

#[test]
fn names_are_no_markup_in_mermaid() {
    let expected = "%% not all of it\nflowchart LR\n  subgraph c0[\"a.py\"]\n    n0_0[\"f\"]\n    n0_1[\"Box.g\"]\n  end\n  \
        subgraph c1[\"#60;img onerror#61;x#62;\"]\n    n1_0[\"#34;say#92;#34;#59;#93;\"]\n  end\n  n0_0 --> n0_1\n  \
        n0_1 -. \"package\" .-> n1_0\n";
    assert_eq!(mermaid(&small()), expected);
}

#[test]
fn names_are_no_markup_in_dot() {
    let written = dot(&small());
    assert!(written.contains("    n1_0 [label=\"\\\"say\\\\\\\";]\"];\n"), "{written}");
    assert!(written.contains("  n0_1 -> n1_0 [style=dashed, label=\"package\"];\n"), "{written}");
    assert!(written.contains("    label=\"<img onerror=x>\";\n    style=dashed;\n"), "{written}");
}

#[test]
fn names_are_no_markup_in_a_picture() {
    let drawn = svg(&small());
    assert!(drawn.contains(">&lt;img onerror=x&gt;</text>") && !drawn.contains("<img"), "{drawn}");
    assert!(drawn.contains("<title>Box.g → &quot;say\\&quot;;] (package)</title>"), "{drawn}");
}

proptest! {
    /// Whatever calls what, in circles, too: every cluster has its box, and none lies on another.
    #[test]
    fn boxes_do_not_overlap(sizes in prop::collection::vec(1..30_usize, 1..25), lines in prop::collection::vec((0..25_usize, 0..25_usize), 0..80)) {
        let names = ["name"; 30];
        let clusters: Vec<Cluster> = sizes.iter().map(|size| cluster("c", &names[..*size], *size == 7)).collect();
        let count = clusters.len();
        let arrows = lines.iter().map(|(from, to)| Arrow { from: node(from % count, 0), to: node(to % count, 0), label: None });
        let graph = Graph { arrows: arrows.collect(), clusters, notes: Vec::new() };
        let (rects, (width, height)) = layout::boxes(&graph);
        for (at, one) in rects.iter().enumerate() {
            prop_assert!(one.x + one.width < width && one.y + one.height < height);
            for other in &rects[..at] {
                let apart = one.x + one.width < other.x || other.x + other.width < one.x
                    || one.y + one.height < other.y || other.y + other.height < one.y;
                prop_assert!(apart, "{one:?} {other:?}");
            }
        }
        prop_assert_eq!(svg(&graph).matches("<title>").count(), graph.arrows.len());
    }
}
