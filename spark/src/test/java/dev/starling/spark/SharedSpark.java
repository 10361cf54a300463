package dev.starling.spark;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.spark.sql.SparkSession;
import scala.Option;

/** The Spark session that the tests of this JVM share; it lasts until one with other slots is asked for. */
final class SharedSpark {

    /** Spark 4.1 runs on Java 17 and 21. */
    private static final int NEWEST_JAVA = 21;

    private SharedSpark() {}

    /** Two slots. */
    static SparkSession session() {
        return session(2);
    }

    /** So many slots, and stages are tried again when a task fails, as on a cluster. */
    static synchronized SparkSession session(int slots) {
        requireSupportedJava();
        String master = "local[" + slots + ",4]";
        Option<SparkSession> running = SparkSession.getDefaultSession();
        if (running.isDefined() && !running.get().sparkContext().master().equals(master)) {
            running.get().stop();
        }
        SparkSession session = SparkSession.builder()
                .master(master)
                .appName("starling-spark tests")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/starling-warehouse")
                .getOrCreate();
        session.sparkContext().setLogLevel("ERROR");
        return session;
    }

    static void requireSupportedJava() {
        assumeTrue(
                Runtime.version().feature() <= NEWEST_JAVA,
                "Spark 4.1 runs on Java 17 and 21, this is " + Runtime.version().feature());
    }
}
