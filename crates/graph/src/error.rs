//! The single error type: a code for programs and, for people, what is wrong, where, and how to fix it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Result of every fallible function.
pub type Result<T, E = Error> = std::result::Result<T, E>;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal, $words:literal;)*) => {
        /// Status codes, with TensorFlow's names and numbers.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Code { $($(#[$doc])* $variant = $number,)* }

        impl Code {
            /// The name that recorded sessions and logs use: `INVALID_ARGUMENT`.
            pub const fn name(self) -> &'static str { match self { $(Code::$variant => $name,)* } }
            /// The name in an error's first line: `invalid argument`.
            pub const fn words(self) -> &'static str { match self { $(Code::$variant => $words,)* } }
            /// The code with this number.
            pub fn from_number(number: i32) -> Option<Code> { match number { $($number => Some(Code::$variant),)* _ => None } }
            /// The code with this name.
            pub fn parse(name: &str) -> Option<Code> { match name { $($name => Some(Code::$variant),)* _ => None } }
        }
    };
}

codes! {
    /// The caller cancelled the run, or closed the session or the queue.
    Cancelled = 1, "CANCELLED", "cancelled";
    /// No other code fits.
    Unknown = 2, "UNKNOWN", "unknown";
    /// A graph, feed, attr or input is wrong.
    InvalidArgument = 3, "INVALID_ARGUMENT", "invalid argument";
    /// The deadline passed.
    DeadlineExceeded = 4, "DEADLINE_EXCEEDED", "deadline exceeded";
    /// A file, node or resource does not exist.
    NotFound = 5, "NOT_FOUND", "not found";
    /// The item exists already.
    AlreadyExists = 6, "ALREADY_EXISTS", "already exists";
    /// The caller did not grant access.
    PermissionDenied = 7, "PERMISSION_DENIED", "permission denied";
    /// Memory or another limit ran out.
    ResourceExhausted = 8, "RESOURCE_EXHAUSTED", "resource exhausted";
    /// The state does not allow the operation, for instance a variable without a value.
    FailedPrecondition = 9, "FAILED_PRECONDITION", "failed precondition";
    /// A concurrent operation interfered.
    Aborted = 10, "ABORTED", "aborted";
    /// Past the end, for instance of a closed queue.
    OutOfRange = 11, "OUT_OF_RANGE", "out of range";
    /// Not supported by Levada.
    Unimplemented = 12, "UNIMPLEMENTED", "unimplemented";
    /// A bug in Levada itself.
    Internal = 13, "INTERNAL", "internal";
    /// Temporarily unreachable.
    Unavailable = 14, "UNAVAILABLE", "unavailable";
    /// Data was lost or is corrupt.
    DataLoss = 15, "DATA_LOSS", "data loss";
}

macro_rules! limits {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)*) => {
        /// The quantities that the policy for untrusted graphs limits.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Limit { $($(#[$doc])* $variant,)* }

        impl Limit {
            /// Every limit.
            pub const ALL: &[Limit] = &[$(Limit::$variant,)*];
            /// The name of the field that sets it: `memory_of_step`.
            pub const fn name(self) -> &'static str { match self { $(Limit::$variant => $name,)* } }
        }
    };
}

limits! {
    /// Memory of a session.
    Memory = "memory";
    /// Memory of a run.
    MemoryOfStep = "memory_of_step";
    /// Time that a run takes.
    Time = "time";
    /// Total time that the kernels of a run take.
    ProcessorTime = "processor_time";
    /// Nodes that a run executes.
    Nodes = "nodes";
    /// Iterations of the loops of a run.
    Iterations = "iterations";
    /// Depth of nested function calls.
    Depth = "depth";
    /// Elements in a queue.
    QueueElements = "queue_elements";
    /// Bytes of the strings in a tensor.
    StringBytes = "string_bytes";
    /// Bytes that a run returns.
    OutputBytes = "output_bytes";
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Details of an error as data, beyond its sentence; see [`Error::report`].
pub trait Report: Any + Send + Sync + fmt::Debug {
    /// The text for people, in lines.
    fn text(&self) -> String;
}

/// A report attached to an error. Equal only to itself.
#[derive(Clone, Debug)]
pub struct Attached(pub Arc<dyn Report>);

impl PartialEq for Attached {
    fn eq(&self, other: &Attached) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What went wrong, where, and how to fix it. Small to pass around: everything is behind one pointer.
#[derive(Clone, PartialEq)]
pub struct Error(Box<Fault>);

/// The parts of an [`Error`].
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// For programs.
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    /// File that holds the fault.
    pub file: Option<String>,
    /// Line in the file, from 1.
    pub line: Option<usize>,
    /// Column in the line, from 1.
    pub column: Option<usize>,
    /// Location in the file's structure: `node[12].attr.ksize`.
    pub path: Option<String>,
    /// Name of the node.
    pub node: Option<String>,
    /// Op of the node.
    pub op: Option<String>,
    /// Name of the attr.
    pub attr: Option<String>,
    /// The expected value.
    pub expected: Option<String>,
    /// The actual value.
    pub found: Option<String>,
    /// How to fix it.
    pub help: Option<String>,
    /// The exceeded limit, for an untrusted graph.
    pub limit: Option<Limit>,
    /// Details, as data.
    pub report: Option<Attached>,
    /// Further faults found in the same pass.
    pub more: Vec<Error>,
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident = $code:ident;)*) => {
        $($(#[$doc])* pub fn $name(message: impl Into<String>) -> Error { Error::new(Code::$code, message) })*
    };
}

macro_rules! places {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $name(mut self, value: impl fmt::Display) -> Error { self.0.$name = Some(text(&value)); self })*
    };
}

/// Not generic, so that it is compiled once, not for every type.
#[cold]
fn text(value: &dyn fmt::Display) -> String {
    value.to_string()
}

impl Error {
    /// An error with this code and message.
    pub fn new(code: Code, message: impl Into<String>) -> Error {
        Error::of(code, message.into())
    }

    #[cold]
    fn of(code: Code, message: String) -> Error {
        Error(Box::new(Fault {
            code,
            message,
            file: None,
            line: None,
            column: None,
            path: None,
            node: None,
            op: None,
            attr: None,
            expected: None,
            found: None,
            help: None,
            limit: None,
            report: None,
            more: Vec::new(),
        }))
    }

    constructors! {
        /// `INVALID_ARGUMENT`
        invalid = InvalidArgument;
        /// `NOT_FOUND`
        not_found = NotFound;
        /// `ALREADY_EXISTS`
        already_exists = AlreadyExists;
        /// `OUT_OF_RANGE`
        out_of_range = OutOfRange;
        /// `FAILED_PRECONDITION`
        failed_precondition = FailedPrecondition;
        /// `UNIMPLEMENTED`
        unimplemented = Unimplemented;
        /// `INTERNAL`
        internal = Internal;
        /// `CANCELLED`
        cancelled = Cancelled;
        /// `DEADLINE_EXCEEDED`
        deadline_exceeded = DeadlineExceeded;
        /// `RESOURCE_EXHAUSTED`
        resource_exhausted = ResourceExhausted;
        /// `PERMISSION_DENIED`
        permission_denied = PermissionDenied;
        /// `DATA_LOSS`
        data_loss = DataLoss;
        /// `ABORTED`
        aborted = Aborted;
    }

    places! {
        /// Names the file.
        file;
        /// Sets the location in the file's structure.
        path;
        /// Names the node.
        node;
        /// Names the op.
        op;
        /// Names the attr.
        attr;
        /// Sets the expected value.
        expected;
        /// Sets the actual value.
        found;
        /// Says how to fix it.
        help;
    }

    /// Names the line, from 1.
    #[must_use]
    pub fn line(mut self, line: usize) -> Error {
        self.0.line = Some(line);
        self
    }

    /// Names the column, from 1.
    #[must_use]
    pub fn column(mut self, column: usize) -> Error {
        self.0.column = Some(column);
        self
    }

    /// Names the file, for every fault that has none.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Error {
        self.0.file.get_or_insert_with(|| file.to_owned());
        for fault in &mut self.0.more {
            fault.0.file.get_or_insert_with(|| file.to_owned());
        }
        self
    }

    /// Names the node and its op, unless the error already names a node.
    #[must_use]
    pub fn at_node(mut self, name: &str, op: &str) -> Error {
        if self.0.node.is_none() {
            self.0.node = Some(name.to_owned());
            self.0.op = Some(op.to_owned());
        }
        self
    }

    /// Names the exceeded limit.
    #[must_use]
    pub fn limit(mut self, limit: Limit) -> Error {
        self.0.limit = Some(limit);
        self
    }

    /// Attaches a report.
    #[must_use]
    pub fn with_report(mut self, report: Arc<dyn Report>) -> Error {
        self.0.report = Some(Attached(report));
        self
    }

    /// The attached report, if it is of type `T`.
    pub fn report<T: Report>(&self) -> Option<&T> {
        let report: &dyn Any = &*self.0.report.as_ref()?.0;
        report.downcast_ref()
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// All parts.
    pub fn fault(&self) -> &Fault {
        &self.0
    }

    /// All parts, mutable.
    pub fn fault_mut(&mut self) -> &mut Fault {
        &mut self.0
    }

    /// Every fault: this one, then those found in the same pass.
    pub fn all(&self) -> impl Iterator<Item = &Error> {
        std::iter::once(self).chain(self.0.more.iter())
    }

    /// Every fault as an error of its own.
    pub fn separate(&self) -> Vec<Error> {
        let alone = |error: &Error| {
            let mut error = error.clone();
            error.0.more.clear();
            error
        };
        self.all().map(alone).collect()
    }

    /// Joins several errors into one: the first, with the others in [`Fault::more`]. `None` for no faults.
    pub fn join(faults: Vec<Error>) -> Option<Error> {
        let mut faults = faults.into_iter();
        let mut first = faults.next()?;
        for mut fault in faults {
            let nested = std::mem::take(&mut fault.0.more);
            first.0.more.push(fault);
            first.0.more.extend(nested);
        }
        Some(first)
    }

    fn write_one(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let e = &*self.0;
        write!(f, "error[{}]: {}", e.code.words(), e.message)?;
        if e.file.is_some() || e.path.is_some() {
            write!(f, "\n  --> {}", e.file.as_deref().unwrap_or("graph"))?;
            if let Some(line) = e.line {
                write!(f, ":{line}")?;
                if let Some(column) = e.column {
                    write!(f, ":{column}")?;
                }
            }
            if let Some(path) = &e.path {
                write!(f, " at {path}")?;
            }
        }
        if let Some(node) = &e.node {
            write!(f, "\n  node:     {node}")?;
            if let Some(op) = e.op.as_ref().filter(|op| !op.is_empty()) {
                write!(f, " ({op})")?;
            }
            if let Some(attr) = &e.attr {
                write!(f, ", attr {attr}")?;
            }
        } else if let Some(attr) = &e.attr {
            write!(f, "\n  attr:     {attr}")?;
        }
        if let Some(limit) = e.limit {
            write!(f, "\n  limit:    {limit}")?;
        }
        for (label, text) in [("expected:", &e.expected), ("found:   ", &e.found), ("help:    ", &e.help)] {
            if let Some(text) = text {
                // Further lines, such as those of a program, are printed below the first.
                write!(f, "\n  {label} {}", text.replace('\n', "\n            "))?;
            }
        }
        if let Some(Attached(report)) = &e.report {
            for line in report.text().lines() {
                write!(f, "\n  {line}")?;
            }
        }
        Ok(())
    }
}

/// The maximum number of faults that are printed.
const SHOWN: usize = 200;

impl fmt::Display for Error {
    /// Every fault, up to a maximum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.all().take(SHOWN).enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            error.write_one(f)?;
        }
        match (self.0.more.len() + 1).saturating_sub(SHOWN) {
            0 => Ok(()),
            hidden => write!(f, "\n\n... and {hidden} more faults"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
