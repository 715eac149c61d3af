//! Ops on strings.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{hash, prelude, rules, text};

#[cfg(feature = "regex")]
mod regex;
mod unicode;

family! {
    as_string = AS_STRING;
    base64 = DECODE_BASE64, ENCODE_BASE64;
    decode_csv = DECODE_CSV;
    decode_raw = DECODE_PADDED_RAW, DECODE_RAW;
    elementwise = STRING_LOWER, STRING_STRIP, STRING_UPPER;
    fingerprint = FINGERPRINT;
    format = STRING_FORMAT;
    hash_bucket = STRING_TO_HASH_BUCKET, STRING_TO_HASH_BUCKET_FAST, STRING_TO_HASH_BUCKET_STRONG;
    join = STRING_JOIN;
    length = STRING_LENGTH;
    ngrams = STRING_N_GRAMS;
    reduce_join = REDUCE_JOIN;
    #[cfg(feature = "regex")]
    regex_ops = REGEX_FULL_MATCH, REGEX_REPLACE, STATIC_REGEX_FULL_MATCH, STATIC_REGEX_REPLACE;
    segment_join = UNSORTED_SEGMENT_JOIN;
    split = STRING_SPLIT, STRING_SPLIT_V2;
    substr = SUBSTR;
    to_bool = TO_BOOL;
    to_number = STRING_TO_NUMBER;
    unicode_decode = UNICODE_DECODE;
    unicode_encode = UNICODE_ENCODE;
    unicode_script = UNICODE_SCRIPT;
    unicode_transcode = UNICODE_TRANSCODE;
}
