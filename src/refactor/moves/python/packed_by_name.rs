//! What a build packs because it is called as the project is, or lies alone: no setting says it.

use toml::{Table, Value};

use crate::plan::{Warning, WarningKind};
use crate::refactor::moves::Relocation;
use crate::text::AbsPath;
use crate::workspace::Disk;

/// A build backend that looks for one module or package itself (the backends' documentation).
struct Builder {
    name: &'static str,
    /// How `build-backend` begins.
    backend: &'static str,
    /// Settings that name what is packed in its place.
    naming: &'static [&'static str],
    /// Settings that say all that is packed.
    listing: &'static [&'static str],
}

const BUILDERS: [Builder; 4] = [
    Builder { name: "Flit", backend: "flit", naming: &["tool.flit.module.name"], listing: &[] },
    Builder {
        name: "Hatch",
        backend: "hatchling",
        naming: &[],
        listing: &[
            "tool.hatch.build.include",
            "tool.hatch.build.only-include",
            "tool.hatch.build.packages",
            "tool.hatch.build.targets.wheel.include",
            "tool.hatch.build.targets.wheel.force-include",
            "tool.hatch.build.targets.wheel.only-include",
            "tool.hatch.build.targets.wheel.packages",
        ],
    },
    Builder {
        name: "Poetry",
        backend: "poetry",
        naming: &[],
        listing: &["tool.poetry.include", "tool.poetry.packages"],
    },
    Builder { name: "uv", backend: "uv_build", naming: &["tool.uv.build-backend.module-name"], listing: &[] },
];

/// What a project's build packs.
struct Packed {
    builder: &'static str,
    name: String,
    /// No setting says the name.
    is_implied: bool,
    /// The files by which it may be there.
    places: Vec<AbsPath>,
}

/// Tells of builds that do not find the project's module where a move leaves it, or pack nothing else that comes to lie beside it.
pub(in crate::refactor::moves) fn led(disk: &Disk, relocation: &Relocation) -> Vec<Warning> {
    let builds = builds(disk);
    let lost = lost(&builds, relocation);
    let beside = || relocation.files.values().filter_map(|to| beside(disk, &builds, to)).collect();
    if lost.is_empty() { beside() } else { lost }
}

fn lost(builds: &[(AbsPath, Packed)], relocation: &Relocation) -> Vec<Warning> {
    let told = |(settings, packed): &(AbsPath, Packed)| {
        let moved = packed.places.iter().find_map(|place| relocation.files.get(place));
        let message =
            format!("{} packs `{}`, as the project is called, and does not find it then", packed.builder, packed.name);
        let is_lost = packed.is_implied && moved.is_some_and(|to| !packed.places.contains(to));
        is_lost.then(|| Warning::at(WarningKind::FollowUp, message, settings.clone(), None))
    };
    builds.iter().filter_map(told).collect()
}

/// Tells of builds that pack another module or package than new ones that come to lie beside it.
pub(in crate::refactor::moves) fn left_out<'p>(disk: &Disk, new: impl Iterator<Item = &'p AbsPath>) -> Vec<Warning> {
    let mut new = new.filter(|it| it.extension() == "py").peekable();
    let builds = if new.peek().is_some() { builds(disk) } else { Vec::new() };
    new.filter_map(|it| beside(disk, &builds, it)).collect()
}

fn beside(disk: &Disk, builds: &[(AbsPath, Packed)], new: &AbsPath) -> Option<Warning> {
    if new.extension() != "py" || new.file_stem().starts_with("test") || new.file_stem() == "conftest" {
        return None;
    }
    let folder = if new.file_stem() == "__init__" { new.parent()?.parent()? } else { new.parent()? };
    let (settings, packed) = builds.iter().find(|(_, packed)| {
        let is_beside = |place: &AbsPath| {
            let top = if place.file_stem() == "__init__" { place.parent() } else { Some(place.clone()) };
            top.and_then(|it| it.parent()).as_ref() == Some(&folder) && disk.read(place).is_ok()
        };
        !packed.places.contains(new) && packed.places.iter().any(is_beside)
    })?;
    let shown = new.shown_from(disk.root());
    let message = format!("{} packs `{}` and nothing beside it: `{shown}` is left out", packed.builder, packed.name);
    Some(Warning::at(WarningKind::FollowUp, message, settings.clone(), None))
}

/// Returns the paths at which a build looks for a module or package, from the directory of its settings.
pub(crate) fn files_of(module: &str) -> impl Iterator<Item = String> {
    let files = [format!("{module}.py"), format!("{module}/__init__.py")];
    ["", "src/"].into_iter().flat_map(move |dir| files.clone().map(|file| format!("{dir}{file}")))
}

/// Returns the builds of the projects, each with the file of its settings.
fn builds(disk: &Disk) -> Vec<(AbsPath, Packed)> {
    let settings = disk.files_mentioning("backend").into_iter().filter(|path| path.file_name() == "pyproject.toml");
    let read = |path: AbsPath| {
        let table = disk.read(&path).ok()?.as_str().parse::<Table>().ok()?;
        let packed = packed(&Value::Table(table), &path.parent()?)?;
        Some((path, packed))
    };
    settings.filter_map(read).collect()
}

fn packed(settings: &Value, folder: &AbsPath) -> Option<Packed> {
    let at = |path: &str| path.split('.').try_fold(settings, |value, key| value.get(key));
    let said = |path: &str| at(path).and_then(Value::as_str);
    let backend = said("build-system.build-backend")?;
    let builder = BUILDERS.iter().find(|it| backend.starts_with(it.backend))?;
    if builder.listing.iter().any(|path| at(path).is_some()) {
        return None;
    }
    let named = builder.naming.iter().find_map(|path| said(path));
    let name = named.or_else(|| said("project.name")).or_else(|| said("tool.poetry.name"))?.replace(['-', '.'], "_");
    let places = files_of(&name).filter_map(|path| folder.join(&path).ok()).collect();
    Some(Packed { builder: builder.name, name, is_implied: named.is_none(), places })
}

#[cfg(test)]
mod tests {
    use super::packed;
    use crate::text::AbsPath;

    #[test]
    fn builds_look_for_the_projects_name_unless_settings_say_what_is_packed() {
        let found = |settings: &str| {
            let table = settings.parse::<toml::Table>().unwrap();
            let packed = packed(&toml::Value::Table(table), &AbsPath::new("/p").unwrap())?;
            Some((packed.builder, packed.name, packed.is_implied, packed.places[0].to_string()))
        };
        let project = |backend: &str, more: &str| {
            format!("[build-system]\nbuild-backend = \"{backend}\"\n[project]\nname = \"my-shop\"\n{more}")
        };
        let implied = |builder| Some((builder, "my_shop".to_owned(), true, "/p/my_shop.py".to_owned()));
        assert_eq!(found(&project("flit_core.buildapi", "")), implied("Flit"));
        assert_eq!(found(&project("hatchling.build", "")), implied("Hatch"));
        assert_eq!(found(&project("poetry.core.masonry.api", "")), implied("Poetry"));
        let said = Some(("Flit", "shop".to_owned(), false, "/p/shop.py".to_owned()));
        assert_eq!(found(&project("flit_core.buildapi", "[tool.flit.module]\nname = \"shop\"\n")), said);
        let listed = "[tool.hatch.build.targets.wheel]\npackages = [\"shop\"]\n";
        assert_eq!(found(&project("hatchling.build", listed)), None);
        assert_eq!(found(&project("setuptools.build_meta", "")), None);
    }
}
