//! The plans that a session keeps.

use levada_compile::Signature;
use levada_executor::Plan;
use std::collections::HashMap;
use std::sync::Arc;

/// The default number of plans that a session keeps.
pub(crate) const DEFAULT_LIMIT: usize = 1000;

/// The most recently used plans by signature. Nodes keep their numbers as the graph grows, so plans stay valid.
pub(crate) struct Plans {
    limit: usize,
    /// Counts uses.
    clock: u64,
    /// With the time of the last use.
    plans: HashMap<Signature, (Arc<Plan>, u64)>,
}

impl Plans {
    /// Keeps at most `limit` plans; 0 for the default.
    pub(crate) fn new(limit: usize) -> Plans {
        let limit = if limit == 0 { DEFAULT_LIMIT } else { limit };
        Plans { limit, clock: 0, plans: HashMap::new() }
    }

    pub(crate) fn get(&mut self, signature: &Signature) -> Option<Arc<Plan>> {
        self.clock += 1;
        let (plan, used) = self.plans.get_mut(signature)?;
        *used = self.clock;
        Some(plan.clone())
    }

    /// Keeps a plan unless one for the same run has been inserted meanwhile, and returns the one that is kept. Evicted
    /// plans are returned for the caller to drop outside of the lock.
    pub(crate) fn insert(&mut self, signature: Signature, plan: Arc<Plan>) -> (Arc<Plan>, Vec<Arc<Plan>>) {
        let dropped = if self.plans.len() >= self.limit { self.drop_oldest() } else { Vec::new() };
        self.clock += 1;
        (self.plans.entry(signature).or_insert((plan, self.clock)).0.clone(), dropped)
    }

    /// Evicts an eighth of the plans at a time, to amortize the search for the oldest.
    fn drop_oldest(&mut self) -> Vec<Arc<Plan>> {
        let mut times: Vec<u64> = self.plans.values().map(|(_, used)| *used).collect();
        let (_, &mut last, _) = times.select_nth_unstable(self.limit.div_ceil(8) - 1);
        self.plans.extract_if(|_, (_, used)| *used <= last).map(|(_, (plan, _))| plan).collect()
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.plans.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada_executor::{FrameLayout, PlanTables};
    use levada_graph::NodeId;

    /// A plan without nodes.
    fn empty() -> Arc<Plan> {
        let tables = PlanTables { frames: vec![FrameLayout::default()], ..PlanTables::default() };
        Arc::new(Plan::new(tables).unwrap())
    }

    fn signature(target: usize) -> Signature {
        Signature { targets: vec![NodeId::new(target)], ..Signature::default() }
    }

    #[test]
    fn what_was_used_last_stays() {
        let mut plans = Plans::new(16);
        for i in 0..16 {
            assert!(plans.insert(signature(i), empty()).1.is_empty());
        }
        assert!(plans.get(&signature(0)).is_some());
        let (_, dropped) = plans.insert(signature(16), empty());
        assert_eq!((dropped.len(), plans.len()), (2, 15));
        let there = |plans: &mut Plans, i| plans.get(&signature(i)).is_some();
        assert_eq!([0, 1, 2, 3, 16].map(|i| there(&mut plans, i)), [true, false, false, true, true]);
        for i in 0..1000 {
            plans.insert(signature(i), empty());
            assert!(plans.len() <= 16);
        }
    }

    #[test]
    fn a_limit_of_one_keeps_one() {
        let mut plans = Plans::new(1);
        for i in 0..5 {
            plans.insert(signature(i), empty());
            assert_eq!(plans.len(), 1);
        }
        assert!(plans.get(&signature(4)).is_some());
    }
}
