//! Patterns of file names: `*`, `?` and `[a-z]` stand for parts of one name in a path.

use crate::files::Files;
use levada_graph::Result;
use std::path::{Component, Path, PathBuf};

impl Files {
    /// The files and directories that match a pattern. Only granted directories are searched.
    ///
    /// # Errors
    /// As [`Files::list`].
    pub fn matching(&self, pattern: &Path) -> Result<Vec<PathBuf>> {
        let mut found = vec![PathBuf::new()];
        let mut components = pattern.components().peekable();
        while let Some(component) = components.next() {
            let wildcard = match component {
                Component::Normal(name) => name.to_str().filter(|n| n.contains(['*', '?', '[', '\\'])),
                _ => None,
            };
            let last = components.peek().is_none();
            let Some(pattern) = wildcard else {
                for path in &mut found {
                    path.push(component);
                }
                if last {
                    let mut kept = Vec::new();
                    for path in found {
                        if self.exists(&path)? {
                            kept.push(path);
                        }
                    }
                    found = kept;
                }
                continue;
            };
            let mut below = Vec::new();
            for directory in found {
                let names = self.list(if directory.as_os_str().is_empty() { Path::new(".") } else { &directory })?;
                for name in
                    names.iter().filter_map(|n| n.to_str()).filter(|n| matches(pattern.as_bytes(), n.as_bytes()))
                {
                    below.push(directory.join(name));
                }
            }
            found = below;
        }
        Ok(found)
    }
}

/// True if a pattern matches the whole of a name, in time proportional to the product of their lengths.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Where to continue when a star has to match one more byte.
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(p) {
            Some(b'*') => {
                star = Some((p + 1, n));
                p += 1;
                continue;
            }
            None if n == name.len() => return true,
            _ if n == name.len() => None,
            None => None,
            Some(_) => one(&pattern[p..], name[n]),
        };
        match (step, star) {
            (Some(width), _) => {
                p += width;
                n += 1;
            }
            (None, Some((after, from))) if from < name.len() => {
                star = Some((after, from + 1));
                (p, n) = (after, from + 1);
            }
            _ => return false,
        }
    }
}

/// How much of the pattern one byte matches; `None` if it does not match.
fn one(pattern: &[u8], byte: u8) -> Option<usize> {
    match pattern {
        [b'?', ..] => Some(1),
        [b'[', rest @ ..] => {
            let negated = matches!(rest, [b'!' | b'^', ..]);
            let set = &rest[usize::from(negated)..];
            // A bracket at the beginning of a set is a member.
            let end = 1 + set.get(1..)?.iter().position(|b| *b == b']')?;
            let mut members = &set[..end];
            let mut is_member = false;
            while let [first, others @ ..] = members {
                (is_member, members) = match others {
                    [b'-', last, tail @ ..] => (is_member || (*first..=*last).contains(&byte), tail),
                    _ => (is_member || *first == byte, others),
                };
            }
            (is_member != negated).then_some(1 + usize::from(negated) + end + 1)
        }
        [b'\\', escaped, ..] => (*escaped == byte).then_some(2),
        [plain, ..] => (*plain == byte).then_some(1),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names() {
        let cases = [
            ("*.t", "x1.t", true),
            ("*.t", "x1.tx", false),
            ("x?.t", "x12.t", false),
            ("x[12].t", "x1.t", true),
            ("x[!1].t", "x1.t", false),
            ("x[^1-3].t", "x4.t", true),
            ("x[]].t", "x].t", true),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbYb", false),
            ("**", "any", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("", "", true),
            ("[", "[", false),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} on {name}");
        }
    }
}
