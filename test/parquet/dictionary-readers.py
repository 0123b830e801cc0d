"""Makes Parquet files with dictionaries of URLs, and compares what each reader finds in the files made of them."""

import json
import sys

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq


def make(urls, folder):
    urls = json.load(open(urls))
    text = pa.table({"url": pa.array(urls, pa.string())})
    arrow = {
        "text": (text, {}),
        "pages-2": (text, {"data_page_version": "2.0", "data_page_size": 512, "compression": "none"}),
        "groups": (text, {"row_group_size": 700}),
        "fallback": (text, {"dictionary_pagesize_limit": 400, "data_page_size": 300, "write_batch_size": 50}),
        "checksums": (text, {"write_page_checksum": True}),
        "dictionary": (pa.table({"url": text["url"].dictionary_encode()}), {"row_group_size": 900}),
    }
    for name, (table, options) in arrow.items():
        pq.write_table(table, f"{folder}/{name}.parquet", **options)
    pd.DataFrame({"url": pd.Series(urls, dtype="category")}).to_parquet(f"{folder}/pandas.parquet")
    polars = pl.DataFrame({"url": pl.Series(urls, dtype=pl.Categorical)})
    polars.write_parquet(f"{folder}/polars.parquet")
    polars.write_parquet(f"{folder}/polars-pyarrow.parquet", use_pyarrow=True)
    duckdb.sql(f"COPY (SELECT url FROM text) TO '{folder}/duckdb.parquet' (FORMAT parquet)")
    for name in [*arrow, "pandas", "polars", "polars-pyarrow", "duckdb"]:
        print(f"{folder}/{name}.parquet")


def compare(column, out):
    expected = json.load(open(f"{out}.json"))
    found = {
        "pyarrow": pq.read_table(out)[column],
        "pyarrow, as dictionary": pq.read_table(out, read_dictionary=[column])[column],
        "DuckDB": duckdb.sql(f"SELECT {column} FROM read_parquet('{out}')").to_arrow_table()[column],
        "Polars": pl.read_parquet(out)[column],
        "Polars, as dictionary": pl.read_parquet(out)[column].cast(pl.Categorical),
        "Polars by pyarrow": pl.read_parquet(out, use_pyarrow=True)[column],
        "pandas": pa.array(pd.read_parquet(out)[column].astype(object)),
    }
    found["pyarrow, as dictionary"].validate(full=True)
    for name, values in found.items():
        if (values.to_list() if hasattr(values, "to_list") else values.to_pylist()) != expected:
            return f"{name} reads other rows"
    return "equal"


if sys.argv[1] == "make":
    make(*sys.argv[2:])
elif sys.argv[1] == "compare":
    for column, out in zip(sys.argv[2::2], sys.argv[3::2]):
        print(f"{out}: {compare(column, out)}")
