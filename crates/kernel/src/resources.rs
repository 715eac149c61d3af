//! Named state that outlives a step: variables, queues, generators.

use crate::cancel::CancelToken;
use crate::lane::Lane;
use crate::limits::{Meter, Policy};
use crate::watch::Sleeper;
use foldhash::fast::RandomState;
use levada_graph::{Error, Handle, Result, Tensor};
use levada_sync::Mutex;
use levada_sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

/// What a step shares with the functions that it calls.
#[derive(Default)]
pub struct Scope {
    resources: Resources,
    /// The steps of functions that have had to wait. The lock protects the list.
    members: Mutex<Vec<Weak<dyn Sleeper>>>,
    /// How often a node of the step or of its functions has been woken. Sequentially consistent: see
    /// [`levada_stall::Sleeps`].
    wakes: AtomicU64,
    /// The lane on devices, once it has been requested.
    lane: OnceLock<Lane>,
    /// The scope of which this one's steps are a part when they wait.
    outer: Option<Arc<Scope>>,
    /// Meters what the step uses, if that is limited.
    meter: Option<Arc<Meter>>,
    /// The run's deadline, and what cancels it.
    ends: Option<(Option<Instant>, CancelToken)>,
    /// True once a kernel has skipped work because the run is over.
    was_cut: AtomicBool,
}

impl Scope {
    /// A scope with resources of its own; its steps count as steps of `outer` when sleeping steps are determined, and
    /// for its meter.
    pub fn within(outer: Arc<Scope>) -> Scope {
        let meter = outer.meter.clone();
        Scope { outer: Some(outer), meter, ..Scope::default() }
    }

    /// The scope of a run that this policy limits, if there is one.
    pub fn metered(policy: Option<&Arc<Policy>>) -> Scope {
        Scope { meter: policy.map(|policy| Arc::new(Meter::new(policy))), ..Scope::default() }
    }

    /// As [`Scope::metered`], for a run with this deadline that this token cancels.
    #[inline]
    pub fn of_run(policy: Option<&Arc<Policy>>, deadline: Option<Instant>, cancel: &CancelToken) -> Scope {
        Scope {
            meter: policy.map(|policy| Arc::new(Meter::new(policy))),
            ends: Some((deadline, cancel.clone())),
            ..Scope::default()
        }
    }

    /// False once the run is cancelled or out of time: then a kernel may skip the rest of its work, and the run fails.
    pub fn goes_on(&self) -> bool {
        let goes_on = self.is_on();
        if !goes_on {
            self.was_cut.store(true, Ordering::Relaxed);
        }
        goes_on
    }

    /// As [`Scope::goes_on`], for a thread that skips nothing.
    pub(crate) fn is_on(&self) -> bool {
        let Some((deadline, cancel)) = &self.ends else { return true };
        !cancel.is_cancelled() && deadline.is_none_or(|deadline| levada_sync::now() < deadline)
    }

    /// True once a kernel of the run may have skipped work.
    #[inline]
    pub fn was_cut(&self) -> bool {
        self.was_cut.load(Ordering::Relaxed)
    }

    /// The meter of what the step uses, if that is limited.
    #[inline]
    pub fn meter(&self) -> Option<&Arc<Meter>> {
        self.meter.as_ref()
    }

    /// The scope that knows which steps sleep.
    fn waiting(&self) -> &Scope {
        self.outer.as_deref().unwrap_or(self)
    }

    /// Counts a node that is about to be woken.
    pub fn wake(&self) {
        self.waiting().wakes.fetch_add(1, Ordering::SeqCst);
    }

    /// How often a node of the step or of its functions has been woken.
    pub fn wakes(&self) -> u64 {
        self.waiting().wakes.load(Ordering::SeqCst)
    }

    /// The step's lane: see [`crate::lane`].
    #[inline]
    pub fn lane(&self) -> usize {
        self.lane.get_or_init(Lane::take).number()
    }

    /// Adds the step of a function, which waits for the first time.
    pub fn join(&self, member: Weak<dyn Sleeper>) {
        let mut members = self.waiting().members.lock();
        if members.len() == members.capacity() {
            members.retain(|m| m.strong_count() > 0);
        }
        members.push(member);
    }

    /// True if all steps of functions that have had to wait and have not ended are asleep. The latest are checked
    /// first: of nested calls, the innermost is the one that runs.
    pub fn all_sleep(&self) -> bool {
        // Dropped outside of the lock: they may be the last holders of their steps.
        let mut asked = Vec::new();
        let mut members = self.waiting().members.lock();
        while members.pop_if(|member| member.strong_count() == 0).is_some() {}
        let all = members.iter().rev().filter_map(Weak::upgrade).all(|member| {
            let sleeps = member.sleeps().is_some();
            asked.push(member);
            sleeps
        });
        drop(members);
        all
    }

    /// The steps of functions that have had to wait and have not ended.
    pub fn members(&self) -> Vec<Arc<dyn Sleeper>> {
        self.waiting().members.lock().iter().filter_map(Weak::upgrade).collect()
    }
}

impl Deref for Scope {
    type Target = Resources;
    fn deref(&self) -> &Resources {
        &self.resources
    }
}

struct Item {
    container: Arc<str>,
    kind: TypeId,
    resource: Arc<dyn Any + Send + Sync>,
    /// The scalar that refers to the resource, once it has been requested.
    handle: Option<Tensor>,
    /// The name of the node that last received the resource. Compared by identity: an equal name elsewhere may be
    /// another graph's node.
    given: Option<Arc<str>>,
}

impl Item {
    fn new<T: Any + Send + Sync>(container: &str, resource: Arc<T>) -> Item {
        Item { container: container.into(), kind: TypeId::of::<T>(), resource, handle: None, given: None }
    }
}

/// Resources by container, type and name.
#[derive(Default)]
pub struct Resources {
    /// By name, which few resources share. The lock protects the map only; a resource guards its own state.
    map: Mutex<HashMap<Arc<str>, Vec<Item>, RandomState>>,
}

fn find<'a, T: 'static>(items: &'a mut [Item], container: &str) -> Option<&'a mut Item> {
    let kind = TypeId::of::<T>();
    items.iter_mut().find(|item| item.kind == kind && *item.container == *container)
}

impl Resources {
    /// No resources.
    pub fn new() -> Resources {
        Resources::default()
    }

    /// The resource of type `T` with this name.
    pub fn get<T: Any + Send + Sync>(&self, container: &str, name: &str) -> Option<Arc<T>> {
        let found = find::<T>(self.map.lock().get_mut(name)?, container)?.resource.clone();
        found.downcast().ok()
    }

    /// The resource with this name, created by `make` if there is none. `make` runs under the map's lock, so it must be
    /// quick and must not touch this map.
    ///
    /// # Errors
    /// What `make` fails with.
    pub fn get_or_create<T: Any + Send + Sync>(
        &self,
        container: &str,
        name: &str,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<T>> {
        let found = self.with::<T, _>(container, name, make, |item| item.resource.clone())?;
        found.downcast().map_err(|_| Error::internal("a resource is not of the type it is filed under"))
    }

    /// A scalar with the handle of the resource with this name, which is made as in [`Resources::get_or_create`].
    ///
    /// # Errors
    /// What `make` fails with.
    pub fn handle<T: Any + Send + Sync>(
        &self,
        container: &str,
        name: &str,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Tensor> {
        self.with::<T, _>(container, name, make, |item| {
            let (container, object) = (&item.container, &item.resource);
            let make = || Handle { container: container.clone(), name: name.into(), object: Some(object.clone()) };
            item.handle.get_or_insert_with(|| Tensor::scalar(make())).clone()
        })
    }

    /// The handle of the resource with this name, if this node was the last to receive it.
    pub fn handle_given<T: Any>(&self, container: &str, name: &str, node: &Arc<str>) -> Option<Tensor> {
        let mut map = self.map.lock();
        let item = find::<T>(map.get_mut(name)?, container)?;
        item.given.as_ref().filter(|given| Arc::ptr_eq(given, node))?;
        item.handle.clone()
    }

    /// Records that this node has received the resource with this name.
    pub fn give<T: Any>(&self, container: &str, name: &str, node: &Arc<str>) {
        if let Some(item) = self.map.lock().get_mut(name).and_then(|items| find::<T>(items, container)) {
            item.given = Some(node.clone());
        }
    }

    /// The result of `look` on the item with this name, which is created if it does not exist.
    fn with<T: Any + Send + Sync, R>(
        &self,
        container: &str,
        name: &str,
        make: impl FnOnce() -> Result<T>,
        look: impl FnOnce(&mut Item) -> R,
    ) -> Result<R> {
        let mut map = self.map.lock();
        if let Some(item) = map.get_mut(name).and_then(|items| find::<T>(items, container)) {
            return Ok(look(item));
        }
        let mut item = Item::new(container, Arc::new(make()?));
        let result = look(&mut item);
        map.entry(name.into()).or_default().push(item);
        Ok(result)
    }

    /// Adds a resource, replacing one of the same type and name.
    pub fn insert<T: Any + Send + Sync>(&self, container: &str, name: &str, resource: Arc<T>) -> Option<Arc<T>> {
        let new = Item::new(container, resource);
        let mut map = self.map.lock();
        let items = map.entry(name.into()).or_default();
        let old = match find::<T>(items, container) {
            Some(item) => Some(std::mem::replace(item, new)),
            None => {
                items.push(new);
                None
            }
        };
        drop(map);
        old.and_then(|old| old.resource.downcast().ok())
    }

    /// Adds a resource unless there is one of the same type and name; returns false if there is.
    pub fn insert_new<T: Any + Send + Sync>(&self, container: &str, name: &str, resource: Arc<T>) -> bool {
        let mut map = self.map.lock();
        let items = map.entry(name.into()).or_default();
        let free = find::<T>(items, container).is_none();
        if free {
            items.push(Item::new(container, resource));
        }
        free
    }

    /// Removes the resource with this name.
    pub fn remove<T: Any + Send + Sync>(&self, container: &str, name: &str) -> Option<Arc<T>> {
        let kind = TypeId::of::<T>();
        let removed = self.take(name, |item| item.kind == kind && *item.container == *container)?;
        removed.resource.downcast().ok()
    }

    /// Removes the resource that a handle refers to; returns false if it does not exist.
    pub fn remove_handle(&self, handle: &Handle) -> bool {
        let Some(object) = &handle.object else { return false };
        self.take(&handle.name, |item| Arc::ptr_eq(&item.resource, object)).is_some()
    }

    fn take(&self, name: &str, wanted: impl Fn(&Item) -> bool) -> Option<Item> {
        let mut map = self.map.lock();
        let items = map.get_mut(name)?;
        let at = items.iter().position(wanted)?;
        let item = items.swap_remove(at);
        if items.is_empty() {
            map.remove(name);
        }
        Some(item)
    }

    /// Removes everything in a container.
    pub fn clear_container(&self, container: &str) {
        let mut dropped = Vec::new();
        self.map.lock().retain(|_, items| {
            dropped.extend(items.extract_if(.., |item| *item.container == *container));
            !items.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_node_that_was_given_a_resource_last_gets_it_unasked() {
        let resources = Resources::new();
        let nodes: [Arc<str>; 2] = ["queue".into(), "queue".into()];
        let given = |node: usize| resources.handle_given::<u8>("", "q", &nodes[node]).is_some();
        assert!(!given(0));
        resources.handle::<u8>("", "q", || Ok(1)).unwrap();
        assert!(!given(0));
        resources.give::<u8>("", "q", &nodes[0]);
        // A node of another graph may have the same name.
        assert!(given(0) && !given(1));
        assert!(resources.handle_given::<u16>("", "q", &nodes[0]).is_none());
        resources.give::<u8>("", "q", &nodes[1]);
        assert!(!given(0) && given(1));
        resources.clear_container("");
        assert!(!given(1));
    }
}
