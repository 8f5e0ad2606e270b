//! What the moved code asks of the module that it comes to: there it stands under its own name.

use super::Way;
use crate::refactor::Refusal;
use crate::refactor::analysis::imports::required::hiding;
use crate::refactor::analysis::substitution::{check_callee, put_name};
use crate::refactor::moves::links::{Link, LinkedName};
use crate::syntax::Node;
use crate::text::{Span, TextEdit};

impl<'a> Way<'a> {
    /// Returns what of a stretch that moves reads `name` there: `module.name`, and names that an import gives others.
    ///
    /// # Errors
    /// Refuses what needs the module itself, and where the name means something else.
    pub(super) fn unqualified(&self, stretch: Span) -> Result<Vec<TextEdit>, Refusal> {
        let mut edits = Vec::new();
        for link in self.own.iter().filter(|link| link.module.as_ref() == Some(&self.to.path)) {
            let Some(local) = link.local.and_then(|local| self.names.at(self.from.covering(local))) else { continue };
            for one in self.names.of_meaning(local.meaning).filter(|one| stretch.contains(one.span)) {
                edits.extend(self.under_its_name(link, self.from.covering(one.span))?);
            }
        }
        Ok(edits)
    }

    fn under_its_name(&self, link: &Link, node: Node<'a>) -> Result<Option<TextEdit>, Refusal> {
        let text = self.from.text();
        match &link.taken {
            LinkedName::Name(name) => {
                let said = self.said_there(name);
                if node.text(text) == said {
                    return Ok(None);
                }
                self.check_unbound(node, &said)?;
                let asks_this = |it: Node<'_>| it.descendants().any(|it| it.is("this"));
                if self.keys_there.keys.iter().any(|one| one.key == name && asks_this(one.node)) {
                    check_callee(self.from, node)?;
                }
                put_name(self.from, node, &said).map(Some)
            }
            LinkedName::Module => {
                let member = self.member(link, node);
                let (whole, name) = member
                    .ok_or_else(|| self.from.refuse(node.start(), format!("it needs `{}` itself", self.to.shown)))?;
                let said = self.said_there(name);
                self.check_unbound(node, &said)?;
                Ok(Some(TextEdit::new(whole.span(), said)))
            }
            _ => Err(self.from.refuse(link.item.start, "it needs the other module under another name")),
        }
    }

    /// Returns `module.name` around the name by which an import binds the module, or the package around it.
    fn member(&self, link: &Link, node: Node<'a>) -> Option<(Node<'a>, &'a str)> {
        const MEMBERS: &[&str] = &["attribute", "member_expression", "nested_type_identifier"];
        let text = self.from.text();
        let source = link.source.of(text).unwrap_or_default();
        let begins = source.strip_prefix(node.text(text)).is_some_and(|rest| rest.starts_with('.'));
        let is_plain = !link.item.of(text).unwrap_or_default().contains(" as ");
        let module = if begins && is_plain { source } else { node.text(text) };
        let mut chain = std::iter::once(node).chain(node.ancestors().take_while(|it| it.is_any(MEMBERS)));
        let qualifier = chain.find(|it| it.text(text) == module)?;
        let whole = qualifier.parent().filter(|it| it.is_any(MEMBERS) && it.start() == qualifier.start())?;
        let name = ["attribute", "property", "name"].iter().find_map(|field| whole.child(field))?;
        Some((whole, name.text(text)))
    }

    /// Writes what the other module itself says for what others have from it by a name.
    fn said_there(&self, name: &str) -> String {
        let is_alias = |it: &Node<'_>| it.child("alias").is_some_and(|alias| alias.text(self.to.text()) == name);
        let specifiers = self.to.root().named_children().filter(|it| it.is("export_statement"));
        let specifiers = specifiers.filter(|it| it.child("source").is_none()).flat_map(Node::descendants);
        let mut aliased = specifiers.filter(|it| it.is("export_specifier") && is_alias(it));
        let exported = aliased.find_map(|it| it.child("name")).map(|it| it.text(self.to.text()).to_owned());
        let said = exported.or_else(|| self.keys_there.said_inside(self.to, name));
        said.unwrap_or_else(|| name.to_owned())
    }

    fn check_unbound(&self, node: Node<'_>, said: &str) -> Result<(), Refusal> {
        let name = said.split('.').next().unwrap_or(said);
        match hiding(self.from, self.names, name, &[node.span()]) {
            Some(_) => Err(self.from.refuse(node.start(), format!("`{name}` refers to something else here"))),
            None => Ok(()),
        }
    }
}
