//! The plugin that tsserver loads from us: it tells which members belong together by the types that hold them.

use super::host::ProvisionError;
use crate::text::{AbsPath, ContentHash};
use crate::workspace::write_if_changed;

const SOURCE: &str = include_str!("tsserver_plugin.js");
/// The name by which `servers.toml` asks for it.
const NAME: &str = "lspwright-tsserver-plugin";

/// Writes the plugin where it is not yet, and returns the directory in whose `node_modules` it lies.
pub(super) fn written(cache: &AbsPath) -> Result<AbsPath, ProvisionError> {
    let version = ContentHash::of(SOURCE.as_bytes());
    let place = cache.join(format!("tsserver-plugin/{}", &version.as_str()[..16]));
    let place = place.expect("a name joined to a UTF-8 path is one");
    let file = place.join(format!("node_modules/{NAME}/index.js")).expect("a name joined to a UTF-8 path is one");
    write_if_changed(&file, SOURCE).map_err(crate::lsp::provision::host::disk("write", file.as_path()))?;
    Ok(place)
}
