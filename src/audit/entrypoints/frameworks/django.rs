//! Django: `urlpatterns`, decorated views, and management commands.

use super::{COMMAND, File, Found, Handler, ROUTE, call, decorators, keyword, literal, member};
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

/// `@api_view(["GET"])`, and the methods of views by their names.
fn view(file: &File<'_>, function: Node<'_>) -> Option<Found> {
    let text = file.text();
    let handler = Handler::Node(function.index());
    for decorator in decorators(function) {
        let Some((name, arguments)) = decorator.named_children().next().and_then(call) else { continue };
        if name.text(text) == "api_view" {
            let methods = arguments.first().into_iter().flat_map(|list| list.named_children());
            let methods: Vec<String> = methods.filter_map(|it| literal(it, text)).collect();
            return Some(Found { kind: ROUTE, framework: Some("django"), trigger: Some(methods.join(",")), handler });
        }
    }
    const ANSWERS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options"];
    let name = function.child("name")?.text(text);
    let base = bases(function, text)?;
    let is_view = base.contains("View") && ANSWERS.contains(&name);
    is_view.then(|| Found { kind: ROUTE, framework: Some("django"), trigger: Some(name.to_uppercase()), handler })
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
