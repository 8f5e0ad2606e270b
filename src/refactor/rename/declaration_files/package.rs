//! Which declaration file a package publishes for which of its scripts.

use serde_json::Value;

use crate::session::Session;
use crate::text::AbsPath;

/// Endings of scripts, each with that of the declaration file beside it, which TypeScript reads in its stead.
const BESIDE: [(&str, &str); 4] = [(".js", ".d.ts"), (".jsx", ".d.ts"), (".mjs", ".d.mts"), (".cjs", ".d.cts")];

/// More pairs than this are not compared.
const MOST: usize = 200;

pub(crate) fn is_declaration_file(path: &AbsPath) -> bool {
    BESIDE.iter().any(|(_, ending)| path.as_str().ends_with(ending))
}

pub(super) fn is_script(path: &AbsPath) -> bool {
    BESIDE.iter().any(|(ending, _)| path.as_str().ends_with(ending))
}

/// Returns the declaration files of a script, or the scripts of a declaration file: what stands beside it, and what
/// the nearest `package.json` names together with it.
pub(super) fn counterparts(session: &Session, path: &AbsPath) -> Vec<AbsPath> {
    let mut found: Vec<AbsPath> = beside(path).filter(|other| session.disk().read(other).is_ok()).collect();
    for (declared, script) in paired(session, path) {
        let other = if declared == *path {
            script
        } else if script == *path {
            declared
        } else {
            continue;
        };
        if !found.contains(&other) && session.disk().read(&other).is_ok() {
            found.push(other);
        }
    }
    found
}

/// A script and its declaration file.
pub(in super::super) type Pair = (AbsPath, AbsPath);

/// Returns the pairs of a script and a declaration file, where a member of that name may stand in both kinds of files, and
/// whether these are all.
pub(in super::super) fn pairs(session: &Session, name: &str) -> (Vec<Pair>, bool) {
    let naming = session.disk().files_mentioning(name);
    if !naming.iter().any(is_declaration_file) || !naming.iter().any(is_script) {
        return (Vec::new(), true);
    }
    let files = session.disk().files();
    let declared = files.iter().map(|file| &file.path).filter(|path| is_declaration_file(path));
    let mut all = declared.flat_map(|path| {
        let scripts = counterparts(session, path).into_iter().filter(is_script);
        scripts.map(|script| (script, path.clone()))
    });
    let pairs = all.by_ref().take(MOST).collect();
    (pairs, all.next().is_none())
}

fn beside(path: &AbsPath) -> impl Iterator<Item = AbsPath> {
    let exchanged = |from: &str, to: &str| {
        let stem = path.file_name().strip_suffix(from)?;
        path.parent()?.join(format!("{stem}{to}")).ok()
    };
    let others = BESIDE.iter().filter_map(move |(script, declared)| {
        if is_declaration_file(path) { exchanged(declared, script) } else { exchanged(script, declared) }
    });
    others.collect::<Vec<_>>().into_iter()
}

/// Returns the pairs of declaration file and script in the nearest `package.json` above a file.
fn paired(session: &Session, path: &AbsPath) -> Vec<(AbsPath, AbsPath)> {
    let above = std::iter::successors(path.parent(), AbsPath::parent).take_while(|dir| dir.is_below(session.root()));
    for dir in above {
        let Some(text) = dir.join("package.json").ok().and_then(|file| session.disk().read(&file).ok()) else {
            continue;
        };
        let Ok(json) = serde_json::from_str::<Value>(text.as_str()) else { return Vec::new() };
        let at = |(declared, script): (String, String)| Some((dir.join(declared).ok()?, dir.join(script).ok()?));
        return named(&json).into_iter().filter_map(at).collect();
    }
    Vec::new()
}

/// The pairs as a `package.json` names them: `types` with `main`, and what stands together in `exports`.
fn named(json: &Value) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let word = |key: &str| json.get(key).and_then(Value::as_str);
    let types = word("types").or_else(|| word("typings"));
    let main = word("main").unwrap_or("index.js");
    for types in types.into_iter().chain(types.is_none().then_some("index.d.ts")) {
        let types = if types.ends_with("ts") { types.to_owned() } else { format!("{types}.d.ts") };
        let scripts = [main.to_owned(), format!("{main}.js"), format!("{main}/index.js")];
        pairs.extend(scripts.map(|script| (types.clone(), script)));
    }
    if let Some(exports) = json.get("exports") {
        conditional(exports, types, &mut pairs);
    }
    pairs
}

/// Pairs what `exports` says for one subpath; conditions inside conditions know the `types` around them.
fn conditional(value: &Value, types: Option<&str>, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::String(script) => {
            let is_script = BESIDE.iter().any(|(ending, _)| script.ends_with(ending));
            pairs.extend(types.filter(|_| is_script).map(|types| (types.to_owned(), script.clone())));
        }
        Value::Object(keys) => {
            let own = keys.get("types").and_then(Value::as_str).or(types);
            for (key, inner) in keys.iter().filter(|(key, _)| *key != "types") {
                // Only the package's bare name has the types that stand outside of `exports`.
                let own = if key.starts_with('.') && key != "." { None } else { own };
                conditional(inner, own, pairs);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::named;

    #[test]
    fn types_go_with_what_they_stand_beside() {
        let has = |json: &serde_json::Value, types: &str, script: &str| {
            named(json).contains(&(types.to_owned(), script.to_owned()))
        };
        let plain = json!({ "main": "lib/main", "typings": "typings/index" });
        assert!(has(&plain, "typings/index.d.ts", "lib/main.js"));
        assert!(has(&json!({}), "index.d.ts", "index.js"));
        let exports = json!({ "types": "./t.d.ts", "main": "./a.cjs", "exports": {
            ".": { "import": { "types": "./a.d.mts", "default": "./a.mjs" }, "require": "./a.cjs" },
            "./b": { "types": "./b.d.ts", "default": "./b.js" },
            "./c": "./c.js",
        }});
        assert!(has(&exports, "./a.d.mts", "./a.mjs"));
        assert!(has(&exports, "./t.d.ts", "./a.cjs"));
        assert!(has(&exports, "./b.d.ts", "./b.js"));
        assert!(!named(&exports).iter().any(|(_, script)| script == "./c.js"));
    }
}
