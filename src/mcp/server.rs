//! The server itself: which tools there are, and what a call of one answers.

#![expect(deprecated, reason = "clients of the versions before 2026-07-28 know no other way")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, CompletionInfo,
    ContentBlock, GetPromptRequestParams, GetPromptResponse, Implementation, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleServer, SubscriptionContext};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::choice::{Asked, Asker};
use super::command::{Commands, checks_plans};
use super::describe::{describe, object};
use super::log::Log;
use super::news::Subscribed;
use super::progress::Progress;
use super::roots::Roots;
use super::{news, prompts, resources, wire};
use crate::syntax::Language;
use crate::text::AbsPath;
use crate::tools::coding::Desk;
use crate::tools::error::ErrorJson;
use crate::tools::{
    self, Context, Effect, Form, Page, Projects, Reader, Sink, Structure, TOOLS, Tool, ToolError, Toolset,
    WrittenAnswer, fetch_ahead, languages, projects_around,
};
use crate::workspace::locked;

/// How long an answer waits for the notes before it.
const LAST_NOTES: Duration = Duration::from_millis(500);
/// How long the list of tools waits for what a project holds.
const LOOK: Duration = Duration::from_millis(500);

/// What one server offers.
#[derive(Debug, Clone)]
pub struct Offer {
    pub toolsets: Toolsets,
    /// The project that calls without a `projectRoot` mean.
    pub project: Option<AbsPath>,
    /// Where the client has started the program.
    pub dir: Option<AbsPath>,
    /// Tools that write are left out.
    pub read_only: bool,
    pub commands: Commands,
}

/// Which tools there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Toolsets {
    /// Those that most projects need; others join them where the project has something for them.
    Usual,
    Named(Vec<Toolset>),
}

/// What is known of the projects that the user works in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Nothing,
    /// Nothing yet, and the tools were listed without it.
    Unawaited,
    Programs,
    Contracts,
}

/// One client's connection.
pub struct Server {
    projects: Arc<Projects>,
    offer: Offer,
    table: &'static [Tool],
    roots: Roots,
    subscribed: Subscribed,
    begun: AtomicBool,
    seen: Arc<watch::Sender<Seen>>,
    log: Log,
    desk: Arc<Desk>,
}

impl Server {
    pub fn new(projects: Arc<Projects>, offer: Offer) -> Self {
        Self {
            projects,
            offer,
            table: TOOLS,
            roots: Roots::default(),
            subscribed: Subscribed::default(),
            begun: AtomicBool::new(false),
            seen: Arc::new(watch::Sender::new(Seen::Nothing)),
            log: Log::default(),
            desk: Arc::default(),
        }
    }

    /// What the coding tools keep for this connection, to be cleared when it ends.
    pub(super) fn desk(&self) -> Arc<Desk> {
        Arc::clone(&self.desk)
    }

    /// The tools that can be called.
    fn tools(&self) -> impl Iterator<Item = &'static Tool> {
        let is_offered = |tool: &&Tool| match &self.offer.toolsets {
            Toolsets::Usual => Toolset::UNASKED.contains(&tool.toolset),
            Toolsets::Named(named) => named.contains(&tool.toolset),
        };
        let is_allowed = |tool: &&Tool| tool.effect == Effect::Reads || !self.offer.read_only;
        self.table.iter().filter(is_offered).filter(is_allowed)
    }

    /// Those that a client is told of: each costs the model that reads of it.
    fn listed(&self, seen: Seen) -> impl Iterator<Item = &'static Tool> {
        let is_usual = move |tool: &&Tool| match self.offer.toolsets {
            Toolsets::Named(_) => true,
            Toolsets::Usual => {
                let is_audit = tool.toolset == Toolset::Audit && seen == Seen::Contracts;
                is_audit || Toolset::DEFAULT.contains(&tool.toolset)
            }
        };
        self.tools().filter(is_usual)
    }

    /// Where the user works: in the project of this server, or where the client says.
    async fn around(&self, peer: &Peer<RoleServer>) -> Vec<AbsPath> {
        match &self.offer.project {
            Some(project) => vec![project.clone()],
            None => self.roots.of(peer, self.offer.dir.as_ref()).await,
        }
    }

    /// Looks at the projects that the user works in, once: what tools they need, and which servers have to be fetched.
    async fn look_around(&self, peer: &Peer<RoleServer>) {
        if self.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let (sink, around) = (Arc::new(Unheard) as Arc<_>, self.around(peer).await);
        let (projects, cancelled) = (Arc::clone(&self.projects), CancellationToken::new());
        let context =
            Context { projects, sink, around, command: None, desk: Arc::default(), cancelled, entered: Arc::default() };
        let (peer, log, seen) = (peer.clone(), self.log.clone(), Arc::clone(&self.seen));
        tokio::spawn(async move {
            let projects = projects_around(&context).await;
            let mut found = Seen::Programs;
            for project in &projects {
                if languages(project).await.contains(&Language::Solidity) {
                    found = Seen::Contracts;
                }
            }
            let was_awaited = seen.send_replace(found) == Seen::Unawaited;
            if was_awaited && found == Seen::Contracts {
                // A client that is gone needs no tools.
                let _ = peer.notify_tool_list_changed().await;
            }
            let note = |note: &str| log.tell(&peer, note);
            for project in &projects {
                fetch_ahead(project, &note).await;
            }
        });
    }

    /// Waits a little for what there is to be seen; the list that is told without it is told to have changed later.
    async fn seen(&self) -> Seen {
        let mut seen = self.seen.subscribe();
        let looked = async { seen.wait_for(|seen| *seen >= Seen::Programs).await.map(|seen| *seen) };
        if let Ok(Ok(seen)) = timeout(LOOK, looked).await {
            return seen;
        }
        self.seen.send_if_modified(|seen| {
            let is_open = *seen == Seen::Nothing;
            if is_open {
                *seen = Seen::Unawaited;
            }
            is_open
        });
        *self.seen.borrow()
    }

    async fn call(
        &self,
        tool: &Tool,
        mut args: JsonObject,
        context: RequestContext<RoleServer>,
    ) -> Result<WrittenAnswer, ToolError> {
        let page = if tool.is_paged() { Page::take(&mut args)? } else { Page::only() };
        let command = if checks_plans(&object((tool.input)())) { self.offer.commands.take(&mut args)? } else { None };
        let around = self.around(&context.peer).await;
        let (progress, sending) = Progress::to(context.peer, context.meta.get_progress_token());
        let sink = Arc::clone(&progress) as Arc<_>;
        let projects = Arc::clone(&self.projects);
        let desk = Arc::clone(&self.desk);
        let surroundings =
            Context { projects, sink, around, command, desk, cancelled: context.ct, entered: Arc::default() };
        let (run, form, runtime) = (tool.run, tool.form, tokio::runtime::Handle::current());
        // On a thread of its own: a call that reads or computes for long keeps no other from being answered.
        let work = move || runtime.block_on(run(&surroundings, Value::Object(args)))?.written(form, &page);
        let called = tokio::task::spawn_blocking(work).await;
        // A panic would leave the client without any answer.
        let answer = called.unwrap_or_else(|error| {
            Err(error.try_into_panic().map_or_else(|_| ToolError::cancelled(), |panic| ToolError::panicked(&*panic)))
        });
        progress.end();
        // No note may follow the answer (MCP, Progress). Once stdin has ended, notes are no longer sent at all.
        if let Some(mut sending) = sending
            && timeout(LAST_NOTES, &mut sending).await.is_err()
        {
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
        ServerConfig::new(capabilities()).with_server_info(identity).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.look_around(&context.peer).await;
        let seen = if self.offer.toolsets == Toolsets::Usual { self.seen().await } else { Seen::Nothing };
        Ok(ListToolsResult::with_all_items(self.listed(seen).map(|tool| describe(tool, self.offer.commands)).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.tools().find(|tool| tool.name == name).map(|tool| describe(tool, self.offer.commands))
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
        let asker = Asker::of(&context, request.input_responses.as_ref());
        let args = self.arguments(request);
        // Arguments may be whole files: they are kept for those alone who may be asked about them.
        let again = asker.map(|asker| (asker, args.clone(), context.clone()));
        let mut called = self.call(tool, args, context).await;
        if let (Err(error), Some((asker, args, context))) = (&called, again) {
            match asker.ask(args, error).await {
                Asked::Chosen(args) => called = self.call(tool, args, context).await,
                Asked::Open(question) => return Ok(question.into()),
                Asked::Nothing => {}
            }
        }
        Ok(match called {
            Ok(answer) => result(answer).into(),
            Err(error) => error_result(&error.for_reader(Reader::Agent), tool.form).into(),
        })
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.roots.forget();
        self.begun.store(false, Ordering::Relaxed);
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let (events, subscribed) = (self.projects.events(), Arc::clone(&self.subscribed));
        tokio::spawn(news::tell(context.peer.clone(), events, subscribed));
        self.look_around(&context.peer).await;
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let prompt = prompts::get(&request.name, &arguments);
        prompt.map(Into::into).map_err(|why| ErrorData::invalid_params(why, None))
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list(&self.projects).await))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let found = resources::read(&self.projects, &request.uri).await;
        let found = found.ok_or_else(|| resources::missing(&request.uri))?;
        Ok(ReadResourceResult::new(vec![found]).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let known = resources::read(&self.projects, &request.uri).await;
        known.ok_or_else(|| resources::missing(&request.uri))?;
        locked(&self.subscribed).insert(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        locked(&self.subscribed).remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        news::listen(&context, self.projects.events()).await;
        Ok(())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let (sink, around) = (Arc::new(Unheard) as Arc<_>, self.around(&context.peer).await);
        let surroundings = Context {
            projects: Arc::clone(&self.projects),
            sink,
            around,
            command: None,
            desk: Arc::default(),
            cancelled: context.ct,
            entered: Arc::default(),
        };
        let (argument, most) = (request.argument, CompletionInfo::MAX_VALUES);
        let values = tools::complete(&surroundings, &argument.name, &argument.value, most).await;
        let completion = CompletionInfo::new(values).map_err(|why| ErrorData::internal_error(why, None))?;
        Ok(CompleteResult::new(completion))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.log.set(request.level);
        Ok(())
    }
}

/// What a model is told of all tools together.
const INSTRUCTIONS: &str = "Plans renames, moves and refactorings over a whole project, from real language servers. A plan \
    changes nothing and is complete, or refused with the reason. The cheapest path: planRenameSymbol (planFileMove, \
    preview_refactoring), read the warnings, then applyPlan with the planId; the edits need not be read for that. Never \
    rename or move by search and replace instead. Answers stay below 5,000 tokens: `more` counts what is left of a list, \
    and the same call with cursor = more.cursor goes on; `limit` is rows per list. `--toolsets plan,refactor,explore,write` \
    adds tools that read and write the project as declarations with lasting ids.";

fn capabilities() -> ServerCapabilities {
    ServerCapabilities::builder()
        .enable_completions()
        .enable_logging()
        .enable_prompts()
        .enable_resources()
        .enable_resources_list_changed()
        .enable_resources_subscribe()
        .enable_tools()
        .enable_tool_list_changed()
        .build()
}

/// Takes notes that nobody waits for.
struct Unheard;

impl Sink for Unheard {
    fn note(&self, _note: &str) {}
}

fn result(answer: WrittenAnswer) -> CallToolResult {
    match answer.structure {
        Structure::Text => wire::result(answer.text),
        Structure::None => CallToolResult::success(vec![ContentBlock::text(answer.text)]),
        Structure::Own(structure) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
            result.structured_content = Some(structure);
            result
        }
    }
}

/// An error as a result that the model reads: no structured content, for that would have to fit the output schema.
pub(super) fn error_result(error: &ToolError, form: Form) -> CallToolResult {
    let said = match form {
        Form::Json(_) | Form::Text => serde_json::to_string(&ErrorJson { error }).expect("strings have a JSON form"),
        Form::Toon => error.to_toon(),
    };
    CallToolResult::error(vec![ContentBlock::text(said)])
}

#[cfg(test)]
mod tests;
