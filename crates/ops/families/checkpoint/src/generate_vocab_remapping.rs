//! `GenerateVocabRemapping`: maps the words of a new vocabulary to their line numbers in an old one.

use crate::inputs::text;
use crate::prelude::*;
use crate::rules::never;
use levada_kernel::Files;
use std::collections::HashMap;

attrs! {
    /// Maps each word of a new vocabulary to its line number in an old one, or -1 if the old one does not contain it;
    /// both are files with one word per line. Also returns how many words were found.
    pub struct GenerateVocabRemapping {
        /// Line of the first word, starting at 0.
        new_vocab_offset: i64 = Attr::int("new_vocab_offset").at_least(0),
        /// Number of words of the new vocabulary.
        num_new_vocab: i64 = Attr::int("num_new_vocab").at_least(0),
        /// Number of words of the old vocabulary to consider; -1 for all.
        old_vocab_size: i64 = Attr::int("old_vocab_size").or_int(-1).at_least(-1),
    }
}

pub static GENERATE_VOCAB_REMAPPING: Def<GenerateVocabRemapping> = op("GenerateVocabRemapping")
    .inputs(&[arg("new_vocab_file", is(DType::Str)), arg("old_vocab_file", is(DType::Str))])
    .outputs(&[arg("remapping", is(DType::I64)), arg("num_present", is(DType::I32))])
    .stateful()
    .shape(|op: &GenerateVocabRemapping, cx| {
        cx.with_rank(0, 0)?;
        cx.with_rank(1, 0)?;
        cx.output(0, PartialShape::from_signed(&[op.num_new_vocab]));
        cx.output(1, PartialShape::scalar());
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(generate_vocab_remapping)
    .heavy();

fn generate_vocab_remapping(op: &GenerateVocabRemapping, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (new, old) = (text(cx, 0, "new_vocab_file")?, text(cx, 1, "old_vocab_file")?);
    for (name, what) in [(&new, "new"), (&old, "old")] {
        if name.is_empty() {
            return Err(Error::invalid(format!("{what} vocab filename cannot be empty.")));
        }
    }
    let files = &cx.env().files;
    let new = words(files, &new, None)?;
    let range = || {
        let start = usize::try_from(op.new_vocab_offset).ok()?;
        new.get(start..start.checked_add(usize::try_from(op.num_new_vocab).ok()?)?)
    };
    let wanted = range().ok_or_else(|| {
        Error::invalid("lookup table size must be larger than last new vocab entry's line")
            .expected(format!("{} words from line {} on", op.num_new_vocab, op.new_vocab_offset))
            .found(format!("{} words", new.len()))
    })?;
    let mut numbers = HashMap::new();
    for (number, word) in words(files, &old, usize::try_from(op.old_vocab_size).ok())?.into_iter().enumerate() {
        if let Some(before) = numbers.insert(word.clone(), number as i64) {
            let word = String::from_utf8_lossy(&word).into_owned();
            return Err(Error::failed_precondition(format!(
                "HashTable has different value for same key. Key {word} has {before} and trying to add value {number}"
            )));
        }
    }
    let remapping: Vec<i64> = wanted.iter().map(|word| numbers.get(word).copied().unwrap_or(-1)).collect();
    let present = remapping.iter().filter(|old| **old >= 0).count();
    cx.set(0, Tensor::vector(remapping));
    cx.set(1, Tensor::scalar(present as i32));
    Ok(())
}

/// Reads the lines of a file, at most the first `most`; anything after those is ignored.
fn words(files: &Files, name: &str, most: Option<usize>) -> Result<Vec<Bytes>> {
    let contents = Bytes::from(files.read(name)?);
    let mut words = Vec::new();
    let mut rest = &contents[..];
    while !rest.is_empty() && most.is_none_or(|most| words.len() < most) {
        let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let line = &rest[..end];
        rest = rest.get(end + 1..).unwrap_or_default();
        let word = line.strip_suffix(b"\r").unwrap_or(line);
        if word.is_empty() {
            return Err(Error::invalid(format!("Invalid content in {name}: empty line found")).line(words.len() + 1));
        }
        words.push(contents.slice_ref(word));
    }
    if words.is_empty() {
        return Err(Error::out_of_range(format!("{name} has no words")));
    }
    match most {
        Some(most) if words.len() < most => {
            Err(Error::invalid(format!("Invalid vocab_size in {name}: expected {most} but got {}", words.len())))
        }
        _ => Ok(words),
    }
}
