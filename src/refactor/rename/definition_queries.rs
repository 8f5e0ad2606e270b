//! What names mean to a server, asked for many places at a time.

use futures::{StreamExt as _, TryStreamExt as _};

use crate::lsp::{Feature, Location, Place, Server};
use crate::refactor::Refusal;
use crate::session::SessionError;

/// So many questions are under way at a time.
const AT_ONCE: usize = 8;

/// Returns, place by place, where a name is declared; nothing where no type is known.
pub(crate) async fn meanings(server: &Server, name: &str, places: Vec<Place>) -> Result<Vec<Vec<Location>>, Refusal> {
    let ask = |place: Place| async move { server.definition(&place).await };
    let mut answers = futures::stream::iter(places).map(ask).buffered(AT_ONCE);
    let mut found = Vec::new();
    while let Some(answer) = answers.next().await {
        let mut leads = answer.map_err(SessionError::from)?;
        // Of an argument that it knows nothing about, basedpyright 1.40.1 names the function that takes it.
        leads.retain(|location| says(server, location, name));
        found.push(leads);
    }
    Ok(found)
}

/// Returns, place by place, what a server names of it.
pub(super) async fn locations(
    server: &Server,
    feature: Feature,
    places: Vec<Place>,
) -> Result<Vec<Vec<Location>>, Refusal> {
    let ask = |place: Place| async move {
        match feature {
            Feature::TypeDefinition => server.type_definition(&place).await,
            Feature::Declaration => server.declaration(&place).await,
            _ => server.definition(&place).await,
        }
    };
    let answers = futures::stream::iter(places).map(ask).buffered(AT_ONCE);
    Ok(answers.try_collect().await.map_err(SessionError::from)?)
}

/// Tells whether the name stands where an answer leads.
fn says(server: &Server, location: &Location, name: &str) -> bool {
    let text = server.seen(&location.path);
    text.is_ok_and(|text| location.span.of(text.as_str()).is_some_and(|text| text.contains(name)))
}
