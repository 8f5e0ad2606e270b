//! The plugin that tsserver loads from us: it tells which members belong together by the types that hold them, and where
//! they are asked for by keys that a program makes; and it has tsserver look again for what was not there.

use super::host::{ProvisionError, disk};
use crate::text::{AbsPath, ContentHash};
use crate::workspace::write_if_changed;

/// Its files: each may load those above it.
const SOURCES: [(&str, &str); 15] = [
    ("members.js", include_str!("tsserver_plugin/members.js")),
    ("walked.js", include_str!("tsserver_plugin/walked.js")),
    ("written.js", include_str!("tsserver_plugin/written.js")),
    ("tested.js", include_str!("tsserver_plugin/tested.js")),
    ("untyped.js", include_str!("tsserver_plugin/untyped.js")),
    ("flows.js", include_str!("tsserver_plugin/flows.js")),
    ("indexed.js", include_str!("tsserver_plugin/indexed.js")),
    ("keys.js", include_str!("tsserver_plugin/keys.js")),
    ("relations.js", include_str!("tsserver_plugin/relations.js")),
    ("reach.js", include_str!("tsserver_plugin/reach.js")),
    ("twins.js", include_str!("tsserver_plugin/twins.js")),
    ("proxied.js", include_str!("tsserver_plugin/proxied.js")),
    ("asking.js", include_str!("tsserver_plugin/asking.js")),
    ("lookups.js", include_str!("tsserver_plugin/lookups.js")),
    ("index.js", include_str!("tsserver_plugin/index.js")),
];
/// The name by which `servers.toml` asks for it.
const NAME: &str = "lspwright-tsserver-plugin";

/// Writes the plugin where it is not yet, and returns the directory in whose `node_modules` it lies.
pub(super) fn written(cache: &AbsPath) -> Result<AbsPath, ProvisionError> {
    let all: Vec<&str> = SOURCES.iter().map(|(_, source)| *source).collect();
    let version = ContentHash::of(all.concat().as_bytes());
    let place = cache.join(format!("tsserver-plugin/{}", &version.as_str()[..16]));
    let place = place.expect("a name joined to a UTF-8 path is one");
    // What loads the others comes last.
    for (name, source) in SOURCES {
        let file = place.join(format!("node_modules/{NAME}/{name}"));
        let file = file.expect("a name joined to a UTF-8 path is one");
        write_if_changed(&file, source).map_err(disk("write", file.as_path()))?;
    }
    Ok(place)
}
