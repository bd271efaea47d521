use criterion::{black_box, criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use label_codec::{Barcode, Symbology};

fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("decode");
    for len in [8usize, 64, 512] {
        let raw = vec![b'7'; len];
        group.throughput(Throughput::Bytes(len as u64));
        group.bench_with_input(BenchmarkId::new("code128", len), &raw, |b, raw| {
            b.iter(|| Barcode::decode(Symbology::Code128, black_box(raw)))
        });
        group.bench_with_input(BenchmarkId::new("naive", len), &raw, |b, raw| {
            b.iter(|| label_codec::barcode::decode_naive(black_box(raw)))
        });
    }
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
