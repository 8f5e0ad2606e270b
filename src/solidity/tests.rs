//! What sources mean: overloads, overrides, imports, versions, broken and overlong texts.

use std::sync::Arc;

use super::{
    DefinitionKind, Directory, Imports, Limit, Model, Mutability, Project, Remapping, SourceId, Target, Visibility,
    check,
};

fn source(id: &str) -> SourceId {
    SourceId::new(id)
}

fn project(files: &[(&str, &str)]) -> Project {
    let files = files.iter().map(|(id, text)| (source(id), Arc::<str>::from(*text)));
    Project::new(files, Imports { remappings: Vec::new(), directories: vec![Directory::default()] })
}

/// The place of the `nth` whole word `word` in a file, from 0.
fn at(model: &Model, file: &str, word: &str, nth: usize) -> usize {
    let text = model.text(&source(file)).expect("the file is there");
    super::tokens(text).filter(|token| token.of(text) == word).nth(nth).expect("the word is there").span.start
}

/// Where the definitions stand that a word means: `file:line`, 1-based.
fn meant(model: &Model, file: &str, word: &str, nth: usize) -> Vec<String> {
    let ids = model.meant_at(&source(file), at(model, file, word, nth));
    ids.into_iter().map(|id| place(model, id)).collect()
}

fn place(model: &Model, id: super::DefinitionId) -> String {
    let one = model.definition(id);
    let text = model.text(&one.file).expect("definitions stand in files");
    format!("{}:{}", one.file, text[..one.name_span.start].matches('\n').count() + 1)
}

const TOKEN: &str = "pragma solidity ^0.8.20;
interface IToken {
    function send(address to, uint256 value) external;
}
abstract contract Base is IToken {
    uint256 public total;
    modifier only() virtual { _; }
    function send(address to, uint256 value) public virtual only { move_(to, value); }
    function move_(address to, uint256 value) internal { total += value; to; }
    function move_(address to) internal { move_({to: to, value: 1}); }
}
contract Token is Base {
    function send(address to, uint256 value) public override { super.send(to, value); move_(to); }
    function slot() external pure returns (uint256 s) { assembly { s := total.slot } }
}
";

#[test]
fn overloads_are_told_apart_and_named_arguments_lead_to_parameters() {
    let model = project(&[("a.sol", TOKEN)]).model();
    assert_eq!(meant(&model, "a.sol", "move_", 0), ["a.sol:9"]);
    assert_eq!(meant(&model, "a.sol", "move_", 3), ["a.sol:9"], "by named arguments");
    assert_eq!(meant(&model, "a.sol", "move_", 4), ["a.sol:10"], "by one argument");
    assert_eq!(meant(&model, "a.sol", "total", 2), ["a.sol:6"], "in assembly");
    let named = at(&model, "a.sol", "move_", 3) + "move_({".len();
    let to = model.meant_at(&source("a.sol"), named);
    assert_eq!(to.into_iter().map(|id| place(&model, id)).collect::<Vec<_>>(), ["a.sol:9"]);
}

#[test]
fn overrides_are_one_family_and_overloads_are_not() {
    let model = project(&[("a.sol", TOKEN)]).model();
    let id = model.meant_at(&source("a.sol"), at(&model, "a.sol", "send", 0))[0];
    let family: Vec<String> = model.family(id).into_iter().map(|id| place(&model, id)).collect();
    assert_eq!(family, ["a.sol:3", "a.sol:8", "a.sol:13"]);
    let id = model.meant_at(&source("a.sol"), at(&model, "a.sol", "move_", 0))[0];
    assert_eq!(model.family(id), [id]);
}

#[test]
fn declarations_carry_what_is_written_beside_them() {
    let model = project(&[("a.sol", TOKEN)]).model();
    let named = |name: &str| model.definitions().find(|(_, one)| one.name == name).map(|(_, one)| one.clone());
    let total = named("total").expect("declared");
    assert_eq!((total.kind, total.visibility), (DefinitionKind::StateVariable, Some(Visibility::Public)));
    assert_eq!(total.signature.as_deref(), Some("total()"));
    let slot = named("slot").expect("declared");
    assert_eq!((slot.visibility, slot.mutability), (Some(Visibility::External), Some(Mutability::Pure)));
    assert!(slot.body.expect("a body").of(TOKEN).is_some_and(|body| body.starts_with('{') && body.ends_with('}')));
    let send = model.definitions().filter(|(_, one)| one.name == "send").last().expect("declared").1;
    assert!(send.is_override && !send.is_virtual);
    assert_eq!(send.signature.as_deref(), Some("send(address,uint256)"));
    let token = model.definitions().find(|(_, one)| one.name == "Token").expect("declared").0;
    let bases: Vec<&str> = model.linearised(token).iter().map(|id| model.definition(*id).name.as_str()).collect();
    assert_eq!(bases, ["Token", "Base", "IToken"]);
}

#[test]
fn the_same_sources_give_the_same_references() {
    let text = "pragma solidity ^0.8.20;
type Price is uint256;
library Prices {
    function most() internal pure returns (Price) { return Price.wrap(type(uint256).max); }
    function least(int8[] memory all) internal pure returns (int8) { all; return type(int8).min; }
}";
    let (one, other) = (project(&[("a.sol", text)]).model(), project(&[("a.sol", text), ("b.sol", TOKEN)]).model());
    let file = source("a.sol");
    let targets = |model: &Model| model.references_of(&file).iter().map(|one| one.target.clone()).collect::<Vec<_>>();
    assert_eq!(targets(&one), targets(&other), "whatever else is bound");
}

#[test]
fn what_takes_arguments_says_their_types() {
    let text = "pragma solidity ^0.8.20;
interface IToken {}
struct Order { IToken token; uint amount; }
error Empty(Order, string why);
contract Shop {
    event Sold(address indexed who, Order order, uint[] amounts);
    modifier only(IToken token) { function (uint) external f; f; token; _; }
    constructor(IToken, bytes memory) { try this.run() returns (uint more) { more; } catch (bytes memory) {} }
    function run() external returns (uint) {}
}";
    let model = project(&[("a.sol", text)]).model();
    let takes = |name: &str, kind: DefinitionKind| {
        let found = model.definitions().find(|(_, one)| one.name == name && one.kind == kind);
        found.and_then(|(_, one)| one.signature.clone())
    };
    assert_eq!(takes("Sold", DefinitionKind::Event).as_deref(), Some("Sold(address,(address,uint256),uint256[])"));
    assert_eq!(takes("Empty", DefinitionKind::Error).as_deref(), Some("Empty((address,uint256),string)"));
    assert_eq!(takes("only", DefinitionKind::Modifier).as_deref(), Some("only(address)"));
    assert_eq!(takes("", DefinitionKind::Constructor).as_deref(), Some("(address,bytes)"));
}

#[test]
fn imports_are_followed_through_aliases_remappings_and_node_modules() {
    let files = [
        (
            "src/a.sol",
            "import {A as B} from './lib/x.sol';\nimport * as M from 'pkg/y.sol';\nimport '@z/z.sol';\ncontract C is B, M.Y, Z {}",
        ),
        ("src/lib/x.sol", "contract A {}"),
        ("node_modules/pkg/y.sol", "contract Y {}"),
        ("lib/z/src/z.sol", "contract Z {}"),
    ];
    let mut project = project(&files);
    let remapping = Remapping::parse("@z/=lib/z/src/").expect("a remapping");
    project.set_imports(Imports { remappings: vec![remapping], directories: vec![Directory::default()] });
    let model = project.model();
    assert_eq!(meant(&model, "src/a.sol", "B", 1), ["src/a.sol:1"], "the alias");
    assert_eq!(meant(&model, "src/a.sol", "Y", 0), ["node_modules/pkg/y.sol:1"]);
    assert_eq!(meant(&model, "src/a.sol", "Z", 0), ["lib/z/src/z.sol:1"]);
    assert!(model.files()[&source("src/a.sol")].imports.iter().all(|(_, target)| target.is_some()));
}

#[test]
fn each_source_is_read_in_its_own_version() {
    let files = [
        ("old.sol", "pragma solidity ^0.4.11;\ncontract Old { function Old() public { var x = 1; x++; } }"),
        ("new.sol", "pragma solidity ^0.8.0;\ncontract New { error E(); function f() public pure { revert E(); } }"),
    ];
    let model = project(&files).model();
    let version = |file: &str| model.files()[&source(file)].versions[0].to_string();
    assert!(version("old.sol").starts_with("0.4."));
    assert!(version("new.sol").starts_with("0.8."));
    assert!(model.files().values().all(|facts| facts.problems.is_empty() && facts.is_bound));
    let old = model.definitions().filter(|(_, one)| one.name == "Old").map(|(_, one)| one.kind).collect::<Vec<_>>();
    assert_eq!(old, [DefinitionKind::Contract, DefinitionKind::Constructor]);
}

#[test]
fn a_broken_source_takes_part_as_far_as_it_parses() {
    let text = "contract A { uint x; function f() public { x = ; } function g() public { x = 2; } }";
    let model = project(&[("a.sol", text)]).model();
    let facts = &model.files()[&source("a.sol")];
    assert!(!facts.problems.is_empty() && facts.is_bound);
    assert_eq!(meant(&model, "a.sol", "x", 2), ["a.sol:1"]);
    for end in (0..TOKEN.len()).step_by(17) {
        let half = project(&[("a.sol", &TOKEN[..end]), ("b.sol", "import './a.sol';")]).model();
        assert!(half.files().values().all(|facts| facts.is_bound), "cut at {end}");
    }
}

#[test]
fn a_change_is_taken_in_and_what_it_takes_away_is_gone() {
    let files = [
        ("a.sol", "contract A { function f() public {} }"),
        ("b.sol", "import './a.sol'; contract B is A { function g() public { f(); } }"),
    ];
    let mut project = project(&files);
    assert_eq!(meant(&project.model(), "b.sol", "f", 0), ["a.sol:1"]);
    for round in 0..60 {
        project.set(source("a.sol"), format!("// {round}\ncontract A {{ function f() public {{}} }}").into());
        assert_eq!(meant(&project.model(), "b.sol", "f", 0), ["a.sol:2"]);
    }
    project.remove(&source("a.sol"));
    let model = project.model();
    assert_eq!(
        model.reference_at(&source("b.sol"), at(&model, "b.sol", "f", 0)).map(|one| &one.target),
        Some(&Target::Unknown)
    );
}

#[test]
fn what_is_too_big_or_too_deep_is_refused_with_the_reason() {
    let deep = |open: &str, close: &str| {
        format!("contract A {{ uint x = {}1{}; }}", open.repeat(10_000), close.repeat(10_000))
    };
    assert!(matches!(check(&deep("(", ")")), Err(Limit::Depth { .. })));
    assert!(matches!(check(&deep("!", "")), Err(Limit::Run { .. })));
    assert!(matches!(check(&"x".repeat(50 << 20)), Err(Limit::Size { .. })));
    assert!(matches!(check("\0"), Err(Limit::Binary { at: 0 })));
    let model = project(&[("a.sol", &deep("[", "]"))]).model();
    assert!(model.files()[&source("a.sol")].problems[0].message.contains("deeper"));
}

#[test]
fn what_is_just_let_through_does_not_exhaust_the_stack() {
    let nested = |open: &str, close: &str, times: usize| {
        format!("contract A {{ function f() public {{ x = {}1{}; }} }}", open.repeat(times), close.repeat(times))
    };
    let statements =
        |piece: &str, times: usize| format!("contract A {{ function f() public {{ {} ; }} }}", piece.repeat(times));
    let texts = [
        nested("(", ")", 250),
        nested("f(", ")", 250),
        nested("-", "", 4000),
        nested("1+", "", 2000),
        nested("a.", "", 2000),
        nested("a?b:", "", 1000),
        statements("if (a) ", 250),
        statements("{", 240),
        statements("a = ", 2000),
    ];
    for text in texts {
        assert_eq!(check(&text), Ok(()));
        assert!(project(&[("a.sol", &text)]).model().files()[&source("a.sol")].is_bound);
    }
}

#[test]
fn cycles_of_imports_and_of_bases_end() {
    let files = [("a.sol", "import './b.sol'; contract A is B {}"), ("b.sol", "import './a.sol'; contract B is A {}")];
    assert_eq!(project(&files).model().files().len(), 2);
}
