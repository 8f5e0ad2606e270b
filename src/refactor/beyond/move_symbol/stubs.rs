//! Stubs of Python beside the two modules.

use crate::refactor::Refusal;
use crate::refactor::analysis::references::Uses;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::text::AbsPath;

/// The stub of the module that something leaves, and the one of that which it goes to.
pub(super) struct Stubs {
    pub from: Code,
    pub to: StubTarget,
}

pub(super) enum StubTarget {
    Stub(Code),
    /// What the module itself says has to do.
    Module,
}

impl Stubs {
    /// Finds the stubs of two modules; refuses what would be in the one and not in the other.
    pub(super) fn of(session: &Session, code: &Code, to: &Code) -> Result<Option<Self>, Refusal> {
        let (mine, theirs) = (stub(&code.path), stub(&to.path));
        let Some(mine) = mine else {
            return match theirs {
                Some(_) => {
                    let reason = format!("`{}` has a stub, which would have to declare it", to.shown);
                    Err(Refusal::NotPossible(reason))
                }
                None => Ok(None),
            };
        };
        let to = match (theirs, stub_path(&to.path)) {
            (Some(path), _) => StubTarget::Stub(Code::read(session, &path)?),
            (None, Some(new)) if !to.path.as_path().exists() => StubTarget::Stub(Code::empty(session, &new)?),
            _ => StubTarget::Module,
        };
        Ok(Some(Self { from: Code::read(session, &mine)?, to }))
    }

    /// Refuses what is declared in another file than the stub.
    pub(super) async fn uses(&self, session: &Session, code: &Code, offset: usize) -> Result<Uses, Refusal> {
        let uses = Uses::with_twins(session, code, offset).await?;
        match uses.twins.iter().all(|twin| twin.path == self.from.path) {
            true => Ok(uses),
            false => Uses::of(session, code, offset).await,
        }
    }
}

fn stub(path: &AbsPath) -> Option<AbsPath> {
    stub_path(path).filter(|it| path.extension() == "py" && it.as_path().exists())
}

/// Returns where a module has its stub, if it has one.
pub(super) fn stub_path(module: &AbsPath) -> Option<AbsPath> {
    module.parent()?.join(format!("{}.pyi", module.file_stem())).ok()
}
