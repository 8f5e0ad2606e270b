//! What is kept of one walk of the disk: true as long as every file stands as that walk saw it.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::workspace::{Files, locked};

/// One value of each type, with the walk that it was made from.
#[derive(Default)]
pub(super) struct Kept(Mutex<BTreeMap<TypeId, (Files, Value)>>);

type Value = Arc<dyn Any + Send + Sync>;

impl Kept {
    /// Returns the value of a type for a walk; `renew` makes it where there is none, from that of another walk if there is
    /// one.
    pub(super) fn of<T: Any + Send + Sync>(&self, files: &Files, renew: impl FnOnce(Option<&T>) -> T) -> Arc<T> {
        let known = locked(&self.0).get(&TypeId::of::<T>()).cloned();
        let known = known.and_then(|(of, value)| Some((of, value.downcast::<T>().ok()?)));
        if let Some((_, value)) = known.as_ref().filter(|(of, _)| of.is(files)) {
            return Arc::clone(value);
        }
        // Not locked meanwhile: it may take its time.
        let value = Arc::new(renew(known.as_ref().map(|(_, value)| &**value)));
        locked(&self.0).insert(TypeId::of::<T>(), (files.clone(), Arc::clone(&value) as Value));
        value
    }
}
