//! The methods of a class that let others add to a collection, and look at it.

use crate::refactor::analysis::classes::Slot;
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::indentation::Layout;
use crate::syntax::Family;
use crate::text::TextEdit;

/// Their names, and the types in them.
pub(super) struct Methods {
    pub storage: String,
    pub name: String,
    pub add: String,
    pub remove: String,
    made: CollectionType,
    family: Family,
    /// One of the things in it, as a parameter is called.
    item: String,
    whole: String,
    /// The type of one of the things in it; empty where nothing says it.
    each: String,
}

impl Methods {
    /// Names them for a field of this type; nothing where it is no collection that one adds to. `said` is the type as it is
    /// written, if it is.
    pub(super) fn of(field: &Field<'_>, typed: &str, said: Option<&str>) -> Option<Self> {
        let (family, name) = (field.class.code.family(), field.name.to_owned());
        let read = |typed: &str| match family {
            Family::Python => python(typed),
            _ => script(typed),
        };
        let (made, _) = read(typed)?;
        let each = said.and_then(read).map(|(_, each)| each).unwrap_or_default();
        let item = one_of(&name);
        let (add, remove) = match family {
            Family::Python => (format!("add_{item}"), format!("remove_{item}")),
            _ => (format!("add{}", capital(&item)), format!("remove{}", capital(&item))),
        };
        let whole = said.unwrap_or_default().to_owned();
        Some(Self { storage: format!("_{name}"), name, add, remove, made, family, item, whole, each })
    }

    /// Returns which of them does what a method of the collection does.
    pub(super) fn instead(&self, method: &str) -> Option<&str> {
        let (add, remove) = match (self.family, self.made) {
            (Family::Python, CollectionType::List) => ("append", "remove"),
            (Family::Python, CollectionType::Set) => ("add", "remove"),
            (_, CollectionType::List) => ("push", ""),
            (_, CollectionType::Set) => ("add", "delete"),
        };
        match method {
            _ if method == add => Some(&self.add),
            _ if method == remove => Some(&self.remove),
            _ => None,
        }
    }

    pub(super) fn inserted(&self, field: &Field<'_>) -> TextEdit {
        let code = field.class.code;
        let (end, indent) = (code.newline(), field.class.indent());
        let deeper = format!("{end}{indent}{}", Layout::of(code).step());
        let lines = match self.family {
            Family::Python => self.in_python(&format!("{end}{indent}"), &deeper),
            _ => self.in_script(&format!("{end}{indent}"), &deeper),
        };
        field.class.with(Slot::Method, &lines)
    }

    fn in_python(&self, line: &str, deeper: &str) -> [String; 3] {
        let Self { storage, name, item, whole, each, .. } = self;
        let is_said = whole.contains('[');
        let answer = if is_said { format!(" -> {whole}") } else { String::new() };
        let nothing = if is_said { " -> None" } else { "" };
        let passed = if each.is_empty() { item.clone() } else { format!("{item}: {each}") };
        let (copy, add) = if self.made == CollectionType::List { ("list", "append") } else { ("set", "add") };
        [
            format!("@property{line}def {name}(self){answer}:{deeper}return {copy}(self.{storage})"),
            format!("def {}(self, {passed}){nothing}:{deeper}self.{storage}.{add}({item})", self.add),
            format!("def {}(self, {passed}){nothing}:{deeper}self.{storage}.remove({item})", self.remove),
        ]
    }

    fn in_script(&self, line: &str, deeper: &str) -> [String; 3] {
        let Self { storage, name, item, each, .. } = self;
        let typed = |text: String| if each.is_empty() { String::new() } else { format!(": {text}") };
        let passed = format!("{item}{}", typed(each.clone()));
        let nothing = typed("void".to_owned());
        let view = if self.made == CollectionType::List {
            format!("readonly {each}[]")
        } else {
            format!("ReadonlySet<{each}>")
        };
        let remove = match self.made {
            CollectionType::List => {
                format!("const at = this.{storage}.indexOf({item});{deeper}if (at >= 0) this.{storage}.splice(at, 1);")
            }
            CollectionType::Set => format!("this.{storage}.delete({item});"),
        };
        let add = if self.made == CollectionType::List { "push" } else { "add" };
        [
            format!("get {name}(){} {{{deeper}return this.{storage};{line}}}", typed(view)),
            format!("{}({passed}){nothing} {{{deeper}this.{storage}.{add}({item});{line}}}", self.add),
            format!("{}({passed}){nothing} {{{deeper}{remove}{line}}}", self.remove),
        ]
    }
}

fn python(typed: &str) -> Option<(CollectionType, String)> {
    let (outer, inner) = typed.split_once('[').unwrap_or((typed, ""));
    let made = match outer {
        "list" | "List" | "t.List" | "typing.List" => CollectionType::List,
        "set" | "Set" | "t.Set" | "typing.Set" => CollectionType::Set,
        _ => return None,
    };
    let each = inner.strip_suffix(']').unwrap_or_default();
    Some((made, each.to_owned()))
}

fn script(typed: &str) -> Option<(CollectionType, String)> {
    let generic = |name: &str| typed.strip_prefix(name)?.strip_prefix('<')?.strip_suffix('>').map(str::to_owned);
    let is_one = |each: &String| !each.contains(['|', '&', '=', ',']) || each.starts_with('(') && each.ends_with(')');
    if let Some(each) = generic("Set") {
        return Some((CollectionType::Set, each));
    }
    let each = generic("Array").or_else(|| typed.strip_suffix("[]").map(str::to_owned))?;
    (is_one(&each) && !typed.starts_with("readonly")).then_some((CollectionType::List, each))
}

/// Returns what one of several is called: `student`, `entry`, `box`, else `item`.
fn one_of(name: &str) -> String {
    let last = |ending: &str, instead: &str| name.strip_suffix(ending).map(|stem| format!("{stem}{instead}"));
    let one = last("ies", "y").or_else(|| last("sses", "ss")).or_else(|| last("xes", "x")).or_else(|| last("s", ""));
    one.filter(|one| !one.is_empty() && !one.ends_with('s'))
        .unwrap_or_else(|| format!("{name}_item").replace("__", "_"))
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What a collection is, as far as it matters how one adds to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CollectionType {
    List,
    Set,
}
