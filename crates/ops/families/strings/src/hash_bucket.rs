//! `StringToHashBucket`, `StringToHashBucketFast` and `StringToHashBucketStrong`: map strings to hash buckets.

use crate::hash::{fingerprint, murmur, sip};
use crate::prelude::*;
use crate::rules::never;

fn buckets(cx: &mut Cx<'_, '_>, count: i64, hash: impl Fn(&[u8]) -> u64) -> Result<()> {
    let count = u64::try_from(count)
        .ok()
        .filter(|c| *c > 0)
        .ok_or_else(|| Error::invalid("num_buckets must be positive").attr("num_buckets").found(count))?;
    let input = cx.input(0)?;
    let numbers = input.slice::<Bytes>()?.iter().map(|s| (hash(s) % count) as i64).collect();
    let output = Tensor::from_vec(input.shape().clone(), numbers)?;
    cx.set(0, output);
    Ok(())
}

attrs! {
    /// Returns the hash bucket of each string.
    pub struct StringToHashBucket {
        /// Number of buckets.
        num_buckets: i64 = Attr::int("num_buckets").at_least(1),
    }
}

const INPUT: Arg = arg("input", is(DType::Str));

const OUTPUTS: &[Arg] = &[arg("output", is(DType::I64))];

const fn hashing(
    name: &'static str,
    kernel: fn(&StringToHashBucket, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<StringToHashBucket> {
    op::<StringToHashBucket>(name)
        .inputs(&[INPUT])
        .outputs(OUTPUTS)
        .shape(same_as_input)
        .gradient(|_, g| never(g))
        .kernel(kernel)
}

pub static STRING_TO_HASH_BUCKET: Def<StringToHashBucket> =
    hashing("StringToHashBucket", |op, cx| buckets(cx, op.num_buckets, murmur))
        .inputs(&[arg("string_tensor", is(DType::Str))])
        .batch(elementwise);

pub static STRING_TO_HASH_BUCKET_FAST: Def<StringToHashBucket> =
    hashing("StringToHashBucketFast", |op, cx| buckets(cx, op.num_buckets, fingerprint))
        .doc("Returns the hash bucket of each string, with a hash that is stable across versions.")
        .batch(elementwise);

attrs! {
    /// Returns the hash bucket of each string under a key; without the key, a bucket cannot be targeted.
    pub struct StringToHashBucketStrong {
        /// Number of buckets.
        num_buckets: i64 = Attr::int("num_buckets").at_least(1),
        /// The key: two integers.
        key: Vec<i64> = Attr::ints("key"),
    }
}

pub static STRING_TO_HASH_BUCKET_STRONG: Def<StringToHashBucketStrong> =
    op::<StringToHashBucketStrong>("StringToHashBucketStrong")
        .inputs(&[INPUT])
        .outputs(&[arg("output", is(DType::I64))])
        .shape(same_as_input)
        .gradient(|_, g| never(g))
        .kernel(string_to_hash_bucket_strong)
        .batch(elementwise);

fn string_to_hash_bucket_strong(op: &StringToHashBucketStrong, cx: &mut Cx<'_, '_>) -> Result<()> {
    let &[low, high] = &op.key[..] else {
        return Err(Error::invalid("Key must have 2 elements").attr("key").found(format!("{:?}", op.key)));
    };
    buckets(cx, op.num_buckets, |s| sip([low as u64, high as u64], s))
}
