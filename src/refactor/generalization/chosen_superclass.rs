//! The superclass that members go up to.

use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Above, Class, ClassHierarchy, LocatedClass};
use crate::refactor::source_file::Code;
use crate::session::Session;

/// Returns the superclass that is meant: the one that is named, or the only one in the project.
pub(crate) async fn superclass(
    session: &Session,
    kin: &ClassHierarchy<'_>,
    class: &Class<'_>,
    wanted: &str,
) -> Result<LocatedClass, Refusal> {
    let mut found = Vec::new();
    for above in kin.above(class).await? {
        match above {
            Above::Class(base) if base.is_of(session) => found.push(base),
            _ => {}
        }
    }
    let all: Vec<String> = found.iter().map(|base| base.class().name().to_owned()).collect();
    let (file, name) = wanted.rsplit_once("::").or_else(|| wanted.rsplit_once('#')).unwrap_or(("", wanted));
    let is_it = |base: &LocatedClass| base.class().name() == name && (file.is_empty() || base.code.shown == file);
    found.retain(|base| wanted.is_empty() || is_it(base));
    let refuse = |reason: String| Err(class.code.refuse(class.name.start(), reason));
    match (found.pop(), found.len()) {
        (Some(base), 0) => {
            Code::read(session, &base.code.path)?;
            Ok(base)
        }
        (Some(_), _) => {
            refuse(format!("`{}` has several superclasses: say which by `to`, `{}` for one", class.name(), all[0]))
        }
        (None, _) if wanted.is_empty() => refuse(format!("`{}` has no superclass in the project", class.name())),
        (None, _) => refuse(format!("`{wanted}` is not a direct superclass of `{}` in the project", class.name())),
    }
}
