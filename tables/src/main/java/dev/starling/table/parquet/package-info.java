/** Reads Parquet files whose columns are not nested, without a library. */
package dev.starling.table.parquet;
