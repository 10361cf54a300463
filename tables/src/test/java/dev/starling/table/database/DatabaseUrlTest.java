package dev.starling.table.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:postgresql://localhost:5432/census?user=ada&password=s3cret | jdbc:postgresql://localhost:5432/census
            jdbc:mysql://ada:s3cret@db/census                                | jdbc:mysql://db/census
            jdbc:oracle:thin:ada/s3cret@//db:1521/census                     | jdbc:oracle://db:1521/census
            jdbc:sqlserver://db;databaseName=c;pwd=s3cret                    | jdbc:sqlserver://db
            jdbc:h2:mem:census;PASSWORD=s3cret                               | jdbc:h2:mem:census
            """)
    void aPasswordIsNeverShown(String given, String shown) {
        DatabaseUrl url = new DatabaseUrl(given);
        assertThat(url.shown()).isEqualTo(shown);
        assertThat(url.text()).isEqualTo(given);
        assertThat(url.withoutSecrets("cannot connect to " + given, "")).isEqualTo("cannot connect to " + shown);
        assertThat(url.withoutSecrets("s3cret is wrong", "")).isEqualTo("*** is wrong");
    }

    @Test
    void aPasswordGivenSeparatelyIsNeverShown() {
        assertThat(new DatabaseUrl("jdbc:h2:mem:x").withoutSecrets("tried 'pw 7'", "pw 7"))
                .isEqualTo("tried '***'");
    }
}
