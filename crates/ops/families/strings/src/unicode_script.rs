//! `UnicodeScript`: the scripts of characters.

use crate::prelude::*;
use unicode_script::UnicodeScript as _;

/// The script number of a character whose script is unknown.
const UNKNOWN: i32 = 103;

/// ICU's script numbers, by ISO 15924 name in order. Scripts added to Unicode after TensorFlow's version of ICU are
/// missing.
#[rustfmt::skip]
const NUMBERS: &[(&str, i32)] = &[
    ("Adlm", 167), ("Aghb", 159), ("Ahom", 161), ("Arab", 2), ("Armi", 116), ("Armn", 3), ("Avst", 117), ("Bali",
    62), ("Bamu", 130), ("Bass", 134), ("Batk", 63), ("Beng", 4), ("Bhks", 168), ("Bopo", 5), ("Brah", 65), ("Brai",
    46), ("Bugi", 55), ("Buhd", 44), ("Cakm", 118), ("Cans", 40), ("Cari", 104), ("Cham", 66), ("Cher", 6), ("Chrs",
    189), ("Copt", 7), ("Cprt", 47), ("Cyrl", 8), ("Deva", 10), ("Diak", 190), ("Dogr", 178), ("Dsrt", 9), ("Dupl",
    135), ("Egyp", 71), ("Elba", 136), ("Elym", 185), ("Ethi", 11), ("Geor", 12), ("Glag", 56), ("Gong", 179),
    ("Gonm", 175), ("Goth", 13), ("Gran", 137), ("Grek", 14), ("Gujr", 15), ("Guru", 16), ("Hang", 18), ("Hani",
    17), ("Hano", 43), ("Hatr", 162), ("Hebr", 19), ("Hira", 20), ("Hluw", 156), ("Hmng", 75), ("Hmnp", 186),
    ("Hung", 76), ("Ital", 30), ("Java", 78), ("Kali", 79), ("Kana", 22), ("Khar", 57), ("Khmr", 23), ("Khoj", 157),
    ("Kits", 191), ("Knda", 21), ("Kthi", 120), ("Lana", 106), ("Laoo", 24), ("Latn", 25), ("Lepc", 82), ("Limb",
    48), ("Lina", 83), ("Linb", 49), ("Lisu", 131), ("Lyci", 107), ("Lydi", 108), ("Mahj", 160), ("Maka", 180),
    ("Mand", 84), ("Mani", 121), ("Marc", 169), ("Medf", 181), ("Mend", 140), ("Merc", 141), ("Mero", 86), ("Mlym",
    26), ("Modi", 163), ("Mong", 27), ("Mroo", 149), ("Mtei", 115), ("Mult", 164), ("Mymr", 28), ("Nand", 187),
    ("Narb", 142), ("Nbat", 143), ("Newa", 170), ("Nkoo", 87), ("Nshu", 150), ("Ogam", 29), ("Olck", 109), ("Orkh",
    88), ("Orya", 31), ("Osge", 171), ("Osma", 50), ("Palm", 144), ("Pauc", 165), ("Perm", 89), ("Phag", 90),
    ("Phli", 122), ("Phlp", 123), ("Phnx", 91), ("Plrd", 92), ("Prti", 125), ("Rjng", 110), ("Rohg", 182), ("Runr",
    32), ("Samr", 126), ("Sarb", 133), ("Saur", 111), ("Sgnw", 112), ("Shaw", 51), ("Shrd", 151), ("Sidd", 166),
    ("Sind", 145), ("Sinh", 33), ("Sogd", 183), ("Sogo", 184), ("Sora", 152), ("Soyo", 176), ("Sund", 113), ("Sylo",
    58), ("Syrc", 34), ("Tagb", 45), ("Takr", 153), ("Tale", 52), ("Talu", 59), ("Taml", 35), ("Tang", 154),
    ("Tavt", 127), ("Telu", 36), ("Tfng", 60), ("Tglg", 42), ("Thaa", 37), ("Thai", 38), ("Tibt", 39), ("Tirh",
    158), ("Ugar", 53), ("Vaii", 99), ("Wara", 146), ("Wcho", 188), ("Xpeo", 61), ("Xsux", 101), ("Yezi", 192),
    ("Yiii", 41), ("Zanb", 177), ("Zinh", 1), ("Zyyy", 0), ("Zzzz", 103),
];

attrs! {
    /// Returns the script number of each code point, or -1 for invalid code points.
    pub struct UnicodeScript {}
}

pub static UNICODE_SCRIPT: Def<UnicodeScript> = op::<UnicodeScript>("UnicodeScript")
    .inputs(&[arg("input", is(DType::I32))])
    .outputs(&[arg("output", is(DType::I32))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(unicode_script)
    .batch(elementwise);

fn unicode_script(_: &UnicodeScript, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let scripts = input.slice::<i32>()?.iter().map(|c| number(*c)).collect();
    let output = Tensor::from_vec(input.shape().clone(), scripts)?;
    cx.set(0, output);
    Ok(())
}

fn number(code: i32) -> i32 {
    match u32::try_from(code).ok().filter(|c| *c <= 0x10ffff).map(char::from_u32) {
        None => -1,
        // Surrogates.
        Some(None) => UNKNOWN,
        Some(Some(c)) => {
            let name = c.script().short_name();
            NUMBERS.binary_search_by(|(n, _)| (*n).cmp(name)).map_or(UNKNOWN, |i| NUMBERS[i].1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_the_scripts_that_tensorflow_says() {
        assert!(NUMBERS.is_sorted());
        let codes = [0, 65, 0x3b1, 0x4e00, 0x3042, 0x30a2, 0x1f600, 0x5d0, -1, 0x110000, 0xd800, 0x300];
        assert_eq!(codes.map(number), [0, 25, 14, 17, 20, 22, 0, 19, -1, -1, 103, 1]);
    }
}
