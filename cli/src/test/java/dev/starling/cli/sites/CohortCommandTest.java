package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A patient who withdraws, from the refusal to the file that the next run is allowed with. */
class CohortCommandTest {

    private static final int PEOPLE = 200;

    @TempDir
    private Path folder;

    @BeforeEach
    void threeSitesWithAStudy() throws IOException {
        Random random = new Random(1);
        StringBuilder table = new StringBuilder("id,age,sick\n");
        for (int k = 0; k < PEOPLE; k++) {
            table.append("p-")
                    .append(k)
                    .append(',')
                    .append(20 + random.nextInt(60))
                    .append(random.nextBoolean() ? ",yes\n" : ",no\n");
        }
        Files.writeString(file("a.csv"), table);
        Files.writeString(file("study.yaml"), """
                label: {column: sick, classes: ['no', 'yes']}
                ids: [id]
                columns:
                - {name: age, kind: numeric}
                loss: logistic
                lambda: 1e-3
                """);
        ok(Cli.run("keys", "init", "--dir", file("keys")));
        ok(Cli.run("keys", "site", "a", "b", "c", "--dir", file("keys")));
        ok(Cli.run("network", "new", "--sites a,b,c --study", file("study.yaml"), "--dir", folder));
        assertThat(ok(Cli.run("cohort", "register", file("a.yaml"))).out())
                .contains("is new: it knows of no earlier run", "run run-1: 200 people, 0 of them known");
        edit("run: run-1", "run: run-2");
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static Cli ok(Cli cli) {
        assertThat(cli.code()).as(cli.out() + cli.err()).isZero();
        return cli;
    }

    @Test
    void aPatientWithdrawsWithCompanions() throws IOException {
        List<String> all = Files.readAllLines(file("a.csv"));
        Files.write(
                file("alone.csv"),
                all.stream().filter(line -> !line.startsWith("p-17,")).toList());
        edit("file: a.csv", "file: alone.csv");
        Cli refused = Cli.ended(2, "cohort", "check", file("a.yaml"));
        assertThat(refused.err())
                .contains("1 person is missing from those of run run-1", "starling cohort withdraw")
                .doesNotContain("p-17");
        edit("file: alone.csv", "file: a.csv");
        ok(Cli.run("cohort", "withdraw", file("a.yaml"), "--id p-17 --output", file("b-2.csv")));
        assertThat(Files.readAllLines(file("b-2.csv")))
                .hasSize(1 + PEOPLE - 50)
                .noneMatch(line -> line.startsWith("p-17,"))
                .contains(all.get(0));
        assertThat(ok(Cli.run("cohort", "withdraw", file("a.yaml"), "--row 18"))
                        .out()
                        .split(","))
                .hasSize(50)
                .contains("18");
        edit("file: a.csv", "file: b-2.csv");
        assertThat(ok(Cli.run("cohort", "check", file("a.yaml"))).out())
                .contains("run run-2: 150 people, 150 of them known", "the fewest who were always together are 50");
        assertThat(ok(Cli.run("cohort", "show", file("a.yaml"))).out())
                .contains(
                        "run-1: 200 people, 0 known before; with a, b, c; not begun", "intact; over all runs, 0 sums");
    }

    @Test
    void namesWhatIsMissing() throws IOException {
        assertThat(Cli.run("cohort", "withdraw", file("a.yaml")).err()).contains("nobody is to go; give --id or --row");
        assertThat(Cli.run("cohort", "withdraw", file("a.yaml"), "--id p-999").err())
                .contains("no row has the id given")
                .doesNotContain("p-999");
        assertThat(Cli.run("cohort", "withdraw", file("a.yaml"), "--row 18,201").err())
                .contains("the site has no row 201; rows are counted from 1");
        edit("register: register-a", "register: elsewhere");
        assertThat(Cli.run("cohort", "check", file("a.yaml")).err())
                .contains("holds no register of this site's earlier runs", "starling cohort register");
    }

    private void edit(String from, String to) throws IOException {
        String text = Files.readString(file("a.yaml"));
        assertThat(text).contains(from);
        Files.writeString(file("a.yaml"), text.replace(from, to));
    }
}
