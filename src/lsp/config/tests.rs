//! Merging, trust, variables and messages of the configuration.

use super::*;
use crate::lsp::spec::Quirk;

fn merged(user: &str) -> Result<Config, ConfigError> {
    merged_with(user, &[])
}

fn merged_with(user: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let variables = variables.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let layers = [("built in", DEFAULT), ("/home/u/servers.toml", user)];
    let layers = layers.map(|(file, text)| Layer { file: file.to_owned(), text: text.to_owned() });
    Config::merge(&layers, &Environment(variables.collect()), Trust::Nothing)
}

fn message(result: Result<Config, ConfigError>) -> String {
    result.err().map(|error| error.to_string()).unwrap_or_default()
}

fn route(config: &Config, language: &str, feature: Feature) -> Vec<String> {
    config.route(language, feature).iter().map(ToString::to_string).collect()
}

fn server<'a>(config: &'a Config, name: &str) -> &'a ServerSpec {
    config.server(&ServerName::new(name)).unwrap()
}

#[test]
fn the_default_names_the_servers_and_their_routes() {
    let config = merged("").unwrap();
    assert_eq!(route(&config, "python", Feature::Rename), ["basedpyright", "pyright"]);
    assert_eq!(route(&config, "typescriptreact", Feature::WillRenameFiles), ["typescript-language-server"]);
    assert_eq!(route(&config, "cpp", Feature::Rename), ["clangd"]);
    assert_eq!(route(&config, "cobol", Feature::Rename), [] as [&str; 0]);
    assert_eq!(config.language_of("pyi"), Some("python"));
    assert_eq!(config.language_of("mts"), Some("typescript"));
    let tls = server(&config, "typescript-language-server");
    assert_eq!(tls.line_breaks, LineBreaks::EcmaScript);
    assert_eq!(tls.initialization_options["tsserver"]["useSyntaxServer"], "never");
    assert!(server(&config, "pyright").has(Quirk::IgnoresOverrides));
    assert!(!server(&config, "clangd").has(Quirk::IgnoresOverrides));
}

#[test]
fn the_default_serves_these_languages() {
    let config = merged("").unwrap();
    let ids: Vec<&str> = config.languages().collect();
    for id in ["python", "typescript", "typescriptreact", "javascript", "rust", "go", "c", "cpp", "shellscript", "lua"]
    {
        assert!(ids.contains(&id), "{id}");
    }
}

#[test]
fn a_new_server_needs_no_route() {
    let config = merged(
        r#"
        [servers.zls]
        command = ["zls"]
        languages = { zig = ["zig", "zon"] }
        "#,
    )
    .unwrap();
    assert_eq!(route(&config, "zig", Feature::Rename), ["zls"]);
    assert_eq!(config.language_of("zon"), Some("zig"));
    assert_eq!(server(&config, "zls").readiness, Readiness::Immediate);
}

#[test]
fn a_later_file_replaces_values_and_merges_options() {
    let config = merged(
        r#"
        [servers.typescript-language-server]
        timeouts = { ready = 7 }
        initialization-options = { maxTsServerMemory = 4096, tsserver = { path = "{root}/tsserver.js" } }
        [[routes]]
        languages = ["python"]
        servers = ["pyright"]
        "#,
    )
    .unwrap();
    let tls = server(&config, "typescript-language-server");
    assert_eq!(tls.initialization_options["maxTsServerMemory"], 4096);
    assert_eq!(tls.initialization_options["tsserver"]["path"], "{root}/tsserver.js");
    assert_eq!(tls.initialization_options["tsserver"]["useSyntaxServer"], "never");
    assert_eq!(tls.timeouts.ready.as_secs(), 7);
    assert_eq!(tls.timeouts.start, crate::lsp::Timeouts::default().start);
    assert_eq!(route(&config, "python", Feature::Rename), ["pyright"]);
    assert_eq!(route(&config, "python", Feature::Implementation), ["basedpyright", "ty"]);
}

#[test]
fn a_disabled_server_leaves_every_route() {
    let config = merged_with("", &[("LSPWRIGHT_BASEDPYRIGHT_ENABLED", "false")]).unwrap();
    assert_eq!(route(&config, "python", Feature::Rename), ["pyright"]);
    assert_eq!(route(&config, "python", Feature::Implementation), ["ty"]);
    assert!(!config.is_enabled(&ServerName::new("basedpyright")));
    let again = merged_with("[servers.clangd]\nenabled = false", &[("LSPWRIGHT_CLANGD_ENABLED", "1")]).unwrap();
    assert_eq!(route(&again, "c", Feature::Rename), ["clangd"]);
    let off = merged("[servers.clangd]\nenabled = false").unwrap();
    assert_eq!(route(&off, "c", Feature::Rename), [] as [&str; 0]);
    assert_eq!(off.language_of("c"), None);
}

#[test]
fn a_variable_sets_a_command() {
    let config = merged_with("", &[("LSPWRIGHT_RUST_ANALYZER_COMMAND", "'/opt/my ra' --quiet")]).unwrap();
    assert_eq!(server(&config, "rust-analyzer").command, ["/opt/my ra", "--quiet"]);
    let bad = message(merged_with("", &[("LSPWRIGHT_RUST_ANALYZER_COMMAND", "'ra")]));
    assert!(bad.contains("`LSPWRIGHT_RUST_ANALYZER_COMMAND` is `'ra`"), "{bad}");
    let bad = message(merged_with("", &[("LSPWRIGHT_TY_ENABLED", "maybe")]));
    assert_eq!(bad, "`LSPWRIGHT_TY_ENABLED` is `maybe`, allowed is `true` or `false`");
}

#[test]
fn errors_name_the_file_the_key_and_what_is_allowed() {
    let unknown = message(merged("[servers.ty]\ncomand = []"));
    assert!(unknown.starts_with("`/home/u/servers.toml`: "), "{unknown}");
    assert!(unknown.contains("line 2") && unknown.contains("`comand`") && unknown.contains("`command`"), "{unknown}");
    let quirk = message(merged("[servers.ty]\nquirks = ['odd']"));
    assert!(quirk.contains("`odd`") && quirk.contains("`honours-include`"), "{quirk}");
    let feature = message(merged("[[routes]]\nlanguages = ['python']\nfeatures = { Rename = ['ty'] }"));
    assert!(feature.contains("`Rename`") && feature.contains("`willRenameFiles`"), "{feature}");
    let server = message(merged("[[routes]]\nlanguages = ['python']\nservers = ['tyy']"));
    assert!(server.contains("`tyy`") && server.contains("`ty`") && server.contains("/home/u"), "{server}");
    let name = message(merged("[servers.'A b']\ncommand = ['x']"));
    assert!(name.contains("`servers.A b`") && name.contains("lower-case"), "{name}");
    assert_eq!(message(merged("[servers.zls]\ncommand = ['zls']")), "`servers.zls` lacks `languages`");
    assert_eq!(message(merged("[servers.zls]\nlanguages = { zig = [] }")), "`servers.zls` lacks `command`");
}

#[test]
fn only_exact_versions_are_installed() {
    for (install, allowed) in [
        ("{ npm = ['a@latest'] }", "`name@1.2.3`"),
        ("{ npm = ['@scope/a'] }", "`name@1.2.3`"),
        ("{ npm = ['a@^1.0.0'] }", "`name@1.2.3`"),
        ("{ npm = ['a@1.x'] }", "`name@1.2.3`"),
        ("{ pypi = ['a>=1.0'] }", "`name==1.2.3`"),
        ("{ cargo = ['a'] }", "`name@1.2.3`"),
    ] {
        let text = format!("[servers.a]\ncommand = ['a']\nlanguages = {{ a = ['a'] }}\ninstall = {install}");
        let said = message(merged(&text));
        assert!(said.contains("`servers.a.install`") && said.contains(allowed), "{install}: {said}");
    }
    let good = "[servers.a]\ncommand = ['a']\nlanguages = { a = ['a'] }\ninstall = { npm = ['@s/a@1.0.0-rc.1'] }";
    assert!(merged(good).is_ok());
}

#[test]
fn an_embedded_server_needs_no_command() {
    let config = merged("[servers.sol]\nembedded = 'solidity'\nlanguages = { solidity = ['sol'] }").unwrap();
    assert_eq!(server(&config, "sol").embedded.as_deref(), Some("solidity"));
    let replaced = merged("[servers.ty]\nembedded = 'ty'").unwrap();
    assert!(server(&replaced, "ty").command.is_empty());
}

#[test]
fn a_file_inside_the_project_counts_only_where_the_project_is_trusted() {
    let project = tempfile::tempdir().unwrap();
    let root = AbsPath::new(project.path()).unwrap();
    std::fs::create_dir(project.path().join(".lspwright")).unwrap();
    std::fs::write(project.path().join(PROJECT_FILE), "[servers.ty]\ncommand = ['evil']").unwrap();
    let mut sources = ConfigSources { project: Some(root.clone()), ..ConfigSources::default() };
    let careful = Config::load(&sources).unwrap();
    assert_ne!(server(&careful, "ty").command, ["evil"]);
    assert_eq!(careful.notices(), [Notice::ProjectFileIgnored(root.join(PROJECT_FILE).unwrap())]);
    assert!(careful.notices()[0].to_string().contains("`--trust-project`"));
    sources.trust = Trust::Project;
    let trusting = Config::load(&sources).unwrap();
    assert_eq!(server(&trusting, "ty").command, ["evil"]);
    assert_eq!(trusting.notices(), []);
}

#[test]
fn the_users_file_is_found_and_lspwright_config_stands_for_it() {
    let home = tempfile::tempdir().unwrap();
    let dir = AbsPath::new(home.path()).unwrap();
    let mut sources = ConfigSources { config_dir: Some(dir.clone()), ..ConfigSources::default() };
    assert!(Config::load(&sources).is_ok(), "no file is not an error");
    std::fs::write(home.path().join("servers.toml"), "[servers.ty]\ncommand = ['mine']").unwrap();
    assert_eq!(server(&Config::load(&sources).unwrap(), "ty").command, ["mine"]);
    let other = dir.join("other.toml").unwrap();
    sources.environment.0.insert("LSPWRIGHT_CONFIG".to_owned(), other.to_string());
    assert!(message(Config::load(&sources)).contains("other.toml"), "a named file must be there");
    std::fs::write(other.as_path(), "").unwrap();
    assert_ne!(server(&Config::load(&sources).unwrap(), "ty").command, ["mine"]);
}
