//! The order in which the members of a region run.

use super::regions::Links;
use crate::draft::{Draft, NodeIx};
use levada_kernel::Join;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Reorders a group so that variables change after the last use of their old values, if that delays nothing: the value
/// is then unshared and can be updated in place. `group` is the group's number in `links`.
pub(super) fn changes_last(draft: &Draft<'_>, links: &Links, group: u32, members: &mut Vec<NodeIx>) {
    let position: HashMap<NodeIx, usize> = members.iter().enumerate().map(|(i, &at)| (at, i)).collect();
    let joins = |at: NodeIx, join: Join| links.join(draft, at) == join;
    // The reads of each handle: handles come from nodes outside the group that have no inputs.
    let handles = |at: NodeIx| {
        let is_handle = |&&before: &&NodeIx| joins(before, Join::Alone) && links.group[before as usize] != group;
        links.before[at as usize].iter().filter(is_handle).copied().collect::<Vec<_>>()
    };
    let mut reads: HashMap<NodeIx, Vec<NodeIx>> = HashMap::new();
    for &at in members.iter().filter(|&&at| joins(at, Join::Reads)) {
        handles(at).into_iter().for_each(|handle| reads.entry(handle).or_default().push(at));
    }
    if reads.is_empty() {
        return;
    }
    let inside = |at: NodeIx| links.before[at as usize].iter().filter(|&&b| links.group[b as usize] == group).count();
    let mut awaited: Vec<usize> = members.iter().map(|&at| inside(at)).collect();
    let mut extra: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for &change in members.iter().filter(|&&at| joins(at, Join::Changes)) {
        let mut behind: HashSet<NodeIx> = HashSet::from([change]);
        let mut open = vec![change];
        while let Some(at) = open.pop() {
            let after = links.after[at as usize].iter();
            open.extend(after.filter(|&&to| position.contains_key(&to) && behind.insert(to)));
        }
        for read in handles(change).iter().filter_map(|handle| reads.get(handle)).flatten() {
            for user in links.after[*read as usize].iter().filter(|to| !behind.contains(to)) {
                if let Some(&user) = position.get(user) {
                    extra[user].push(position[&change]);
                    awaited[position[&change]] += 1;
                }
            }
        }
    }
    let mut ready: BTreeSet<usize> = (0..members.len()).filter(|&i| awaited[i] == 0).collect();
    let mut order = Vec::with_capacity(members.len());
    while let Some(i) = ready.pop_first() {
        order.push(members[i]);
        let after = links.after[members[i] as usize].iter().filter_map(|to| position.get(to)).copied();
        for to in after.chain(extra[i].iter().copied()) {
            awaited[to] -= 1;
            if awaited[to] == 0 {
                ready.insert(to);
            }
        }
    }
    // If two variables each have to change before the other, the order stays.
    if order.len() == members.len() {
        *members = order;
    }
}
