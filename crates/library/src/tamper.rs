//! Puts other content into a file of a library, with right checksums: for tests of what reads it.

use std::path::Path;

use crate::error::Result;
use crate::pages::{Kind, PageFile, PageWriter};

/// Overwrites bytes of a page of a file, as far as both go. The file keeps its kind.
pub fn overwrite(path: &Path, page: usize, offset: usize, bytes: &[u8]) -> Result<()> {
    let (kind, file) = open(path)?;
    let mut pages = (0..file.len()).map(|number| file.page(number)).collect::<Result<Vec<_>>>()?;
    let count = pages.len().max(1);
    if let Some(content) = pages.get_mut(page % count) {
        let offset = offset % content.len().max(1);
        for (byte, new) in content[offset..].iter_mut().zip(bytes) {
            *byte = *new;
        }
    }
    let mut out = PageWriter::create(path, kind)?;
    pages.iter().try_for_each(|page| out.push(page))?;
    out.finish()
}

/// Opens a file of whatever kind.
fn open(path: &Path) -> Result<(Kind, PageFile)> {
    let mut last = None;
    for kind in Kind::ALL {
        match PageFile::open(path, kind) {
            Ok(file) => return Ok((kind, file)),
            Err(error) => last = Some(error),
        }
    }
    Err(last.expect("there are kinds"))
}
