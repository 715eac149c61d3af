//! `DatasetToTFRecord`: writes the elements of a dataset to a TFRecord file.

use crate::dataset::{INPUT, input, scalar};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::Stream;
use levada_kernel::files::failed;
use levada_records::{Compression, Writer};
use std::fs::File;
use std::path::PathBuf;
use std::task::{Poll, ready};

attrs! {
    /// Writes the elements of a dataset, which must be strings, to a TFRecord file.
    pub struct DatasetToTfRecord {}
}

pub static DATASET_TO_TF_RECORD: Def<DatasetToTfRecord> = op("DatasetToTFRecord")
    .inputs(&[INPUT, arg("filename", is(DType::Str)), arg("compression_type", is(DType::Str))])
    .also(&[form("ExperimentalDatasetToTFRecord")])
    .stateful()
    .role(Role::Call)
    .kernel(|_: &DatasetToTfRecord, cx| {
        let (source, name, compression): (_, Bytes, Bytes) =
            (input(cx, 0)?, scalar(cx, 1, "filename")?, scalar(cx, 2, "compression_type")?);
        let compression: Compression = String::from_utf8_lossy(&compression).parse()?;
        if *source.types != [DType::Str] {
            return Err(Error::invalid("the elements of a dataset that is written to records must be strings")
                .found(format!("{:?}", source.types)));
        }
        let path = PathBuf::from(String::from_utf8_lossy(&name).into_owned());
        let whole = cx.env().files.resolve(&path)?;
        let file = File::create(whole).map_err(|error| failed(&path, &error))?;
        let writer = Some(Writer::new(file, compression));
        Stream::once(cx, |setup| Ok(Box::new(Records { input: setup.make(&source)?, writer })), |_| Ok(Vec::new()))
    })
    .heavy();

/// An iterator that writes all elements, and then ends.
struct Records {
    input: Box<dyn Iter>,
    /// `None` once the file is complete.
    writer: Option<Writer<File>>,
}

impl Iter for Records {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while let Some(writer) = &mut self.writer {
            let Some(element) = ready!(self.input.poll(turn))? else {
                let Some(writer) = self.writer.take() else { break };
                writer.finish()?;
                break;
            };
            match &element[..] {
                [record] if record.dtype() == DType::Str && record.shape().is_scalar() => {
                    writer.write(&record.item::<Bytes>()?)?;
                }
                _ => {
                    return Poll::Ready(Err(Error::invalid(
                        "the elements of a dataset that is written to records must be scalars",
                    )));
                }
            }
            ready!(turn.pass());
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::unimplemented("a file of records that is being written has no position")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::unimplemented("a file of records that is being written has no position"))
    }
}
