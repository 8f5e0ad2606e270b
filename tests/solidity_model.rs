//! What contracts mean stays known while their sources change.

use std::sync::Arc;

use lspwright::solidity::{Directory, Imports, Model, Project, SourceId};

const BASE: &str = "pragma solidity ^0.8.20;\ninterface IBase { enum Kind { One, Two } }\n";
const HEIR: &str = "pragma solidity ^0.8.20;\nimport \"./IBase.sol\";\ncontract Heir is IBase {}\n";
const USER: &str = "pragma solidity ^0.8.20;\nimport \"./IBase.sol\";\nimport \"./Heir.sol\";\n\
    contract User { function kind() external pure returns (IBase.Kind) { return IBase.Kind.One; } }\n";

fn problems(model: &Model) -> Vec<String> {
    let all = model.files().iter().flat_map(|(file, facts)| facts.problems.iter().map(move |one| (file, one)));
    all.map(|(file, problem)| format!("{file}: {}", problem.message)).collect()
}

/// A text of before sees one declaration twice, in a text of before and in a newer one.
#[test]
fn a_change_is_bound_whatever_the_texts_of_before_come_to_mean() {
    let files = [("IBase.sol", BASE), ("Heir.sol", HEIR), ("User.sol", USER)];
    let files = files.map(|(name, text)| (SourceId::new(name), Arc::<str>::from(text)));
    let mut project = Project::new(files, Imports { remappings: Vec::new(), directories: vec![Directory::default()] });
    let uses = project.model().references().len();
    for (name, text) in
        [("User.sol", USER), ("IBase.sol", BASE), ("User.sol", USER), ("Heir.sol", HEIR), ("IBase.sol", BASE)]
    {
        project.set(SourceId::new(name), format!("{text}// changed\n").into());
        let model = project.model();
        assert_eq!(problems(&model), Vec::<String>::new(), "after a change of {name}");
        project.set(SourceId::new(name), text.into());
        let model = project.model();
        assert_eq!(
            (problems(&model), model.references().len()),
            (Vec::new(), uses),
            "after a change of {name} and back"
        );
    }
}
