//! The sources of one language version, parsed once each and bound together.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use semver::Version;
use slang_solidity::backend::SemanticAnalysis;
use slang_solidity::compilation::{CompilationUnit, InternalCompilationBuilder};
use slang_solidity::parser::Parser;
use slang_solidity::utils::LanguageFacts;

use crate::solidity::extract;
use crate::solidity::extract::UnitFacts;
use crate::solidity::loaded::Loaded;
use crate::solidity::model::Problem;
use crate::solidity::repair::{repair, without_broken};
use crate::solidity::shape::Shape;
use crate::solidity::source_id::SourceId;

/// A source as a unit reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) text: Arc<str>,
    /// The sources that its import paths, as they are written, lead to.
    pub(super) imports: BTreeMap<String, SourceId>,
}

/// The builder keeps every source that it was ever given: a changed one comes in under a new name, and its importers
/// are led there. What is out of date is bound along with the rest until there is too much of it.
pub(super) struct Unit {
    version: Version,
    builder: InternalCompilationBuilder,
    live: BTreeMap<SourceId, Loaded>,
    /// How many sources the builder holds that nobody wants any more.
    stale: usize,
    generation: usize,
    facts: Arc<UnitFacts>,
    /// Kept for what is asked beside the facts.
    analysed: Option<Rc<SemanticAnalysis>>,
}

/// The name of an empty source that stands for those that do not exist.
const NOTHING: &str = "";
/// More out of date than this, beside an eighth of what lives, and the unit is read anew.
const MOST_STALE: usize = 24;

impl Unit {
    pub(super) fn new(version: &Version) -> Self {
        Self {
            version: version.clone(),
            builder: new_builder(version),
            live: BTreeMap::new(),
            stale: 0,
            generation: 0,
            facts: Arc::default(),
            analysed: None,
        }
    }

    /// Takes in what changed and returns what the sources say now.
    pub(super) fn renew(&mut self, inputs: &BTreeMap<SourceId, Input>) -> Arc<UnitFacts> {
        let is_first = self.live.is_empty();
        self.take_in(inputs);
        // Texts of before are bound along until there are too many of them. Beside newer ones they need make no sense, and
        // be what the binder does not survive (seen with slang 1.3.7).
        if self.analysed.is_none() && !is_first {
            *self = Self::new(&self.version);
            self.take_in(inputs);
        }
        Arc::clone(&self.facts)
    }

    fn take_in(&mut self, inputs: &BTreeMap<SourceId, Input>) {
        if self.stale > MOST_STALE + self.live.len() / 8 {
            *self = Self::new(&self.version);
        }
        let gone: Vec<SourceId> = self.live.keys().filter(|source| !inputs.contains_key(source)).cloned().collect();
        for source in &gone {
            self.live.remove(source);
        }
        self.stale += gone.len();
        let is_new = |(source, input): &(&SourceId, &Input)| {
            self.live.get(source).is_none_or(|loaded| loaded.text != input.text)
        };
        let changed: Vec<(&SourceId, &Input)> = inputs.iter().filter(is_new).collect();
        self.read(&changed);
        let relinked = self.link(inputs);
        if gone.is_empty() && changed.is_empty() && !relinked && self.analysed.is_some() {
            return;
        }
        self.bind();
    }

    /// Parses sources, broken ones as far as they go.
    fn read(&mut self, changed: &[(&SourceId, &Input)]) {
        let mut broken = Vec::new();
        for (source, input) in changed {
            self.stale += usize::from(self.live.remove(source).is_some());
            self.load(source, &input.text, &input.text);
        }
        let unit = self.builder.build();
        for (source, input) in changed {
            let is_sound = self.live.get(source).and_then(|loaded| unit.file(&loaded.id));
            if is_sound.is_none_or(|file| !file.errors().is_empty()) {
                broken.push((*source, *input));
            }
        }
        for (source, input) in &broken {
            self.mend(source, &input.text);
        }
        let unit = if broken.is_empty() { unit } else { self.builder.build() };
        for (source, _) in changed {
            self.survey(source, &unit);
        }
    }

    fn load(&mut self, source: &SourceId, original: &Arc<str>, parsed: &str) {
        self.generation += 1;
        let id = format!("{source}\0{}", self.generation);
        let (builder, name) = (&mut self.builder, id.clone());
        let added = catch_unwind(AssertUnwindSafe(|| builder.add_file(name, parsed).import_paths));
        let paths = added.unwrap_or_default().into_iter().map(|cursor| (cursor, String::new())).collect();
        let loaded = Loaded { id, text: Arc::clone(original), paths, shape: Shape::default(), problems: Vec::new() };
        self.live.insert(source.clone(), loaded);
    }

    fn mend(&mut self, source: &SourceId, text: &Arc<str>) {
        let Ok(parser) = Parser::create(self.version.clone()) else { return };
        let mended = catch_unwind(AssertUnwindSafe(|| repair(&parser, text)));
        let (left, problems) = match mended {
            Ok(repaired) => (repaired.text.unwrap_or_else(|| text.to_string()), repaired.problems),
            Err(_) => without_its_members(&parser, text),
        };
        self.stale += 1;
        self.load(source, text, &left);
        if let Some(loaded) = self.live.get_mut(source) {
            loaded.problems = problems;
        }
    }

    fn survey(&mut self, source: &SourceId, unit: &CompilationUnit) {
        let Some(loaded) = self.live.get_mut(source) else { return };
        if let Some(file) = unit.file(&loaded.id) {
            loaded.shape = Shape::of(file.create_tree_cursor());
        }
    }

    /// Leads every import to the source that it names now; tells whether any was led elsewhere.
    fn link(&mut self, inputs: &BTreeMap<SourceId, Input>) -> bool {
        let ids: BTreeMap<SourceId, String> =
            self.live.iter().map(|(source, loaded)| (source.clone(), loaded.id.clone())).collect();
        let mut relinked = false;
        for (source, loaded) in &mut self.live {
            let Some(input) = inputs.get(source) else { continue };
            for (cursor, led_to) in &mut loaded.paths {
                let literal = cursor.node().unparse();
                let path = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
                let target = input.imports.get(path).and_then(|target| ids.get(target));
                let target = target.map_or(NOTHING, String::as_str);
                let is_first = led_to.is_empty() && target == NOTHING;
                if led_to != target || is_first {
                    relinked |= led_to != target;
                    *led_to = target.to_owned();
                    let _ = self.builder.resolve_import(&loaded.id, cursor, target.to_owned());
                }
            }
        }
        relinked
    }

    fn bind(&mut self) {
        let unit = self.builder.build();
        let bound = catch_unwind(AssertUnwindSafe(|| {
            let analysis = Rc::clone(unit.semantic_analysis());
            let facts = extract::facts(&self.version, &self.live, Some(&analysis));
            (analysis, facts)
        }));
        match bound {
            Ok((analysis, facts)) => {
                self.analysed = Some(analysis);
                self.facts = Arc::new(facts);
            }
            Err(_) => {
                self.analysed = None;
                self.facts = Arc::new(extract::facts(&self.version, &self.live, None));
            }
        }
    }
}

/// Reads a source that the parser does not survive without the members that are broken; at the worst nothing is left.
fn without_its_members(parser: &Parser, text: &str) -> (String, Vec<Problem>) {
    let cut = without_broken(text);
    let left = cut.text.unwrap_or_default();
    match catch_unwind(AssertUnwindSafe(|| repair(parser, &left))) {
        Ok(more) if !cut.problems.is_empty() => {
            let problems = cut.problems.into_iter().chain(more.problems).collect();
            (more.text.unwrap_or(left), problems)
        }
        _ => (String::new(), vec![Problem::of_whole("the parser gave up on this source")]),
    }
}

fn new_builder(version: &Version) -> InternalCompilationBuilder {
    let create = |version: &Version| InternalCompilationBuilder::create(version.clone());
    let mut builder = create(version)
        .or_else(|_| create(&LanguageFacts::LATEST_VERSION))
        .expect("the parser reads every version that it lists");
    builder.add_file(NOTHING.to_owned(), "");
    builder
}
