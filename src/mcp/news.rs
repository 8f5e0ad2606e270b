//! What a client is told without asking: which plans there are, and what became of those that it subscribed to.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::resources;
use crate::tools::PlanEvent;
use crate::workspace::locked;

/// The resources that a client wants to hear of, by their URIs.
pub(super) type Subscribed = Arc<Mutex<BTreeSet<String>>>;

/// Tells a client of the versions before 2026-07-28, until it is gone.
pub(super) async fn tell(peer: Peer<RoleServer>, mut events: Receiver<PlanEvent>, subscribed: Subscribed) {
    while let Some(event) = next(&mut events).await {
        let told = match event {
            PlanEvent::Kept => peer.notify_resource_list_changed().await,
            PlanEvent::Applied(id) => {
                let wanted = resources::uris(id.as_str()).into_iter().filter(|uri| locked(&subscribed).contains(uri));
                let mut told = Ok(());
                for uri in wanted.collect::<Vec<_>>() {
                    told = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
                }
                told
            }
        };
        if told.is_err() {
            return;
        }
    }
}

/// Tells a client that listens (MCP 2026-07-28 § Subscriptions), until it stops.
pub(super) async fn listen(context: &SubscriptionContext, mut events: Receiver<PlanEvent>) {
    loop {
        let event = tokio::select! {
            () = context.cancelled() => return,
            event = next(&mut events) => event,
        };
        // What was not asked for is not sent; the sink knows.
        match event {
            None => return,
            Some(PlanEvent::Kept) => drop(context.sink().notify_resource_list_changed().await),
            Some(PlanEvent::Applied(id)) => {
                for uri in resources::uris(id.as_str()) {
                    drop(context.sink().notify_resource_updated(uri).await);
                }
            }
        }
    }
}

/// Returns the next event; one who was too slow hears that there were others.
async fn next(events: &mut Receiver<PlanEvent>) -> Option<PlanEvent> {
    match events.recv().await {
        Ok(event) => Some(event),
        Err(RecvError::Lagged(_)) => Some(PlanEvent::Kept),
        Err(RecvError::Closed) => None,
    }
}
