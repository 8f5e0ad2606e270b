//! Django: `urlpatterns`, decorated views, and management commands.

use super::file::{COMMAND, File, Found, Handler, ROUTE, call, decorators, keyword, literal, member};
use crate::syntax::Node;

pub(super) fn find(file: &File<'_>) -> Vec<Found> {
    if !file.imports_from("django") && !file.imports_from("rest_framework") {
        return Vec::new();
    }
    let mut all: Vec<Found> =
        file.nodes().filter_map(|node| pattern(file, node).or_else(|| registered(file, node))).collect();
    all.extend(file.sites.iter().filter_map(|site| {
        let node = file.source.tree().nodes().get(site.node)?;
        view(file, node).or_else(|| command(file, node))
    }));
    all
}

/// `path("users/", views.users)`, `re_path(r"^users/$", Users.as_view())`
fn pattern(file: &File<'_>, node: Node<'_>) -> Option<Found> {
    let (function, arguments) = call(node)?;
    let text = file.text();
    if !matches!(function.text(text), "path" | "re_path" | "url") {
        return None;
    }
    let route = literal(*arguments.first()?, text)?;
    let view = keyword(&arguments, "view", text).or_else(|| arguments.get(1).copied())?;
    let is_include = call(view).is_some_and(|(function, _)| function.text(text) == "include");
    if is_include {
        return None;
    }
    let handler = match file.handler(view)? {
        Handler::Named(name, at) => Handler::Named(name.trim_end_matches(".as_view").to_owned(), at),
        handler => handler,
    };
    Some(Found { kind: ROUTE, framework: Some("django"), trigger: Some(format!("ANY /{route}")), handler })
}

/// `router.register("users", UserViewSet)`
fn registered(file: &File<'_>, node: Node<'_>) -> Option<Found> {
    let (function, arguments) = call(node)?;
    let (_, method) = member(function)?;
    let is_router = method.text(file.text()) == "register" && file.imports_from("rest_framework");
    let route = literal(*arguments.first().filter(|_| is_router)?, file.text())?;
    let handler = file.handler(*arguments.get(1)?)?;
    Some(Found { kind: ROUTE, framework: Some("django"), trigger: Some(format!("ANY /{route}")), handler })
}

/// The methods of views that answer requests: Django's own, and those of the REST framework's view sets.
const ANSWERS: &[(&str, &str)] = &[
    ("get", "GET"),
    ("post", "POST"),
    ("put", "PUT"),
    ("patch", "PATCH"),
    ("delete", "DELETE"),
    ("head", "HEAD"),
    ("options", "OPTIONS"),
    ("list", "GET"),
    ("create", "POST"),
    ("retrieve", "GET"),
    ("update", "PUT"),
    ("partial_update", "PATCH"),
    ("destroy", "DELETE"),
];

/// Decorators of the REST framework, and the argument that names the methods.
const DECORATORS: &[&str] = &["api_view", "action", "detail_route", "list_route"];

/// `@api_view(["GET"])`, `@action(methods=["post"])`, and the methods of views by their names.
fn view(file: &File<'_>, function: Node<'_>) -> Option<Found> {
    let text = file.text();
    let handler = Handler::Node(function.index());
    for decorator in decorators(function) {
        let Some((name, arguments)) = decorator.named_children().next().and_then(call) else { continue };
        if DECORATORS.contains(&name.text(text)) {
            let listed = keyword(&arguments, "methods", text).or_else(|| arguments.first().copied());
            let methods = listed.into_iter().flat_map(Node::named_children);
            let methods: Vec<String> = methods.filter_map(|it| Some(literal(it, text)?.to_uppercase())).collect();
            let trigger = if methods.is_empty() { "GET".to_owned() } else { methods.join(",") };
            return Some(Found { kind: ROUTE, framework: Some("django"), trigger: Some(trigger), handler });
        }
    }
    let name = function.child("name")?.text(text);
    let (_, method) = ANSWERS.iter().find(|(known, _)| *known == name)?;
    let is_view = bases(function, text)?.contains("View");
    is_view.then(|| Found { kind: ROUTE, framework: Some("django"), trigger: Some((*method).to_owned()), handler })
}

/// `handle` of a `BaseCommand` in `management/commands/name.py`.
fn command(file: &File<'_>, function: Node<'_>) -> Option<Found> {
    let is_handle =
        function.child("name")?.text(file.text()) == "handle" && bases(function, file.text())?.contains("BaseCommand");
    let name = file.source.path.file_name().trim_end_matches(".py").to_owned();
    let handler = Handler::Node(function.index());
    is_handle.then_some(Found { kind: COMMAND, framework: Some("django"), trigger: Some(name), handler })
}

/// Returns the bases of the class around, as they are written.
fn bases<'t>(function: Node<'_>, text: &'t str) -> Option<&'t str> {
    let class = function.ancestors().find(|outer| outer.is_any(&["class_definition", "function_definition"]))?;
    class.child("superclasses").map(|list| list.text(text))
}
