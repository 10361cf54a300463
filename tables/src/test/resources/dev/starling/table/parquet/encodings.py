"""Writes encodings.parquet beside itself, as ParquetEncodingsTest expects it; pyarrow 25 wrote the one that is kept."""
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 500
ENCODINGS = {
    "whole": "DELTA_BINARY_PACKED",
    "big": "DELTA_BINARY_PACKED",
    "nothing": "DELTA_BINARY_PACKED",
    "day": "DELTA_BINARY_PACKED",
    "text": "DELTA_LENGTH_BYTE_ARRAY",
    "patient": "DELTA_BYTE_ARRAY",
    "ratio": "BYTE_STREAM_SPLIT",
    "short": "BYTE_STREAM_SPLIT",
}


def big(i):
    return {3: -(2**63), 4: 2**63 - 1}.get(i, (1 - 2 * (i % 2)) * i * 100_000_000_003)


table = pa.table(
    {
        "whole": pa.array([None if i % 7 == 0 else i * i - 1000 for i in range(ROWS)], pa.int32()),
        "big": pa.array([big(i) for i in range(ROWS)], pa.int64()),
        "nothing": pa.array([None] * ROWS, pa.int32()),
        "day": pa.array([i * 37 - 5000 for i in range(ROWS)], pa.int32()).cast(pa.date32()),
        "text": pa.array([None if i % 5 == 0 else "é" * (i % 4) + str(i) for i in range(ROWS)]),
        "patient": pa.array([f"patient-{i // 3:05d}" + "x" * (i % 3) for i in range(ROWS)]),
        "ratio": pa.array([i / 8 - 3 for i in range(ROWS)], pa.float64()),
        "short": pa.array([None if i % 11 == 0 else i / 4 for i in range(ROWS)], pa.float32()),
    }
)
pq.write_table(
    table,
    Path(__file__).with_name("encodings.parquet"),
    version="2.6",
    data_page_version="2.0",
    data_page_size=1024,
    use_dictionary=False,
    column_encoding=ENCODINGS,
    compression="zstd",
)
