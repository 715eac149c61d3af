//! Files that a graph may and may not access, and readers that wait for the name of the next file.

use levada::records::{Compression, Reader, Writer};
use levada::{Builder, Code, DType, Files, Output, PartialShape, RunOptions, Session, SessionOptions, Tensor};
use levada_testkit::WORKERS;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

/// A folder for files that a test writes and reads.
fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("levada-readers-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn session(threads: usize, files: Files, build: impl FnOnce(&mut Builder)) -> Session {
    let mut b = Builder::new(levada::registry());
    build(&mut b);
    Session::new(b.finish().unwrap(), SessionOptions { threads, files, ..SessionOptions::default() }).unwrap()
}

fn names(b: &mut Builder) -> Output {
    let queue = b.node("FIFOQueueV2").name("names").attr("component_types", vec![DType::Str]);
    let queue = queue.attr("shapes", vec![PartialShape::scalar()]).add();
    let name = b.placeholder("name", DType::Str, PartialShape::scalar());
    b.node("QueueEnqueueV2").name("add").input(queue).input(name).attr("Tcomponents", vec![DType::Str]).add();
    b.node("QueueCloseV2").name("close").input(queue).add();
    queue
}

fn reader(b: &mut Builder, queue: Output, reader: Output) {
    let up_to = b.constant(Tensor::scalar(4i64));
    b.node("ReaderReadV2").name("read").input(reader).input(queue).add();
    b.node("ReaderReadUpToV2").name("read_up_to").inputs([reader, queue, up_to]).add();
    b.node("ReaderNumRecordsProducedV2").name("produced").input(reader).add();
    b.node("ReaderNumWorkUnitsCompletedV2").name("completed").input(reader).add();
    b.node("ReaderResetV2").name("reset").input(reader).add();
}

fn text(tensor: &Tensor) -> Vec<String> {
    let strings = tensor.slice::<levada::graph::Bytes>().unwrap();
    strings.iter().map(|s| String::from_utf8_lossy(s).into_owned()).collect()
}

#[test]
fn only_what_is_granted_is_reached() {
    let folder = folder("granted");
    std::fs::write(folder.join("open"), "o").unwrap();
    let build = |b: &mut Builder| {
        let name = b.placeholder("name", DType::Str, PartialShape::scalar());
        b.node("ReadFile").name("contents").input(name).add();
        b.node("MatchingFiles").name("matching").input(name).add();
        b.node("WriteFile").name("write").input(name).input(name).add();
    };
    let name = |path: &str| [("name", Tensor::string(path))];
    let open = folder.join("open").display().to_string();
    let outside = folder.join("../outside").display().to_string();

    let none = session(1, Files::none(), build);
    for (fetches, targets) in [(&["contents"][..], &[][..]), (&["matching"], &[]), (&[], &["write"])] {
        let error = none.run(&name(&open), fetches, targets).unwrap_err();
        assert_eq!(error.code(), Code::PermissionDenied, "{error}");
        assert!(error.to_string().contains("--allow-files"), "{error}");
    }
    let some = session(1, Files::under([&folder]).unwrap(), build);
    assert_eq!(text(&some.run(&name(&open), &["contents"], &[]).unwrap()[0]), ["o"]);
    let pattern = folder.join("o*n").display().to_string();
    assert_eq!(text(&some.run(&name(&pattern), &["matching"], &[]).unwrap()[0]), std::slice::from_ref(&open));
    for (fetches, targets) in [(&["contents"][..], &[][..]), (&["matching"], &[]), (&[], &["write"])] {
        let error = some.run(&name(&outside), fetches, targets).unwrap_err();
        assert_eq!(error.code(), Code::PermissionDenied, "{error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_reader_waits_for_the_next_file_without_a_thread() {
    let folder = folder("waits");
    let mut writer = Writer::new(Vec::new(), Compression::Zlib);
    ["a", "b", "c"].iter().for_each(|r| writer.write(r.as_bytes()).unwrap());
    std::fs::write(folder.join("three"), writer.finish().unwrap()).unwrap();
    let three = || [("name", Tensor::string(folder.join("three").display().to_string()))];
    for threads in WORKERS {
        let session = session(threads, Files::under([&folder]).unwrap(), |b| {
            let queue = names(b);
            let made = b.node("TFRecordReaderV2").attr("compression_type", "ZLIB".to_owned()).add();
            reader(b, queue, made);
        });
        let waiting: Vec<_> = (0..9)
            .map(|_| {
                let session = session.clone();
                std::thread::spawn(move || session.run(&[], &["read:1"], &[]).map(|t| text(&t[0])))
            })
            .collect();
        let options = RunOptions { timeout: Some(Duration::from_millis(20)), ..RunOptions::default() };
        let late = session.run_with(&options, &[], &["read"], &[]).unwrap_err();
        assert_eq!(late.code(), Code::DeadlineExceeded, "{late}");
        for _ in 0..3 {
            session.run(&three(), &[], &["add"]).unwrap();
        }
        let mut read: Vec<_> = waiting.into_iter().map(|t| t.join().unwrap().unwrap().remove(0)).collect();
        read.sort();
        assert_eq!(read.concat(), "aaabbbccc");
        let counts = session.run(&[], &["produced", "completed"], &[]).unwrap();
        assert_eq!(counts[0].item::<i64>().unwrap(), 9);
        assert_eq!(counts[1].item::<i64>().unwrap(), 2);

        session.run(&three(), &[], &["add"]).unwrap();
        session.run(&three(), &[], &["add"]).unwrap();
        let many = session.run(&[], &["read_up_to:1"], &[]).unwrap();
        assert_eq!(text(&many[0]).concat(), "abc");
        session.run(&[], &[], &["close"]).unwrap();
        let many = session.run(&[], &["read_up_to:1"], &[]).unwrap();
        assert_eq!(text(&many[0]).concat(), "abc");
        let over = session.run(&[], &["read_up_to"], &[]).unwrap_err();
        assert_eq!(over.code(), Code::OutOfRange, "{over}");
        session.run(&[], &[], &["reset"]).unwrap();
        assert_eq!(session.run(&[], &["produced"], &[]).unwrap()[0].item::<i64>().unwrap(), 0);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A line of this number of characters, with its number.
fn line(number: usize) -> String {
    format!("{number:06} {}", "x".repeat(200))
}

#[test]
fn a_file_that_shrinks_while_it_is_read_gives_whole_lines_and_ends() {
    let folder = folder("shrinks");
    let path = folder.join("lines.txt");
    let lines = 20_000;
    for left in [0, 1000, 2_000_003] {
        std::fs::write(&path, (0..lines).map(|number| line(number) + "\n").collect::<String>()).unwrap();
        let session = session(1, Files::under([&folder]).unwrap(), |b| {
            let queue = names(b);
            let lines = b.node("TextLineReaderV2").name("reader").add();
            reader(b, queue, lines);
        });
        let name = [("name", Tensor::string(path.display().to_string()))];
        session.run(&name, &[], &["add"]).unwrap();
        session.run(&[], &[], &["close"]).unwrap();
        let read = || session.run(&[], &["read:1"], &[]).map(|values| text(&values[0]).remove(0));
        assert_eq!(read().unwrap(), line(0));
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(left).unwrap();
        let mut number = 1;
        let error = loop {
            match read() {
                // The last one may have been cut.
                Ok(found) => assert!(line(number).starts_with(&found), "line {number} is {found:?}"),
                Err(error) => break error,
            }
            number += 1;
        };
        assert!(error.code() == Code::OutOfRange && number < lines, "{number} lines, then {error}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_record_that_is_cut_while_it_is_read_is_data_loss() {
    let folder = folder("cut");
    let path = folder.join("records");
    let mut writer = Writer::new(std::fs::File::create(&path).unwrap(), Compression::None);
    for number in 0..2000u32 {
        writer.write(&number.to_le_bytes().repeat(500)).unwrap();
    }
    writer.finish().unwrap();
    let session = session(1, Files::under([&folder]).unwrap(), |b| {
        let queue = names(b);
        let records = b.node("TFRecordReaderV2").name("reader").add();
        reader(b, queue, records);
    });
    session.run(&[("name", Tensor::string(path.display().to_string()))], &[], &["add"]).unwrap();
    session.run(&[], &[], &["close"]).unwrap();
    let read = || session.run(&[], &["read:1"], &[]).map(|values| values[0].item::<levada::graph::Bytes>().unwrap());
    assert_eq!(read().unwrap().len(), 2000);
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(3_000_001).unwrap();
    let mut number = 1u32;
    let error = loop {
        match read() {
            Ok(found) => assert_eq!(*found, *number.to_le_bytes().repeat(500)),
            Err(error) => break error,
        }
        number += 1;
    };
    assert!(
        matches!(error.code(), Code::DataLoss | Code::OutOfRange) && number < 2000,
        "{number} records, then {error}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Returns a few bytes at a time, and reports an interruption now and then.
struct Trickle {
    bytes: Vec<u8>,
    at: usize,
    calls: usize,
}

impl Read for Trickle {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let n = (self.calls % 7 + 1).min(to.len()).min(self.bytes.len() - self.at);
        to[..n].copy_from_slice(&self.bytes[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

#[test]
fn short_reads_are_put_together_and_interrupted_ones_repeated() {
    let kinds: [fn() -> Compression; 3] = [|| Compression::None, || Compression::Gzip, || Compression::Zlib];
    for kind in kinds {
        let mut writer = Writer::new(Vec::new(), kind());
        let records: Vec<Vec<u8>> = (0..50u8).map(|number| vec![number; usize::from(number) * 5]).collect();
        records.iter().for_each(|record| writer.write(record).unwrap());
        let bytes = writer.finish().unwrap();
        let mut reader = Reader::new(Trickle { bytes, at: 0, calls: 0 }, kind());
        for record in &records {
            assert_eq!(reader.read().unwrap().as_ref(), Some(record));
        }
        assert_eq!(reader.read().unwrap(), None);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let folder = folder("pipe");
    let path = folder.join("pipe");
    if !std::process::Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()) {
        println!("skipped: there is no mkfifo");
        return;
    }
    let session = session(1, Files::under([&folder]).unwrap(), |b| {
        let queue = names(b);
        let lines = b.node("TextLineReaderV2").name("reader").add();
        reader(b, queue, lines);
    });
    session.run(&[("name", Tensor::string(path.display().to_string()))], &[], &["add"]).unwrap();
    assert_eq!(session.run(&[], &["read:1"], &[]).unwrap_err().code(), Code::FailedPrecondition);
    std::fs::remove_dir_all(&folder).unwrap();
}
