//! Compressed files. What they unpack to may be far longer than they are, so only the records are checked.

use crate::data::check_file;
use crate::mutation::Mutations;
use crate::target::fuzz;
use std::io::Write;

const ROW: &str = "r1bq1bnr/p1pppkpp/2n2p2/1p6/2PP4/4PNP1/PP3P1P/RNBQKB1R b KQ - 0 5,-35,b5c4,r0,1-0\n";

/// The endings, each with the same rows packed so.
fn packings() -> Vec<(&'static str, Vec<u8>)> {
    let rows = ROW.repeat(20).into_bytes();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&rows).expect("memory");
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bzip2.write_all(&rows).expect("memory");
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).expect("options");
    xz.write_all(&rows).expect("memory");
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    vec![
        ("rows.csv.gz", gzip.finish().expect("memory")),
        ("rows.csv.bz2", bzip2.finish().expect("memory")),
        ("rows.csv.xz", xz.finish().expect("memory")),
        (
            "rows.csv.zst",
            ruzstd::encoding::compress_to_vec(&rows[..], level),
        ),
    ]
}

#[test]
fn packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let packings = packings();
    let seeds = packings.iter().map(|packing| packing.1.clone()).collect();
    fuzz("packed", 1_500, Mutations::of_files(seeds, &[]), |input| {
        let path = folder.path().join(packings[input.seed].0);
        std::fs::write(&path, &input.bytes).expect("a file");
        check_file(&path) > 0
    });
}
