//! The server itself: which tools there are, and what a call of one answers.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use serde_json::Value;
use tokio::time::timeout;

use super::command::{Commands, checks_plans};
use super::describe::{describe, object};
use super::progress::Progress;
use super::roots::Roots;
use super::wire;
use crate::text::AbsPath;
use crate::tools::error::ErrorJson;
use crate::tools::{Context, Effect, Form, Projects, Reader, TOOLS, Tool, ToolError, Toolset};

/// How long an answer waits for the notes before it.
const LAST_NOTES: Duration = Duration::from_millis(500);

/// What one server offers.
#[derive(Debug, Clone)]
pub struct Offer {
    pub toolsets: Vec<Toolset>,
    /// The project that calls without a `projectRoot` mean.
    pub project: Option<AbsPath>,
    /// Tools that write are left out.
    pub read_only: bool,
    pub commands: Commands,
}

/// One client's connection.
pub struct Server {
    projects: Arc<Projects>,
    offer: Offer,
    table: &'static [Tool],
    roots: Roots,
}

impl Server {
    pub fn new(projects: Arc<Projects>, offer: Offer) -> Self {
        Self { projects, offer, table: TOOLS, roots: Roots::default() }
    }

    fn tools(&self) -> impl Iterator<Item = &'static Tool> {
        let allowed = |tool: &&Tool| {
            self.offer.toolsets.contains(&tool.toolset) && (tool.effect == Effect::Reads || !self.offer.read_only)
        };
        self.table.iter().filter(allowed)
    }

    async fn call(
        &self,
        tool: &Tool,
        mut args: JsonObject,
        context: RequestContext<RoleServer>,
    ) -> Result<String, ToolError> {
        let command = if checks_plans(&object((tool.input)())) { self.offer.commands.take(&mut args)? } else { None };
        let around = self.roots.of(&context.peer).await;
        let (progress, mut sending) = Progress::to(context.peer, context.meta.get_progress_token());
        let sink = Arc::clone(&progress) as Arc<_>;
        let projects = Arc::clone(&self.projects);
        let surroundings = Context { projects, sink, around, command, cancelled: context.ct };
        let (run, runtime) = (tool.run, tokio::runtime::Handle::current());
        // On a thread of its own: a call that reads or computes for long keeps no other from being answered.
        let called =
            tokio::task::spawn_blocking(move || runtime.block_on(run(&surroundings, Value::Object(args)))).await;
        // A panic would leave the client without any answer.
        let answer = called.unwrap_or_else(|error| {
            Err(error.try_into_panic().map_or_else(|_| ToolError::cancelled(), |panic| ToolError::panicked(&*panic)))
        });
        progress.end();
        // No note may follow the answer (MCP, Progress). Once stdin has ended, notes are no longer sent at all.
        if timeout(LAST_NOTES, &mut sending).await.is_err() {
            sending.abort();
        }
        answer
    }

    fn arguments(&self, request: CallToolRequestParams) -> JsonObject {
        let mut args = request.arguments.unwrap_or_default();
        if let (Some(project), false) = (&self.offer.project, args.contains_key("projectRoot")) {
            args.insert("projectRoot".to_owned(), Value::String(project.as_str().to_owned()));
        }
        args
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let identity = Implementation::new("lspwright", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(identity)
            .with_instructions(
                "Plans renames, moves and refactorings over a whole project. Plans and previews change nothing; apply a plan \
                 whole, by applyPlan, apply_refactoring or yourself: edits first (positions are those before the plan), \
                 then fsMoves.",
            )
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools().map(|tool| describe(tool, &self.offer)).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.tools().find(|tool| tool.name == name).map(|tool| describe(tool, &self.offer))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = self.tools().map(|tool| tool.name).collect();
            let message = format!("no tool `{}`; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let args = self.arguments(request);
        Ok(match self.call(tool, args, context).await {
            Ok(answer) => match tool.form {
                Form::Json(_) => wire::result(answer).into(),
                Form::Toon => CallToolResult::success(vec![ContentBlock::text(answer)]).into(),
            },
            Err(error) => error_result(&error.for_reader(Reader::Agent), tool.form).into(),
        })
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.roots.forget();
    }

    // Not declared as capabilities, so not answered as if they were (the defaults answer with empty lists).

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<rmcp::model::ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<rmcp::model::ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<rmcp::model::ListResourceTemplatesRequestMethod>())
    }
}

/// An error as a result that the model reads: no structured content, for that would have to fit the output schema.
fn error_result(error: &ToolError, form: Form) -> CallToolResult {
    let said = match form {
        Form::Json(_) => serde_json::to_string(&ErrorJson { error }).expect("strings have a JSON form"),
        Form::Toon => error.to_toon(),
    };
    CallToolResult::error(vec![ContentBlock::text(said)])
}

#[cfg(test)]
mod tests;
