package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** First lines as other programs write them. */
class HeadersTest {

    private static final String ROWS = "1.5,u,0~2.5,v,1~0.5,u,1~3.5,v,0~";

    @TempDir
    private Path folder;

    private Cli train(String text, Object... options) {
        Path file = Cli.file(folder, "t.csv", text.replace('~', '\n'));
        Object[] all = new Object[options.length + 4];
        System.arraycopy(new Object[] {"train", file, "--lambda 0.1 --model", folder.resolve("m.json")}, 0, all, 0, 4);
        System.arraycopy(options, 0, all, 4, options.length);
        return Cli.run(all);
    }

    private LinearModel trained(String text, Object... options) {
        Cli run = train(text, options);
        assertThat(run.code()).as(run.err()).isZero();
        return LinearModel.load(folder.resolve("m.json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\",\"x\",\"g\",\"y\"~\"1\",1.5,\"u\",0~\"2\",2.5,\"v\",1~\"3\",0.5,\"u\",1~\"4\",3.5,\"v\",0~",
                ",x,g,y~Mazda RX4,1.5,u,0~Datsun 710,2.5,v,1~Fiat 128,0.5,u,1~Honda,3.5,v,0~",
                "Unnamed: 0,x,g,y~0,1.5,u,0~1,2.5,v,1~2,0.5,u,1~3,3.5,v,0~"
            })
    void aFirstColumnWithoutANameNamesTheRows(String text) {
        LinearModel plain = trained("x,g,y~" + ROWS);
        LinearModel named = trained(text);
        assertThat(named.names()).containsExactly("x", "g=v");
        assertThat(named.hash()).isEqualTo(plain.hash());
        assertThat(train(text).err()).contains("names the rows and is not learnt from");
        Cli predicted = Cli.ok("predict", folder.resolve("m.json"), folder.resolve("t.csv"));
        assertThat(predicted.err()).doesNotContain("does not know");
    }

    @Test
    void linesThatEndWithADelimiterAreRefusedAsSuch() {
        Cli run = train("x,g,y,~1.5,u,0,~2.5,v,1,~");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).contains("column 4 has no name", "remove the delimiters that lines end with");
    }

    @Test
    void aHeaderAloneThatEndsWithADelimiterIsRefusedAsSuch() {
        for (String text : List.of("x,g,y,~1.5,u,0~2.5,v,1~", "x,z,y,~1.5,2.5,0~2.5,0.5,1~")) {
            Cli run = train(text);
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).contains("line 1: ", "next line has 3 cells; remove the delimiter after the last");
        }
    }

    @Test
    void namesThatAreOneTooFewAreRefusedAsSuch() {
        for (String text : List.of("x,g,y~a,1.5,u,0~b,2.5,v,1~", "x,z,y~1,1.5,2.5,0~2,2.5,0.5,1~")) {
            Cli run = train(text);
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).contains("line 1: 3 names for 4 columns; put a name before the first");
            assertThat(train("id," + text).code()).isZero();
        }
        assertThat(train("x,g,y~1.5,u,0,~2.5,v,1,~").err()).doesNotContain("names for");
    }

    @Test
    void rowNamesAreTheIdIfAsked() {
        Cli run = train(",x,g,y~a,1.5,u,0~b,2.5,v,1~c,0.5,u,1~d,3.5,v,0~", "--id-column row.names");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).doesNotContain("names the rows");
    }

    @Test
    void aHeaderThatCountsTheColumnsIsNotARow() {
        String rows = "-2.8,0.2,0~1.5,0.7,1~0.3,-0.4,1~-1.1,0.9,0~";
        LinearModel counted = trained("0,1,2~" + rows, "--label-column last");
        assertThat(counted.classes()).containsExactly(0.0, 1.0);
        assertThat(counted.names()).containsExactly("0", "1");
        assertThat(counted.hasIntercept()).isTrue();
        assertThat(trained("1,2,3~" + rows, "--label-column last").names()).containsExactly("1", "2");
        assertThat(trained("0,1,2~1,0,4~0,5,5~1,2,2~").names()).isEmpty();
        assertThat(trained("0,1,2,3~1,0,4,0~0,5,5,1~1,2,2,1~", "--label-column last")
                        .names())
                .containsExactly("0", "1", "2");
        assertThat(trained("2001,2002,2003,2004~.1,0,4,0~0,5,5,1~1,.2,2,1~", "--label-column last")
                        .names())
                .containsExactly("2001", "2002", "2003");
        assertThat(trained("0,1,2,3~1,2,3,4~0,5,5,1~1,2,2,1~").names()).isEmpty();
    }

    @Test
    void refusesNamesForAFileThatHasThem() {
        assertThat(train("x,g,y~" + ROWS, "--column-names a,b,c --label-column c")
                        .err())
                .contains("line 1: the columns have names already, the first 'x'; leave out --column-names");
        assertThat(trained(ROWS, "--column-names a,b,y").names()).containsExactly("a", "b=v");
        assertThat(train("p,q~s,t~p,t~s,q~", "--column-names a,y").code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# made by hand, on a Friday, at noon, or so~x,g,y~1.5,u,0~2.5,v,1~0.5,u,1~3.5,v,0~",
                "# one~# two~x,g,y~1.5,u,0~2.5,v,1~0.5,u,1~3.5,v,0~",
                "sep=;~x;g;y~1.5;u;0~2.5;v;1~0.5;u;1~3.5;v;0~",
                "\"sep=,\"~x,g,y~1.5,u,0~2.5,v,1~0.5,u,1~3.5,v,0~",
                "x|g|y~1.5|u|0~2.5|v|1~0.5|u|1~3.5|v|0~"
            })
    void whatComesBeforeTheNamesIsLeftOut(String text) {
        String hash = trained("x,g,y~" + ROWS).hash();
        assertThat(trained(text).hash()).isEqualTo(hash);
    }

    @Test
    void theDelimiterDividesAllLinesAlike() {
        assertThat(trained("x;unit cm,g,y~" + ROWS).names()).containsExactly("x;unit cm", "g=v");
        assertThat(trained("\"a;b\",g,y~" + ROWS).names()).containsExactly("a;b", "g=v");
        assertThat(trained("x;g;y~1.5;p,q;0~2.5;r,s;1~0.5;p,q;1~3.5;r,s;0~").names())
                .containsExactly("x", "g=r,s");
    }

    @Test
    void namesCarriageReturns() {
        assertThat(train("x,g,y\r1,u,0\r2,v,1\r").err()).contains("ends its lines with carriage returns alone");
    }

    @Test
    void aOneColumnFileIsATableForAModelWithNames() {
        trained("x,y~1.5,0~2.5,1~0.5,1~3.5,0~");
        Path one = Cli.file(folder, "x.csv", "x\n1\n2\n");
        Cli predicted = Cli.ok("predict", folder.resolve("m.json"), one);
        assertThat(predicted.out().lines()).hasSize(2);
        Path nameless = Cli.file(folder, "nameless.csv", "1\n2\n");
        Cli refused = Cli.run("predict", folder.resolve("m.json"), nameless);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("judging by this line of 1 cell;", "give the names (--column-names)");
        Cli named = Cli.ok("predict", folder.resolve("m.json"), nameless, "--column-names x");
        assertThat(named.out()).isEqualTo(predicted.out());
    }

    @Test
    void aModelOfNumbersKnowsItsLabel() {
        trained("x,medv~1.5,3~2.5,1~0.5,9~3.5,0~", "--label-column medv --loss squared");
        Cli evaluated = Cli.ok("evaluate", folder.resolve("m.json"), folder.resolve("t.csv"));
        assertThat(evaluated.out()).contains("rmse");
    }

    @Test
    void aFormulaRemovesOnlyWhatThereIs() {
        String text = "age,hours-per-week,y~1.5,2,0~2.5,3,1~0.5,2,1~3.5,5,0~";
        assertThat(train(text, "--formula", "y ~ . - hours-per-week").err())
                .contains("unknown column 'hours'; did you mean `hours-per-week`, in backticks");
        assertThat(train(text, "--formula", "y ~ age - nosuch").err()).contains("unknown column 'nosuch'");
        assertThat(train(text, "--formula", "y ~ hours-per-week").err()).contains("`hours-per-week`");
        assertThat(trained(text, "--formula", "y ~ . - `hours-per-week`").names())
                .containsExactly("age");
        assertThat(train(text, "--formula", "y ~ age + offset(age)").err()).contains("column 'age' is the offset");
        assertThat(trained(text, "--formula", "y ~ age + offset(`hours-per-week`)")
                        .names())
                .containsExactly("age");
    }

    @Test
    void levelsAreMatchedAsNumbersToo() {
        trained("zip,y~1,0~2,1~1,1~2,0~", "--kind zip=categorical");
        Path floats = Cli.file(folder, "floats.csv", "zip\n1.0\n2.0\n");
        Cli.ok("predict", folder.resolve("m.json"), floats);
    }
}
