//! Plans as resources (MCP 2025-11-25 § Resources): what does not fit into an answer is read here.

use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use crate::render;
use crate::text::quoted;
use crate::tools::{Planned, Projects, RESOURCES};

const DIFF: &str = "/diff";

/// Lists the plans that open projects keep, each with its diff.
pub(super) async fn list(projects: &Projects) -> Vec<Resource> {
    let of = |planned: Planned| {
        let uri = format!("{RESOURCES}{}", planned.plan.id().as_str());
        let summary = planned.summary();
        let plan = Resource::new(&uri, format!("plan {}", planned.plan.id().as_str()));
        let diff = Resource::new(format!("{uri}{DIFF}"), format!("diff of plan {}", planned.plan.id().as_str()));
        [
            plan.with_description(&summary).with_mime_type("application/json"),
            diff.with_description(summary).with_mime_type("text/x-diff"),
        ]
    };
    Planned::kept(projects).await.into_iter().flat_map(of).collect()
}

/// What a URI of a plan looks like.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let plan = ResourceTemplate::new(format!("{RESOURCES}{{id}}"), "plan");
    let diff = ResourceTemplate::new(format!("{RESOURCES}{{id}}{DIFF}"), "diff of a plan");
    vec![
        plan.with_description("A plan with all of its edits.").with_mime_type("application/json"),
        diff.with_description("What a plan does, for reading.").with_mime_type("text/x-diff"),
    ]
}

/// Reads a plan or its diff; nothing where none of that name is kept.
pub(super) async fn read(projects: &Projects, uri: &str) -> Option<ResourceContents> {
    let name = uri.strip_prefix(RESOURCES)?;
    let (id, is_diff) = name.strip_suffix(DIFF).map_or((name, false), |id| (id, true));
    let planned = Planned::kept(projects).await.into_iter().find(|planned| planned.plan.id().as_str() == id)?;
    let (text, kind) = match is_diff {
        true => (render::diff(&planned.plan, planned.project.root()), "text/x-diff"),
        false => (serde_json::to_string(&planned.to_json()).ok()?, "application/json"),
    };
    Some(ResourceContents::text(text, uri).with_mime_type(kind))
}

/// Says that nothing is called that, and where to look.
pub(super) fn missing(uri: &str) -> ErrorData {
    let why = format!("no plan is kept as {}; resources/list names those that are", quoted(uri));
    ErrorData::resource_not_found(why, None)
}

/// Returns the URIs under which a plan stands.
pub(super) fn uris(id: &str) -> [String; 2] {
    [format!("{RESOURCES}{id}"), format!("{RESOURCES}{id}{DIFF}")]
}
