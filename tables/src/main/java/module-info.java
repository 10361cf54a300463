/**
 * Tables with words: read from CSV, Parquet and databases, turned into rows by recipes and studies; models exported.
 */
module dev.starling.tables {
    requires transitive dev.starling.core;
    requires transitive java.sql;
    requires java.xml;
    requires org.apache.commons.compress;

    exports dev.starling.export;
    exports dev.starling.recipe;
    exports dev.starling.study;
    exports dev.starling.table;
    exports dev.starling.table.database;

    provides dev.starling.model.TableEncoding.Reader with
            dev.starling.recipe.Recipe.Reader;
}
