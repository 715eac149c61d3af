//! The lookup table: keys and values, and the operations of each kind of table.

use super::column::{Column, Key};
use crate::handle::Shared;
use crate::prelude::*;
use crate::rows::batch_shape;
use levada_kernel::Arena;
use parking_lot::RwLock;
use std::collections::HashMap;
use std::sync::Arc;

/// The kinds of table.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// Initialized once.
    Immutable,
    /// Modified at any time.
    Mutable,
    /// Mutable, with two reserved keys and a bucket count that is visible in exports.
    Dense { empty: Tensor, deleted: Tensor, buckets: usize, max_load: f32 },
}

/// The configuration of a table, from the attrs of the op that created it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Config {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) key: DType,
    pub(super) value: DType,
    pub(super) key_shape: Shape,
    pub(super) value_shape: Shape,
}

/// A table.
pub(super) struct Table {
    pub(super) config: Config,
    /// Protects the entries.
    entries: RwLock<Entries>,
}

struct Entries {
    filled: bool,
    /// Row indices by key.
    rows: HashMap<Key, usize>,
    keys: Column,
    values: Column,
    /// For a dense table: the number of buckets, and of those whose entry was removed.
    buckets: usize,
    removed: usize,
}

impl Entries {
    fn of(config: &Config) -> Entries {
        Entries {
            filled: false,
            rows: HashMap::new(),
            keys: Column::new(config.key, config.key_shape.num_elements()),
            values: Column::new(config.value, config.value_shape.num_elements()),
            buckets: if let Kind::Dense { buckets, .. } = config.kind { buckets } else { 0 },
            removed: 0,
        }
    }

    fn insert(&mut self, all: &[Key], keys: &Tensor, values: &Tensor) -> Result<()> {
        for (i, key) in all.iter().enumerate() {
            self.insert_row(key, keys, values, i)?;
        }
        Ok(())
    }

    /// Sets the value of `key`, row `i` of `keys`, to row `i` of `values`.
    fn insert_row(&mut self, key: &Key, keys: &Tensor, values: &Tensor, i: usize) -> Result<()> {
        match self.rows.get(key) {
            Some(&row) => self.values.set(row, values, i)?,
            None => {
                self.keys.push(keys, i)?;
                self.values.push(values, i)?;
                self.rows.insert(key.clone(), self.keys.len() - 1);
            }
        }
        Ok(())
    }

    fn remove(&mut self, key: &Key) -> bool {
        let Some(row) = self.rows.remove(key) else { return false };
        let last = self.keys.len() - 1;
        if row != last {
            self.rows.insert(self.keys.key(last), row);
        }
        self.keys.swap_remove(row);
        self.values.swap_remove(row);
        true
    }
}

impl Shared for Table {
    type Spec = Config;

    fn make(config: Config) -> Result<Table> {
        config.check()?;
        let entries = RwLock::new(Entries::of(&config));
        Ok(Table { config, entries })
    }

    fn check(&self, asked: &Config) -> Result<()> {
        let this = &self.config;
        if (this.key, this.value) != (asked.key, asked.value) {
            return Err(Error::invalid(format!(
                "Conflicting key/value dtypes {}->{} with {}-{} for table {}",
                asked.key, asked.value, this.key, this.value, this.name
            )));
        }
        if std::mem::discriminant(&this.kind) != std::mem::discriminant(&asked.kind) {
            return Err(Error::invalid(format!("the table {} is of another kind", this.name)));
        }
        Ok(())
    }
}

impl Kind {
    /// Returns the value dtypes of tables of this kind with keys of dtype `key`, as in TensorFlow.
    fn values(&self, key: DType) -> &'static [DType] {
        use DType::{Bool, F32, F64, I32, I64, Resource, Str, Variant};
        match (self, key) {
            (Kind::Immutable, I32) => &[F32, F64, I32, Str],
            (Kind::Immutable, I64) => &[F32, F64, I32, I64, Str],
            (Kind::Immutable, Str) => &[F32, F64, I32, I64, Bool, Str],
            (_, I32) => &[F32, F64, I32],
            (Kind::Mutable, I64) => &[F32, F64, I32, I64, Str, Variant],
            (Kind::Mutable, Str) => &[F32, F64, I32, I64, Bool],
            (Kind::Dense { .. }, I64) => &[F32, F64, I32, I64, Bool, Variant],
            (Kind::Dense { .. }, Str) => &[F32, F64, I32, I64, Bool, Resource],
            _ => &[],
        }
    }
}

impl Config {
    fn check(&self) -> Result<()> {
        if !self.kind.values(self.key).contains(&self.value) {
            return Err(Error::invalid(format!("tables from {} to {} are not supported", self.key, self.value))
                .attr("value_dtype")
                .expected(format!("for keys of type {} one of {:?}", self.key, self.kind.values(self.key)))
                .found(self.value));
        }
        let Kind::Dense { empty, deleted, buckets, max_load } = &self.kind else { return Ok(()) };
        if empty.shape() != deleted.shape() {
            return Err(Error::invalid(format!(
                "Empty and deleted keys must have same shape, got shapes: {} and {}",
                empty.shape(),
                deleted.shape()
            )));
        }
        if empty.shape().rank() > 1 || empty.num_elements() == 0 {
            return Err(Error::invalid(format!("Empty key must be a scalar or a vector, got shape {}", empty.shape())));
        }
        if empty == deleted {
            return Err(Error::invalid("Empty and deleted keys cannot be equal"));
        }
        if !buckets.is_power_of_two() || *buckets < 4 {
            return Err(Error::invalid(format!(
                "Number of buckets must be at least 4 and a power of 2, got: {buckets}"
            ))
            .attr("initial_num_buckets"));
        }
        if !(*max_load > 0.0 && *max_load < 1.0) {
            return Err(Error::invalid(format!("max_load_factor must be between 0 and 1, got: {max_load}"))
                .attr("max_load_factor"));
        }
        Ok(())
    }

    /// Checks the dtypes of keys and values that an op expects.
    pub(super) fn check_dtypes(&self, key: DType, value: Option<DType>) -> Result<()> {
        if key == self.key && value.is_none_or(|v| v == self.value) {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "Signature mismatch: the table {} maps {} to {}, the op {key} to {}",
            self.name,
            self.key,
            self.value,
            value.unwrap_or(self.value)
        )))
    }

    /// Returns the keys in a tensor, and its shape without the axes of a key.
    fn keys(&self, keys: &Tensor) -> Result<(Vec<Key>, Shape)> {
        let width = self.key_shape.num_elements();
        let all = Key::all(keys, width)?;
        let Kind::Dense { empty, deleted, .. } = &self.kind else { return Ok((all, keys.shape().clone())) };
        let outer = keys.shape().rank().checked_sub(self.key_shape.rank());
        let outer = outer.filter(|&outer| keys.shape()[outer..] == *self.key_shape).ok_or_else(|| {
            Error::invalid(format!(
                "Input key shape {} must end with the table's key shape {}",
                keys.shape(),
                self.key_shape
            ))
        })?;
        let n = keys.shape().first().copied().unwrap_or(1);
        if n * width != keys.num_elements() {
            return Err(Error::invalid(format!(
                "Expected key shape {} got {}",
                batch_shape(n, &self.key_shape)?,
                keys.shape()
            )));
        }
        for (what, forbidden) in [("empty_key", empty), ("deleted_key", deleted)] {
            let forbidden = Key::all(forbidden, width)?;
            if all.iter().any(|key| Some(key) == forbidden.first()) {
                return Err(Error::invalid(format!("Using the {what} as a table key is not allowed")));
            }
        }
        Ok((all, Shape::new(keys.shape()[..outer].iter().copied())?))
    }

    /// Checks that there is a value for every key, and returns the keys.
    fn pairs(&self, keys: &Tensor, values: &Tensor) -> Result<Vec<Key>> {
        let (all, batch) = self.keys(keys)?;
        let expected = Shape::new(batch.iter().chain(self.value_shape.iter()).copied())?;
        if *values.shape() != expected {
            return Err(Error::invalid(format!("Expected shape {expected} for value, got {}", values.shape())));
        }
        Ok(all)
    }

    /// Fills the entries of a dense table from exported buckets, which include empty ones.
    fn buckets(&self, keys: &Tensor, values: &Tensor, unused: [&Tensor; 2], new: &mut Entries) -> Result<()> {
        let (width, value_width) = (self.key_shape.num_elements(), self.value_shape.num_elements());
        let n = keys.shape().first().copied().unwrap_or(0);
        if **keys.shape() != [n, width] {
            return Err(Error::invalid(format!("Expected shape [{n},{width}] for keys, got {}", keys.shape())));
        }
        if **values.shape() != [n, value_width] {
            return Err(Error::invalid(format!(
                "Expected shape [{n},{value_width}] for value, got {}",
                values.shape()
            )));
        }
        let unused = [Key::all(unused[0], width)?, Key::all(unused[1], width)?];
        let all = Key::all(keys, width)?;
        for (i, key) in all.iter().enumerate() {
            if unused.iter().all(|u| u.first() != Some(key)) {
                new.insert_row(key, keys, values, i)?;
            }
        }
        new.buckets = n;
        Ok(())
    }

    fn no_such(&self, what: &str) -> Error {
        Error::unimplemented(format!("{what} not supported by InitializableLookupTable implementations"))
    }
}

impl Table {
    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.read().rows.len()
    }

    /// Returns the values of keys; missing keys yield `default`.
    pub(super) fn find(&self, keys: &Tensor, default: &Tensor, arena: &Arc<Arena>) -> Result<Tensor> {
        let config = &self.config;
        let (all, batch) = config.keys(keys)?;
        let shape = Shape::new(batch.iter().chain(config.value_shape.iter()).copied())?;
        let each = default.shape() == &shape && batch.rank() > 0;
        if !each && default.shape() != &config.value_shape {
            return Err(Error::invalid(format!(
                "Expected shape {} or {shape} for default value, got {}",
                config.value_shape,
                default.shape()
            )));
        }
        let each = each && config.kind == Kind::Mutable;
        let entries = self.entries.read();
        if config.kind == Kind::Immutable && !entries.filled {
            return Err(Error::failed_precondition("Table not initialized.").help("run its initializer first"));
        }
        let mut defaults = Column::new(config.value, config.value_shape.num_elements());
        for i in 0..if each { all.len() } else { 1.min(all.len()) } {
            defaults.push(default, i)?;
        }
        let mut out = arena.tensor(config.value, shape)?;
        for (i, key) in all.iter().enumerate() {
            match entries.rows.get(key) {
                Some(&row) => entries.values.read(row, &mut out, i)?,
                None => defaults.read(if each { i } else { 0 }, &mut out, i)?,
            }
        }
        Ok(out)
    }

    /// Inserts or updates the values of keys.
    pub(super) fn insert(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        if self.config.kind == Kind::Immutable {
            return Err(self.config.no_such("Insert"));
        }
        let all = self.config.pairs(keys, values)?;
        let mut entries = self.entries.write();
        if let Kind::Dense { max_load, .. } = self.config.kind {
            let needed = (entries.rows.len() + all.len()) as f32;
            while needed > entries.buckets as f32 * max_load {
                entries.buckets *= 2;
                entries.removed = 0;
            }
        }
        entries.insert(&all, keys, values)
    }

    /// Removes keys; missing keys are ignored.
    pub(super) fn remove(&self, keys: &Tensor) -> Result<()> {
        if self.config.kind == Kind::Immutable {
            return Err(self.config.no_such("Remove"));
        }
        let (all, _) = self.config.keys(keys)?;
        if keys.shape().is_scalar() && matches!(self.config.kind, Kind::Dense { .. }) {
            return Err(Error::invalid("Expected a vector of keys to remove, got a scalar"));
        }
        let mut entries = self.entries.write();
        for key in &all {
            entries.removed += usize::from(entries.remove(key));
        }
        Ok(())
    }

    /// Replaces the contents of the table by these keys and values.
    pub(super) fn import(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        if self.config.kind == Kind::Immutable {
            return self.fill_with_some(keys, values);
        }
        // Invalid input must leave the table unchanged.
        let mut new = Entries::of(&self.config);
        match &self.config.kind {
            Kind::Dense { empty, deleted, .. } => self.config.buckets(keys, values, [empty, deleted], &mut new)?,
            _ => {
                let all = self.config.pairs(keys, values)?;
                new.insert(&all, keys, values)?;
            }
        }
        let old = std::mem::replace(&mut *self.entries.write(), new);
        drop(old);
        Ok(())
    }

    /// Like [`Table::fill`], with at least one entry.
    pub(super) fn fill_with_some(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        match keys.num_elements() + values.num_elements() {
            0 => Err(Error::invalid("keys and values cannot be empty tensors.")),
            _ => self.fill(keys, values),
        }
    }

    /// Initializes an immutable table. Repeating it with the same number of entries changes nothing.
    pub(super) fn fill(&self, keys: &Tensor, values: &Tensor) -> Result<()> {
        if self.config.kind != Kind::Immutable {
            return Err(Error::invalid(format!("Table {} is not initializable", self.config.name)));
        }
        if keys.shape().rank() > 1 || keys.num_elements() != values.num_elements() {
            return Err(Error::invalid(format!(
                "Keys and values must have the same size {} vs {}",
                keys.num_elements(),
                values.num_elements()
            )));
        }
        let all = Key::all(keys, 1)?;
        let mut entries = self.entries.write();
        if entries.filled {
            if entries.rows.len() == all.len() {
                return Ok(());
            }
            return Err(Error::failed_precondition("Table was already initialized with different data."));
        }
        let mut new = Entries::of(&self.config);
        let mut seen = HashMap::new();
        let value_keys = Key::all(values, 1).unwrap_or_default();
        for (i, key) in all.iter().enumerate() {
            if let Some(first) = seen.insert(key, i)
                && value_keys.get(first) != value_keys.get(i)
            {
                return Err(Error::failed_precondition("HashTable has different value for same key."));
            }
        }
        new.insert(&all, keys, values)?;
        new.filled = true;
        *entries = new;
        Ok(())
    }

    /// Returns all keys and values, in no particular order. A dense table returns all its buckets.
    pub(super) fn export(&self, arena: &Arc<Arena>) -> Result<(Tensor, Tensor)> {
        let (config, entries) = (&self.config, self.entries.read());
        if config.kind == Kind::Immutable && !entries.filled {
            return Err(Error::aborted("HashTable is not initialized."));
        }
        let n = entries.rows.len();
        let total = n.max(entries.buckets);
        // A dense table exports its buckets, as rows even if keys or values are scalars.
        let shape = |one: &Shape| match config.kind {
            Kind::Dense { .. } => Shape::new([total, one.num_elements()]),
            _ => batch_shape(total, one),
        };
        let mut keys = arena.zeros(config.key, shape(&config.key_shape)?)?;
        let mut values = arena.zeros(config.value, shape(&config.value_shape)?)?;
        for i in 0..n {
            entries.keys.read(i, &mut keys, i)?;
            entries.values.read(i, &mut values, i)?;
        }
        if let Kind::Dense { empty, deleted, .. } = &config.kind {
            let mut marks = Column::new(config.key, config.key_shape.num_elements());
            marks.push(deleted, 0)?;
            marks.push(empty, 0)?;
            for i in n..total {
                marks.read(usize::from(i >= n + entries.removed), &mut keys, i)?;
            }
        }
        Ok((keys, values))
    }
}
