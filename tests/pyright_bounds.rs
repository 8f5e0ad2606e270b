//! A rename reaches all of a project, whatever its pyright configuration leaves out and however it is laid out.

use std::collections::BTreeMap;

use lspwright::lsp::{Place, Server, ServerName};
use lspwright::session::Session;

use crate::support;

/// Two packages that know of each other by name alone, and a configuration that sees one of them.
const PROJECT: [(&str, &str); 7] = [
    ("pyrightconfig.json", "{ \"include\": [\"libs/core/src\"], \"exclude\": [\"**/tests\"], /* narrow */ }"),
    ("libs/core/pyproject.toml", "[project]\nname = 'core'\n"),
    ("libs/core/src/core/__init__.py", "from core.area import area_of as area_of\n"),
    ("libs/core/src/core/area.py", "def area_of(width: int) -> int:\n    return width\n"),
    ("libs/core/tests/test_area.py", "from core import area_of\n\nassert area_of(1)\n"),
    ("libs/app/setup.py", ""),
    ("libs/app/app/main.py", "import core\n\nprint(core.area_of(2))\n"),
];

#[test]
fn basedpyright_sees_the_whole_project() {
    sees_the_whole_project("basedpyright");
}

#[test]
fn pyright_sees_the_whole_project() {
    sees_the_whole_project("pyright");
}

fn sees_the_whole_project(name: &str) {
    let project = tempfile::tempdir().unwrap();
    for (path, text) in PROJECT {
        write(project.path(), path, text);
    }
    support::block_on(async {
        let session = support::session(project.path());
        session.refresh().await;
        let server = session.named_server(&ServerName::new(name)).await.unwrap();
        let mut expected = BTreeMap::from([
            ("libs/app/app/main.py".to_owned(), 1),
            ("libs/core/src/core/__init__.py".to_owned(), 2),
            ("libs/core/src/core/area.py".to_owned(), 1),
            ("libs/core/tests/test_area.py".to_owned(), 2),
        ]);
        assert_eq!(renamed(&session, &server).await, expected, "{name}, as it stood");
        // A file in a new directory, of a package that only a new project file makes importable.
        write(project.path(), "libs/late/src/late/__init__.py", "from core.area import area_of\n");
        write(project.path(), "libs/late/pyproject.toml", "");
        write(project.path(), "use_late.py", "import late\n\nprint(late.area_of(3))\n");
        session.refresh().await;
        expected.insert("libs/late/src/late/__init__.py".to_owned(), 1);
        expected.insert("use_late.py".to_owned(), 1);
        assert_eq!(renamed(&session, &server).await, expected, "{name}, after the project grew");
        // What the project itself says of its imports, said while the server runs.
        write(project.path(), "odd/dir/stray.py", "from core import area_of\n");
        write(project.path(), "use_stray.py", "import stray\n\nprint(stray.area_of(4))\n");
        session.refresh().await;
        expected.insert("odd/dir/stray.py".to_owned(), 1);
        assert_eq!(renamed(&session, &server).await, expected, "{name}, where nobody finds the stray module");
        let own = r#"{ "extraPaths": ["odd/dir"], "executionEnvironments": [{ "root": "libs/app" }] }"#;
        write(project.path(), "pyrightconfig.json", own);
        session.refresh().await;
        expected.insert("use_stray.py".to_owned(), 1);
        assert_eq!(renamed(&session, &server).await, expected, "{name}, where the project says where it is");
        session.close().await;
    });
}

/// Returns how many edits each file gets when the function is renamed at its declaration.
async fn renamed(session: &Session, server: &Server) -> BTreeMap<String, usize> {
    server.ready().await.unwrap();
    let path = session.root().join("libs/core/src/core/area.py").unwrap();
    let answer = server.rename(&Place { path, offset: 4 }, "size_of").await.unwrap().unwrap();
    let edits = answer.whole().edits.into_iter().filter(|(_, edits)| !edits.is_empty());
    edits.map(|(path, edits)| (path.relative_to(session.root()).unwrap().to_string(), edits.len())).collect()
}

fn write(root: &std::path::Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
