//! What a user can ask an agent to do with the tools (MCP 2025-11-25 § Prompts).

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

/// One prompt; what stands in braces is an argument of it.
struct Written {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [(&'static str, &'static str)],
    text: &'static str,
}

const PROMPTS: &[Written] = &[
    Written {
        name: "rename_everywhere",
        title: "Rename everywhere",
        description: "Renames a symbol with every use in the project.",
        arguments: &[("target", "What is renamed: src/order.py::Order::total"), ("new_name", "Its new name")],
        text: "Rename `{target}` to `{new_name}` in the whole project. Call planRenameSymbol with target and newName. \
            Where it answers canRename: false, tell me the reason and stop: do not edit by hand instead. Otherwise read \
            the warnings: look at each place that a `possible-use` names, and tell me which of them must change. Then \
            call applyPlan with the planId, without reading the edits first: it checks them. At the end say what was \
            changed and which warnings are left.",
    },
    Written {
        name: "clean_up_file",
        title: "Clean up a file",
        description: "Fixes the code smells of a file, one checked refactoring at a time.",
        arguments: &[("path", "The file")],
        text: "Clean `{path}` up. Call analyze_code with that path. Take the smells from the worst on: for each call \
            preview_refactoring with the refactoring that it suggests and the smell's location as the target, read the \
            diff, and where it makes the code clearer call apply_refactoring with the plan_id. Where a refactoring is \
            refused, leave that smell and say why. Change nothing by hand that a refactoring could do. Run the project's \
            tests after each step, and take a step that breaks them back with undoPlan.",
    },
    Written {
        name: "audit_contract",
        title: "Audit a contract",
        description: "Walks through what outsiders can call in a contract.",
        arguments: &[("path", "The contract's file")],
        text: "Audit `{path}`. Call entrypoints with paths: [\"{path}\"]. For each function there that changes state, \
            call function_insights and look at `order`: writes that follow an external call, calls whose failure is not \
            caught, and state that is written without a modifier that restricts who may call. Read `problems` and \
            `unresolved` of every answer, and say what could not be seen. Report findings by severity, each with its \
            function and line; no finding without a place in the code.",
    },
];

/// Lists the prompts.
pub(super) fn list() -> Vec<Prompt> {
    let argument = |(name, about): &(&'static str, &'static str)| {
        PromptArgument::new(*name).with_description(*about).with_required(true)
    };
    let prompt = |prompt: &Written| {
        let arguments = prompt.arguments.iter().map(argument).collect();
        Prompt::new(prompt.name, Some(prompt.description), Some(arguments)).with_title(prompt.title)
    };
    PROMPTS.iter().map(prompt).collect()
}

/// Fills a prompt in.
///
/// # Errors
/// Says what is missing.
pub(super) fn get(name: &str, arguments: &JsonObject) -> Result<GetPromptResult, String> {
    let known = || PROMPTS.iter().map(|prompt| prompt.name).collect::<Vec<_>>().join(", ");
    let prompt = PROMPTS.iter().find(|prompt| prompt.name == name);
    let prompt = prompt.ok_or_else(|| format!("no prompt `{name}`; there are {}", known()))?;
    let mut text = prompt.text.to_owned();
    for (name, about) in prompt.arguments {
        let given = arguments.get(*name).and_then(|value| value.as_str()).filter(|value| !value.is_empty());
        let given = given.ok_or_else(|| format!("`{name}` is missing: {about}"))?;
        text = text.replace(&format!("{{{name}}}"), given);
    }
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).with_description(prompt.description))
}
