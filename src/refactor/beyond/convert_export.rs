//! A default export gets a name, or a named one becomes the default; whoever imports it asks for it in the other way.
//!
//! ```ts
//! // stock.ts                             // stock.ts
//! const stock = new Map();                export const stock = new Map();
//! export default stock;               →
//! // main.ts                              // main.ts
//! import goods from "./stock";            import { stock as goods } from "./stock";
//! ```

mod exported;
mod importers;
mod published;
mod run_time;
mod turn;

use std::collections::BTreeSet;

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::statements::with_links;
use crate::refactor::analysis::references::{UseKind, Uses};
use crate::refactor::doubts::doubt;
use crate::refactor::moves::links::Links;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Run};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language};
use crate::text::{AbsPath, Span};
use exported::Exported;
use importers::Importer;
use turn::Asked;

pub(crate) const RUN: Run = |session, request| Box::pin(plan(session, request));

async fn plan(session: &Session, request: &Request) -> Result<Plan, Refusal> {
    let code = Code::of(session, request)?;
    let exported = Exported::find(&code, &request.target)?;
    exported.check()?;
    session.may_ask()?;
    let known = match exported.declared() {
        Some(name) => Some(Uses::of(session, &code, name.start()).await?),
        None => None,
    };
    let mut edits = Edits::default();
    with_links(session, Family::Script, &code.path, |links| {
        let name = match (request.params.given("name"), exported.name) {
            (Some(given), Some(own)) if given != own => return Err(named_already(&code, own)),
            (Some(given), None) => given.to_owned(),
            (_, Some(own)) => own.to_owned(),
            (None, None) => called(session, links, &code)?,
        };
        let asked = Asked { home: &code, name: &name, turn: exported.turn };
        edits.add(&code, exported.turned(&name)?);
        edits.warn(published::told(session, &asked));
        let mut led: BTreeSet<(AbsPath, Span)> = BTreeSet::new();
        each(users(session, &code, &name).into_iter().map(|path| {
            let user = Code::saying(session, &path, &[&name, "default"])?;
            let importer = Importer { asked: &asked, links, user: &user, all: links.of(&user) };
            let (changed, warnings, places) = importer.lead()?;
            edits.warn(warnings);
            if !changed.is_empty() {
                edits.add(&user, changed);
            }
            led.extend(places.into_iter().map(|span| (path.clone(), span)));
            Ok::<_, Refusal>(())
        }))?;
        match &known {
            Some(uses) => check_led(links, uses, &led, &mut edits),
            None => Ok(()),
        }
    })?;
    edits.plan()
}

/// Doubts an import that a server knows of, and of which it is not known where it leads.
fn check_led(
    links: &dyn Links,
    uses: &Uses,
    led: &BTreeSet<(AbsPath, Span)>,
    edits: &mut Edits,
) -> Result<(), Refusal> {
    for (user, one) in uses.iter().filter(|(_, one)| matches!(one.kind, UseKind::Import | UseKind::Export)) {
        let is_led = led.iter().any(|(path, outer)| *path == user.path && outer.contains(one.span));
        let own = || links.of(user).into_iter().find(|link| link.item.contains(one.span));
        // What is taken from another module of the project is handed on there.
        if !is_led && own().is_some_and(|link| link.module.is_none()) {
            edits.warn([doubt(user, one.span, format!("how `{}` comes here is not known", uses.name))?]);
        }
    }
    Ok(())
}

fn named_already(code: &Code, own: &str) -> Refusal {
    let reason = format!("it has a name, `{own}`: leave `name` out, or `rename` it first");
    Refusal::NotPossible(format!("{}: {reason}", code.shown))
}

/// Returns the files that may take something from the module.
fn users(session: &Session, code: &Code, name: &str) -> BTreeSet<AbsPath> {
    let disk = session.disk();
    let stem = code.path.file_stem();
    let folder = code.path.parent().map(|it| it.file_name().to_owned()).unwrap_or_default();
    let words = [name, if stem == "index" { &folder } else { stem }];
    let mut all: BTreeSet<AbsPath> = words.into_iter().flat_map(|word| disk.files_mentioning(word)).collect();
    if stem == "index" {
        // `import x from "."`
        let is_near = |path: &AbsPath| code.path.parent().is_some_and(|folder| path.is_below(&folder));
        all.extend(disk.files().iter().map(|entry| &entry.path).filter(|path| is_near(path)).cloned());
    }
    all.retain(|path| *path != code.path && Language::of_path(path).map(Language::family) == Some(Family::Script));
    all
}

/// Returns what importers call the default of a module, where all agree.
fn called(session: &Session, links: &dyn Links, code: &Code) -> Result<String, Refusal> {
    use crate::refactor::moves::links::LinkedName;
    let mut said = BTreeSet::new();
    for path in users(session, code, code.path.file_stem()) {
        let user = Code::known(session, &path)?;
        let own = links.of(&user).into_iter();
        let own = own.filter(|link| link.module.as_ref() == Some(&code.path) && link.taken == LinkedName::Default);
        said.extend(own.filter_map(|link| link.local?.of(user.text()).map(str::to_owned)));
    }
    let mut said = said.into_iter();
    match (said.next(), said.next()) {
        (Some(only), None) if !code.mentions(code.root(), &only) => Ok(only),
        _ => Err(Refusal::Missing {
            param: "name",
            reason: "the default has no name, and its importers give it none that is free: give `name`".to_owned(),
        }),
    }
}
