//! Add Parameter, in scripts.
//!
//! ```ts
//! price(count: number)             price(count: number, rate: number)
//! order.price(2);              →   order.price(2, 1);
//! ```

use globset::{Glob, GlobSet, GlobSetBuilder};

use super::code::{Code, function_at};
use super::signature::{Callee, Place, Places, appended, arguments, gathered, is_literal, is_rest, parameters};
use crate::plan::{Parts, Plan};
use crate::refactor::Refusal;
use crate::refactor::catalog::{Request, Run};
use crate::session::Session;
use crate::syntax::Tree;
use crate::text::TextEdit;

pub(in crate::refactor) const RUN: Run = |session, request| Box::pin(plan(session, request));

/// What is added.
struct Added<'r> {
    name: &'r str,
    of: Option<&'r str>,
    default: Option<&'r str>,
    value: Option<&'r str>,
    /// Files whose calls go on without it.
    left: GlobSet,
}

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let function = function_at(&code, &request.target)?;
    let params = &request.params;
    let added = Added {
        name: params.text("name"),
        of: params.given("param_type"),
        default: params.given("default"),
        value: params.given("value"),
        left: globs(params.list("except"))?,
    };
    added.check(&code)?;
    let callee = Callee::of(session, &code, function).await?;
    let Places { signatures, calls } = callee.places()?;
    let mut edits = Vec::new();
    for place in &signatures {
        edits.push((place.0, added.to_signature(*place)?));
    }
    let count = parameters((&code, function)).len();
    for (code, call) in &calls {
        let is_left = code.path.relative_to(session.root()).is_some_and(|path| added.left.is_match(path.as_str()));
        let Some(value) = added.value.filter(|_| !is_left) else { continue };
        let passed = arguments(*call);
        if passed.len() != count || passed.iter().any(|argument| argument.is("spread_element")) {
            return Err(code.refuse(call.start(), "the call does not pass exactly what the function takes"));
        }
        let list = call.child("arguments").expect("a call that was found has arguments");
        edits.push((*code, appended(code, list, value)));
    }
    let edits = gathered(edits);
    Ok(Plan::new(Parts { edits, warnings: callee.warnings.clone(), ..Parts::default() })?)
}

pub(in crate::refactor) fn globs(written: &[String]) -> Result<GlobSet, Refusal> {
    let bad = |error: globset::Error| Refusal::NotPossible(error.to_string());
    let mut set = GlobSetBuilder::new();
    for glob in written {
        set.add(Glob::new(glob).map_err(bad)?);
    }
    set.build().map_err(bad)
}

impl Added<'_> {
    fn check(&self, code: &Code) -> Result<(), Refusal> {
        let refuse = |reason: String| Err(Refusal::NotPossible(reason));
        if self.default.is_none() && self.value.is_none() {
            return refuse(
                "its callers have nothing to pass: give `default`, or the `value` that they shall pass".to_owned(),
            );
        }
        if !self.left.is_empty() && self.default.is_none() {
            return refuse("calls that are left alone need a `default`".to_owned());
        }
        for said in [self.default, self.value].into_iter().flatten() {
            let text = format!("({said});");
            let tree = Tree::parse(code.parsed().tree.language(), &text);
            let mut inside =
                tree.nodes().iter().filter(|node| node.parent().is_some_and(|it| it.is("parenthesized_expression")));
            let is_one = inside.find(|node| node.is_named()).is_some_and(is_literal);
            if !is_one || tree.error_count() > 0 {
                return refuse(format!("`{said}` is no literal: its names may mean something else elsewhere"));
            }
        }
        let is_typed = code.is_typed_script();
        match self.of {
            None if is_typed && self.default.is_none() => {
                refuse("without a `default` it needs a `param_type`".to_owned())
            }
            Some(_) if !is_typed => refuse("JavaScript has no types".to_owned()),
            _ => Ok(()),
        }
    }

    fn to_signature(&self, place: Place<'_>) -> Result<TextEdit, Refusal> {
        let (code, function) = place;
        let all = parameters(place);
        if let Some(rest) = all.iter().find(|parameter| is_rest(**parameter)) {
            return Err(code.refuse(rest.start(), "what follows in `...` would take the parameter's place"));
        }
        let is_open = |parameter: &&crate::syntax::Node<'_>| {
            parameter.is_any(&["optional_parameter", "assignment_pattern"]) || parameter.child("value").is_some()
        };
        if let Some(open) = all.iter().find(is_open).filter(|_| self.default.is_none()) {
            return Err(
                code.refuse(open.start(), "a parameter that may be left out stands before it: give a `default`")
            );
        }
        if code.mentions(function, self.name) {
            return Err(
                code.refuse(function.start(), format!("`{}` already means something in this function", self.name))
            );
        }
        let of = self.of.map(|of| format!(": {of}")).unwrap_or_default();
        let has_body = function.child("body").is_some();
        let written = match self.default {
            Some(default) if has_body => format!("{}{of} = {default}", self.name),
            Some(_) if self.of.is_none() => {
                return Err(code.refuse(function.start(), "a signature without a body needs the parameter's type"));
            }
            Some(_) => format!("{}?{of}", self.name),
            None => format!("{}{of}", self.name),
        };
        let list = function.child("parameters").expect("a signature has parameters");
        Ok(appended(code, list, &written))
    }
}
