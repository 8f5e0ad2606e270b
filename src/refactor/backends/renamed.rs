//! A rename of whatever stands at a place: a name, or a module, whose file moves then.

use crate::plan::Plan;
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::statements::with_links;
use crate::refactor::moves::links::{Link, LinkedName};
use crate::refactor::moves::{Documents, plan_move};
use crate::refactor::rename::{self, RenameRequest};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, check_name};
use crate::text::{AbsPath, Span};

/// Plans a rename. What an import names as a module is renamed by moving its file, or the directory of a package.
///
/// # Errors
/// Every reason for which there is no complete and right plan.
pub async fn renamed(session: &Session, request: &RenameRequest) -> Result<Plan, Refusal> {
    match rename::plan(session, request).await {
        Err(why @ (Refusal::ModuleName { .. } | Refusal::ServerRefused { .. })) => match moved(session, request)? {
            Some((from, to)) => plan_move(session, (&from, &to), Documents::edited_if(request.prose.docs)).await,
            None => Err(why),
        },
        planned => planned,
    }
}

/// A part of a module's name.
struct Part<'c> {
    module: AbsPath,
    name: &'c str,
    /// How many parts follow it.
    above: usize,
}

/// Returns the file or the directory that a part of a module's name stands for, and where it comes to lie.
fn moved(session: &Session, request: &RenameRequest) -> Result<Option<(AbsPath, AbsPath)>, Refusal> {
    let (place, new_name) = (&request.place, request.new_name.as_str());
    let code = Code::read(session, &place.path)?;
    let family = code.family();
    if !matches!(family, Family::Python | Family::Script) {
        return Ok(None);
    }
    let links = with_links(session, family, &place.path, |links| Ok(links.of(&code)))?;
    let part = match part_of_source(&code, &links, place.offset)? {
        None if family == Family::Python => part_of_use(&code, &links, place.offset),
        part => part,
    };
    let found = part.and_then(|part| unit(&part.module, part.above, part.name));
    let Some((unit, rest)) = found else { return Ok(None) };
    if family == Family::Python {
        check_name(Language::Python, new_name).map_err(|why| Refusal::BadName(why.to_string()))?;
    }
    let is_path = new_name.contains(['/', '\\']) || new_name.trim_matches('.').is_empty();
    let name = if new_name.ends_with(&rest) { new_name.to_owned() } else { format!("{new_name}{rest}") };
    match unit.parent().map(|above| above.join(&name)) {
        Some(Ok(to)) if !is_path => Ok(Some((unit, to))),
        _ => Err(Refusal::BadName(format!("`{new_name}` cannot be the name of a module"))),
    }
}

/// Returns the part at an offset of what an import names as the module.
fn part_of_source<'c>(code: &'c Code, links: &[Link], offset: usize) -> Result<Option<Part<'c>>, Refusal> {
    let is_here = |link: &&Link| (link.source.start..=link.source.end).contains(&offset);
    let Some(link) = links.iter().find(is_here) else { return Ok(None) };
    let source = link.source.of(code.text()).unwrap_or_default();
    let Some(module) = link.module.clone() else {
        return Err(Refusal::NotPossible(format!("`{source}` lies nowhere in the project")));
    };
    let parting = if code.family() == Family::Python { '.' } else { '/' };
    let (before, behind) = source.split_at(offset - link.source.start);
    let begins = before.rfind(parting).map_or(0, |at| at + 1);
    let ends = behind.find(parting).map_or(source.len(), |at| before.len() + at);
    Ok(Some(Part { module, name: &source[begins..ends], above: behind.matches(parting).count() }))
}

/// Returns the part of a module's name that a name in code, or an item of an import, is: `mod` in `pkg.mod.x`.
fn part_of_use<'c>(code: &'c Code, links: &[Link], offset: usize) -> Option<Part<'c>> {
    let text = code.text();
    let span = code.parsed().tree.identifier_at(text, offset)?;
    let node = code.covering(span);
    let member = node.parent().filter(|it| it.is("attribute") && it.end() == node.end());
    let root = std::iter::successors(Some(member.unwrap_or(node)), |it| it.child("object")).last()?;
    let names = ScopedNames::of(code);
    let bindings: Vec<Span> = names.writes(names.at(root)?.meaning).map(|write| write.span).collect();
    let chain = &text[root.start()..node.end()];
    links.iter().find_map(|link| {
        let is_bound = link.local.is_some_and(|local| bindings.contains(&local));
        let is_plain = !link.item.of(text).unwrap_or_default().contains(" as ");
        let module = link.module.clone().filter(|_| is_bound && is_plain && link.taken == LinkedName::Module)?;
        let rest = match link.source.of(text)?.strip_prefix(chain) {
            Some(rest) if rest.is_empty() || rest.starts_with('.') => rest,
            _ if link.local.and_then(|local| local.of(text)) == Some(chain) => "",
            _ => return None,
        };
        Some(Part { module, name: span.of(text)?, above: rest.matches('.').count() })
    })
}

/// Returns what a part of a module's name stands for, so many parts above the last one, and what follows the part in its
/// file's name. None where the file is found by another name.
fn unit(module: &AbsPath, above: usize, part: &str) -> Option<(AbsPath, String)> {
    let is_of_directory = matches!(module.file_stem(), "__init__" | "index") && !part.starts_with("index");
    let up = above + usize::from(is_of_directory);
    let unit = std::iter::successors(Some(module.clone()), AbsPath::parent).nth(up)?;
    let name = unit.as_path().file_name()?.to_str()?.to_owned();
    let stem = part.rsplit_once('.').filter(|_| up == 0 && !name.starts_with(part)).map_or(part, |(stem, _)| stem);
    let rest = name.strip_prefix(stem).filter(|rest| rest.is_empty() || rest.starts_with('.'))?;
    Some((unit, rest.to_owned()))
}
