//! Device names: `/job:worker/replica:0/task:0/device:GPU:0` and every shorter form of it.

use crate::error::{Error, Result};
use std::fmt;

/// A device name, full or partial. A missing part matches any value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct DeviceName {
    /// Name of the job.
    pub job: Option<String>,
    /// Number of the replica.
    pub replica: Option<u32>,
    /// Number of the task.
    pub task: Option<u32>,
    /// Type of the device: `CPU`, `GPU`.
    pub kind: Option<String>,
    /// Number of the device among those of its type.
    pub id: Option<u32>,
}

/// The part in which two names contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The jobs differ.
    Job,
    /// The replicas differ.
    Replica,
    /// The tasks differ.
    Task,
    /// The types differ.
    Type,
    /// The numbers differ.
    Id,
}

impl Part {
    /// The plural as in TensorFlow's messages.
    pub const fn plural(self) -> &'static str {
        match self {
            Part::Job => "jobs",
            Part::Replica => "replicas",
            Part::Task => "tasks",
            Part::Type => "types",
            Part::Id => "ids",
        }
    }
}

impl DeviceName {
    /// Device `id` of type `kind` of this process.
    pub fn local(kind: &str, id: u32) -> DeviceName {
        DeviceName {
            job: Some("localhost".to_owned()),
            replica: Some(0),
            task: Some(0),
            kind: Some(kind.to_owned()),
            id: Some(id),
        }
    }

    /// Parses a name: parts in any order, each as `/part:value` or `/part:*`; a repeated part overrides the earlier
    /// one; `/cpu:0` and `/gpu:0` for `/device:CPU:0` and `/device:GPU:0`; the local form `CPU:0`; nothing or `/` for
    /// any device.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for anything else.
    pub fn parse(text: &str) -> Result<DeviceName> {
        let wrong = || {
            Error::invalid(format!("Malformed device specification '{text}'"))
                .expected("/job:NAME/replica:N/task:N/device:TYPE:N, or some of these parts")
                .found(format!("{text:?}"))
        };
        let mut name = DeviceName::default();
        if text.is_empty() || text == "/" {
            return Ok(name);
        }
        // The local form has no slash, only type and number.
        let local;
        let mut rest = text;
        if !text.starts_with('/') {
            local = format!("/device:{text}");
            if text.matches(':').count() != 1 || text.contains('/') {
                return Err(wrong());
            }
            rest = &local;
        }
        while !rest.is_empty() {
            let part = rest.strip_prefix('/').ok_or_else(wrong)?;
            let end = part.find('/').unwrap_or(part.len());
            let (part, after) = part.split_at(end);
            rest = after;
            let (key, value) = part.split_once(':').ok_or_else(wrong)?;
            match key {
                "job" => name.job = text_part(value).ok_or_else(wrong)?,
                "replica" => name.replica = number_part(value).ok_or_else(wrong)?,
                "task" => name.task = number_part(value).ok_or_else(wrong)?,
                "device" => {
                    let (kind, id) = value.split_once(':').unwrap_or((value, "*"));
                    name.kind = kind_part(kind).ok_or_else(wrong)?;
                    name.id = number_part(id).ok_or_else(wrong)?;
                }
                "cpu" | "CPU" | "gpu" | "GPU" => {
                    name.kind = Some(key.to_ascii_uppercase());
                    name.id = number_part(value).ok_or_else(wrong)?;
                }
                _ => return Err(wrong()),
            }
        }
        Ok(name)
    }

    /// True if no part is given.
    pub fn is_any(&self) -> bool {
        *self == DeviceName::default()
    }

    /// True if every part is given.
    pub fn is_full(&self) -> bool {
        self.job.is_some() && self.replica.is_some() && self.task.is_some() && self.kind.is_some() && self.id.is_some()
    }

    /// True if `full` gives every part that this name gives, with the same value.
    pub fn matches(&self, full: &DeviceName) -> bool {
        fn fits<T: PartialEq>(wanted: &Option<T>, given: &Option<T>) -> bool {
            wanted.is_none() || wanted == given
        }
        fits(&self.job, &full.job)
            && fits(&self.replica, &full.replica)
            && fits(&self.task, &full.task)
            && fits(&self.kind, &full.kind)
            && fits(&self.id, &full.id)
    }

    /// The first part that both names give with different values.
    pub fn conflict(&self, other: &DeviceName) -> Option<Part> {
        fn differ<T: PartialEq>(a: &Option<T>, b: &Option<T>) -> bool {
            a.is_some() && b.is_some() && a != b
        }
        [
            (differ(&self.job, &other.job), Part::Job),
            (differ(&self.replica, &other.replica), Part::Replica),
            (differ(&self.task, &other.task), Part::Task),
            (differ(&self.kind, &other.kind), Part::Type),
            (differ(&self.id, &other.id), Part::Id),
        ]
        .into_iter()
        .find_map(|(differs, part)| differs.then_some(part))
    }

    /// Adds the parts that `other` gives. With `soft`, conflicting types and numbers become unset instead.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the two contradict each other; this name is then unchanged.
    pub fn merge(&mut self, other: &DeviceName, soft: bool) -> Result<()> {
        let before = self.clone();
        match self.conflict(other) {
            Some(part) if !soft || !matches!(part, Part::Type | Part::Id) => {
                return Err(Error::invalid(format!(
                    "Cannot merge devices with incompatible {}: '{before}' and '{other}'",
                    part.plural()
                )));
            }
            _ => {}
        }
        self.job = self.job.take().or_else(|| other.job.clone());
        self.replica = self.replica.or(other.replica);
        self.task = self.task.or(other.task);
        if before.kind.is_some() && other.kind.is_some() && before.kind != other.kind {
            (self.kind, self.id) = (None, None);
        } else if before.id.is_some() && other.id.is_some() && before.id != other.id {
            self.kind = self.kind.take().or_else(|| other.kind.clone());
            self.id = None;
        } else {
            self.kind = self.kind.take().or_else(|| other.kind.clone());
            self.id = self.id.or(other.id);
        }
        Ok(())
    }

    /// Overrides the parts that `other` gives.
    pub fn override_with(&mut self, other: &DeviceName) {
        if other.job.is_some() {
            self.job.clone_from(&other.job);
        }
        self.replica = other.replica.or(self.replica);
        self.task = other.task.or(self.task);
        if other.kind.is_some() {
            self.kind.clone_from(&other.kind);
        }
        self.id = other.id.or(self.id);
    }

    /// The name without type and number: any device of the same task.
    #[must_use]
    pub fn any_of_task(&self) -> DeviceName {
        DeviceName { kind: None, id: None, ..self.clone() }
    }
}

/// `*` for any, otherwise a name.
fn text_part(value: &str) -> Option<Option<String>> {
    if value == "*" {
        return Some(None);
    }
    let first = value.chars().next()?;
    let fits = first.is_ascii_alphabetic() && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    fits.then(|| Some(value.to_owned()))
}

/// A device type; `cpu` and `gpu` are converted to upper case.
fn kind_part(value: &str) -> Option<Option<String>> {
    match value {
        "*" => Some(None),
        "cpu" | "gpu" => Some(Some(value.to_ascii_uppercase())),
        _ => {
            let first = value.chars().next()?;
            let fits = (first.is_ascii_alphabetic() || first == '_')
                && value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            fits.then(|| Some(value.to_owned()))
        }
    }
}

fn number_part(value: &str) -> Option<Option<u32>> {
    match value {
        "*" => Some(None),
        digits if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok().map(Some),
        _ => None,
    }
}

impl fmt::Display for DeviceName {
    /// The given parts, in TensorFlow's format.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            write!(f, "/job:{job}")?;
        }
        if let Some(replica) = self.replica {
            write!(f, "/replica:{replica}")?;
        }
        if let Some(task) = self.task {
            write!(f, "/task:{task}")?;
        }
        match (&self.kind, self.id) {
            (None, None) => Ok(()),
            (Some(kind), Some(id)) => write!(f, "/device:{kind}:{id}"),
            (Some(kind), None) => write!(f, "/device:{kind}:*"),
            (None, Some(id)) => write!(f, "/device:*:{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_and_written_in_the_long_form() {
        for (text, long) in [
            ("", ""),
            ("/", ""),
            ("/cpu:1", "/device:CPU:1"),
            ("/GPU:*", "/device:GPU:*"),
            ("/device:CPU:1", "/device:CPU:1"),
            ("/device:CPU", "/device:CPU:*"),
            ("/device:*:2", "/device:*:2"),
            ("CPU:0", "/device:CPU:0"),
            ("gpu:3", "/device:GPU:3"),
            ("/job:worker/replica:0/task:7/device:GPU:0", "/job:worker/replica:0/task:7/device:GPU:0"),
            ("/device:TPU_X:1/job:a-b_2", "/job:a-b_2/device:TPU_X:1"),
            ("/job:a/job:b", "/job:b"),
            ("/job:*/task:01", "/task:1"),
        ] {
            assert_eq!(DeviceName::parse(text).unwrap().to_string(), long, "{text}");
        }
        for text in [
            "/cpu",
            "/cpu:x",
            "foo",
            "/foo:1",
            "/job:",
            "/job:1a",
            "//cpu:0",
            "/job:a/",
            "/cpu:-1",
            "a:b:c",
            "/task:99999999999",
        ] {
            let error = DeviceName::parse(text).unwrap_err();
            assert_eq!(error.code(), crate::Code::InvalidArgument, "{text}");
        }
    }

    #[test]
    fn names_merge_where_they_do_not_contradict() {
        let parse = |text: &str| DeviceName::parse(text).unwrap();
        let merged = |a: &str, b: &str, soft| {
            let mut name = parse(a);
            name.merge(&parse(b), soft).map(|()| name.to_string()).map_err(|e| e.message().to_owned())
        };
        assert_eq!(merged("/job:a", "/cpu:1", false).unwrap(), "/job:a/device:CPU:1");
        assert_eq!(
            merged("/cpu:0", "/cpu:1", false).unwrap_err(),
            "Cannot merge devices with incompatible ids: '/device:CPU:0' and '/device:CPU:1'"
        );
        assert_eq!(merged("/cpu:0", "/cpu:1", true).unwrap(), "/device:CPU:*");
        assert_eq!(merged("/cpu:0", "/gpu:0/task:1", true).unwrap(), "/task:1");
        assert!(merged("/job:a", "/job:b", true).is_err());
        assert!(
            parse("/cpu:*").matches(&DeviceName::local("CPU", 3))
                && !parse("/gpu:*").matches(&DeviceName::local("CPU", 3))
        );
    }
}
