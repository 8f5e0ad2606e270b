//! The rows of an answer, by language.

use super::*;
use crate::inspect::outline::tests::SAMPLES;
use crate::render::write_toon;
use crate::syntax::{Language, Tree};
use crate::text::AbsPath;

/// Answers for one of the samples, in a project of its own.
fn answered(sample: &str, depth: Depth) -> String {
    let dir = tempfile::tempdir().unwrap();
    let (_, file, text) = SAMPLES.iter().find(|(_, file, _)| *file == sample).unwrap();
    std::fs::write(dir.path().join(file), text).unwrap();
    let disk = Disk::open(&AbsPath::new(dir.path()).unwrap()).unwrap();
    write_toon(&structure(&disk, file, depth, &Watch::default()).unwrap())
}

#[test]
fn python_s_classes_nest_and_its_functions_stand_alone() {
    let expected = r#"structure:
  path: shop.py
  language: python
  files: 1
  lines: 39
  classes: 3
  functions: 1
classes[3]{name,line,methods,fields}:
  "shop.py::Kind",6,0,2
  "shop.py::Order",11,3,3
  "shop.py::Order::Line",14,1,0
methods[5]{class,name,line,params,lines}:
  Order.Line,"shop.py::Order::Line::price",15,1,2
  Order,"shop.py::Order::__init__",18,1,3
  Order,"shop.py::Order::size#L22-L26",23,0,4
  Order,"shop.py::Order::size#L28-L35",29,1,7
  null,"shop.py::load",38,1,2
"#;
    assert_eq!(answered("shop.py", Depth::Method), expected);
}

#[test]
fn every_language_has_its_classes() {
    let classes = |sample: &str| {
        let all = answered(sample, Depth::Class);
        let rows = all.lines().skip_while(|line| !line.starts_with("classes[")).skip(1);
        rows.map(|row| row.trim().replace('"', "")).collect::<Vec<_>>()
    };
    let typescript = ["shop.ts#Priced,1,1,1", "shop.ts#Kind,2,0,2", "shop.ts#Order,3,6,5", "shop.ts#Inner.Deep,13,1,0"];
    assert_eq!(classes("shop.ts"), typescript);
    let rust = [
        "shop.rs::Priced,2,2,0",
        "shop.rs::Order,3,3,2",
        "shop.rs::Pair,4,0,0",
        "shop.rs::Kind,5,0,2",
        "shop.rs:11:26,11,2,0",
        "shop.rs::inner::Deep,13,1,0",
    ];
    assert_eq!(classes("shop.rs"), rust);
    assert_eq!(classes("shop.go"), ["shop.go:Priced,3,2,0", "shop.go:Order,4,1,2", "shop.go:Rank,6,1,0"]);
    let java = [
        "Shop.java:Priced,2,1,0",
        "Shop.java:Kind,3,1,2",
        "Shop.java:Point,4,1,0",
        "Shop.java:Order,5,3,3",
        "Shop.java:Order.Inner,8,1,0",
    ];
    assert_eq!(classes("Shop.java"), java);
    let solidity = [
        "Vault.sol:IVault,2,1,0",
        "Vault.sol:Math,3,1,0",
        "Vault.sol:Vault,4,5,2",
        "Vault.sol:Vault.Position,5,0,2",
        "Vault.sol:Vault.State,6,0,2",
    ];
    assert_eq!(classes("Vault.sol"), solidity);
}

#[test]
fn of_many_the_largest_come_first() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..150 {
        std::fs::write(dir.path().join(format!("m{number:03}.py")), "x = 1\n".repeat(number + 1)).unwrap();
    }
    std::fs::write(dir.path().join(".gitignore"), "ignored.py\n").unwrap();
    std::fs::write(dir.path().join("ignored.py"), "class A: pass\n").unwrap();
    std::fs::write(dir.path().join("latin.py"), b"x = '\xe9'\n").unwrap();
    let disk = Disk::open(&AbsPath::new(dir.path()).unwrap()).unwrap();
    let answer = structure(&disk, ".", Depth::Class, &Watch::default()).unwrap();
    assert_eq!((answer.structure.files, answer.structure.lines, answer.structure.classes), (150, 11_325, 0));
    let files = answer.files.unwrap();
    assert_eq!((files.len(), files[0].path.as_str(), files[149].lines), (150, "m149.py", 1));
    assert_eq!(answer.left_out[0].path, "latin.py");
    assert!(answer.left_out[0].reason.contains("`latin.py` is not valid UTF-8 at byte 5"), "{:?}", answer.left_out);
}

#[test]
fn python_s_receiver_is_what_a_method_takes_first() {
    let counted = |method: &str| {
        let text = format!("class A:\n    if True:\n{method}        pass\n");
        let tree = Tree::parse(Language::Python, &text);
        count(&outline(&tree, &text).functions[0], Family::Python)
    };
    assert_eq!(counted("      def f(self, a, *rest, b=1):\n"), 2);
    assert_eq!(counted("      @classmethod\n      def f(this_class, a):\n"), 1);
    assert_eq!(counted("      @staticmethod\n      def f(self, a):\n"), 2);
    assert_eq!(counted("      def f(*rest, a):\n"), 1);
}
