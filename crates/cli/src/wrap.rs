//! Wraps help to the width of the terminal. The description of an option is continued below its start; examples are not
//! wrapped.

/// Width of help without a terminal, and the maximum on one.
pub const WIDTH: usize = 100;

/// The text with lines of at most `width` columns, if its words fit.
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.lines() {
        if columns(line) <= width || is_example(line) {
            out.push_str(line);
            out.push('\n');
        } else {
            wrap_line(&mut out, line, width);
        }
    }
    out
}

fn columns(text: &str) -> usize {
    console::measure_text_width(text)
}

/// True for an example command, or the continuation of one.
fn is_example(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with("levada ") || text.starts_with("--") && line.starts_with("    ") && !line.starts_with("      ")
}

fn wrap_line(out: &mut String, line: &str, width: usize) {
    let indent = line.len() - line.trim_start().len();
    // Two spaces separate an option from its description.
    let begins = line[indent..].find("  ").map(|gap| {
        let rest = &line[indent + gap..];
        indent + gap + rest.len() - rest.trim_start().len()
    });
    let at = begins.filter(|&at| columns(&line[..at]) < width * 2 / 3).unwrap_or(indent);
    let hanging = columns(&line[..at]);
    out.push_str(&line[..at]);
    let mut used = hanging;
    for word in line[at..].split(' ') {
        let long = columns(word);
        if used > hanging && used + 1 + long > width {
            out.push('\n');
            out.push_str(&" ".repeat(hanging));
            used = hanging;
        } else if used > hanging {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += long;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_option_is_for_goes_on_below_where_it_began() {
        let help = "Options:\n      --feed <X>  one two three four five six\n\nA sentence that is too long for it.\n";
        let wrapped = "\
Options:
      --feed <X>  one two three
                  four five six

A sentence that is too long for
it.
";
        assert_eq!(wrap(help, 31), wrapped);
    }

    #[test]
    fn examples_stay_in_a_line() {
        let example = "Examples:\n  levada run graph.json --feed x=1 --fetch y\n    --fetch z --fetch and_others\n";
        assert_eq!(wrap(example, 20), example);
    }
}
