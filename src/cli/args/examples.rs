//! What the help of every command shows of it in use.

use clap::Command;

/// Each command with lines that can be typed, and what they do.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "rename",
        &[
            ("lspwright rename src/order.py::Order::total amount", "show the diff; nothing is written"),
            ("lspwright rename src/order.ts:12:9 amount --apply", "check it, then write it"),
            ("lspwright rename Order Purchase --in-strings --in-comments", "texts too, each told"),
            ("lspwright rename Order Purchase -o json > plan.json", "keep the plan"),
        ],
    ),
    (
        "move",
        &[
            ("lspwright move src/util.py src/shop/util.py", "show the diff; nothing is written"),
            ("lspwright move src/models src/domain/models --apply", "a directory, with every import of it"),
        ],
    ),
    (
        "refactor",
        &[
            ("lspwright refactor --list", "all names, and where they can be used"),
            ("lspwright refactor src/order.py::Order::total", "what could be done here"),
            ("lspwright refactor extract-function src/order.py#L10-L15 --name subtotal", ""),
            ("lspwright refactor move-symbol src/a.py::helper --to src/b.py --apply", ""),
        ],
    ),
    (
        "problems",
        &[
            ("lspwright problems src", "counted by rule"),
            ("lspwright problems -o sarif > found.sarif", "for code scanning"),
        ],
    ),
    ("check", &[("lspwright check", "the whole project"), ("lspwright check src/order.py", "one file")]),
    ("test", &[("lspwright test", ""), ("lspwright test tests/test_order.py --filter total", "")]),
    ("run", &[("lspwright run src/main.py -- --verbose in.txt", "")]),
    ("compile", &[("lspwright compile", ""), ("lspwright compile contracts", "")]),
    ("pretty-print", &[("lspwright pretty-print src/order.py", "")]),
    (
        "actions",
        &[
            ("lspwright actions src/order.py:12:9", "what the servers can do here"),
            ("lspwright actions src/order.py:12:9 'Extract variable' --apply", "one of them"),
        ],
    ),
    ("fix", &[("lspwright fix src --remove-unused", "show the diff; nothing is written")]),
    ("apply", &[("lspwright apply plan.json", ""), ("lspwright rename a b -o json | lspwright apply -", "")]),
    ("undo", &[("lspwright undo", "what was applied last")]),
    (
        "verify",
        &[("lspwright verify plan.json", ""), ("lspwright verify plan.json --check 'make test'", "by a command")],
    ),
    ("review", &[("lspwright review plan.json > plan.html", "")]),
    ("inspect", &[("lspwright inspect src/order.py", ""), ("lspwright inspect src -o json", "")]),
    ("outline", &[("lspwright outline src/order.py", "")]),
    ("find", &[("lspwright find Order", "")]),
    ("show", &[("lspwright show src/order.py::Order", "")]),
    ("uses", &[("lspwright uses src/order.py::Order::total", "")]),
    ("callers", &[("lspwright callers src/order.py::Order::total", "")]),
    ("errors", &[("lspwright errors src/order.py::load", "")]),
    ("smells", &[("lspwright smells src", ""), ("lspwright smells -o html > smells.html", "a page to look at")]),
    ("entrypoints", &[("lspwright entrypoints contracts", "")]),
    ("function_insights", &[("lspwright function_insights contracts/Vault.sol:Vault.withdraw", "")]),
    (
        "callgraph",
        &[("lspwright callgraph contracts/Vault.sol", ""), ("lspwright callgraph src -o svg > calls.svg", "a picture")],
    ),
    ("peek", &[("lspwright peek contracts", "")]),
    ("metrics", &[("lspwright metrics contracts", "")]),
    ("setup", &[("lspwright setup", "for the project here"), ("lspwright setup --language python", "")]),
    ("init", &[("lspwright init claude", "show what would change"), ("lspwright init claude --apply", "")]),
    ("servers", &[("lspwright servers list", ""), ("lspwright servers install pyright", "")]),
    ("doctor", &[("lspwright doctor --project ../shop", "")]),
    ("schema", &[("lspwright schema", "the names"), ("lspwright schema plan", "")]),
    ("completions", &[("lspwright completions bash > ~/.local/share/bash-completion/completions/lspwright", "")]),
    ("manual", &[("lspwright manual | man -l -", ""), ("lspwright manual ~/.local/share/man/man1", "a page each")]),
    (
        "serve",
        &[
            ("lspwright serve --project .", "over stdin and stdout"),
            ("lspwright serve --toolsets plan,refactor --read-only", ""),
            ("lspwright serve --http 8080 --project .", "over HTTP, for this machine"),
        ],
    ),
    ("daemon", &[("lspwright daemon status", ""), ("lspwright daemon stop", "")]),
    ("solidity-server", &[("lspwright solidity-server", "an editor starts it so")]),
];

/// Puts the examples into the help of each command, before what stands at its end.
pub(super) fn shown(mut line: Command) -> Command {
    for (name, examples) in EXAMPLES {
        line = line.mut_subcommand(name, |command| {
            let rest = command.get_after_help().map(ToString::to_string);
            let rest = rest.map_or_else(String::new, |rest| format!("\n\n{rest}"));
            command.after_help(format!("Examples:\n{}{rest}", listed(examples)))
        });
    }
    line
}

/// Writes what an example does behind it, where that fits a line.
fn listed(examples: &[(&str, &str)]) -> String {
    let width = examples.iter().map(|(line, _)| line.len()).max().unwrap_or_default();
    let line = |(line, about): &(&str, &str)| match about.is_empty() {
        true => format!("  {line}"),
        false => format!("  {line:width$}  # {about}"),
    };
    examples.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::EXAMPLES;
    use crate::cli::args::spelled_out;
    use crate::cli::args::{command, parsed};
    use crate::lsp::split_words;

    #[test]
    fn every_command_has_examples_that_it_takes() {
        let commands: Vec<String> = command().get_subcommands().map(|it| it.get_name().to_owned()).collect();
        let shown: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
        assert_eq!(shown, commands, "in the order of the commands");
        for (name, examples) in EXAMPLES {
            for (line, _) in *examples {
                let last = line.rsplit("| ").find(|part| part.starts_with("lspwright")).unwrap();
                let typed =
                    last.split([' ']).take_while(|word| !["|", ">"].contains(word)).collect::<Vec<_>>().join(" ");
                let words = split_words(&typed).unwrap().into_iter().map(Into::into).collect();
                assert_eq!(typed.split(' ').nth(1), Some(*name), "{line}");
                assert!(parsed(command(), spelled_out(words)).is_ok(), "{line}");
            }
        }
    }
}
