package dev.starling.peer.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which sites a run sets apart from the others, given the runs before it. */
class SiteClassesTest {

    private static Set<String> sites(String names) {
        return Arrays.stream(names.split("")).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource({
        // a new site, one that leaves, two that join, three that join
        "abc,       abcd,   d",
        "abcd,      abd,    c",
        "abc,       abcde,  de",
        "abc,       abcdef, ''",
        // one is replaced by another
        "abce,      abde,   cd",
        // the first run and the third differ by d, whatever e has agreed to
        "abc abcde, abcd,   de",
        // nothing new comes of what was known before
        "abc abcd,  abcd,   ''",
        "abc abcd,  abc,    ''",
        // those who are left are two
        "abcd,      ab,     abcd",
        "abc,       xyz,    ''",
    })
    void namesEachSiteOfASmallClass(String earlier, String now, String exposed) {
        List<Set<String>> runs =
                Arrays.stream(earlier.split(" ")).map(SiteClassesTest::sites).toList();
        assertThat(SiteClasses.exposed(runs, sites(now), 3)).isEqualTo(exposed.isEmpty() ? Set.of() : sites(exposed));
    }

    @Test
    void aSiteThatSharesWhatItKnowsMakesClassesSmaller() {
        assertThat(SiteClasses.exposed(List.of(sites("abcd")), sites("abcdefg"), 3))
                .isEmpty();
        assertThat(SiteClasses.exposed(List.of(sites("abcd")), sites("abcdefg"), 4))
                .containsExactlyInAnyOrder("e", "f", "g");
    }

    @Test
    void aFirstRunSetsNobodyApart() {
        assertThat(SiteClasses.exposed(List.of(), sites("ab"), 3)).isEmpty();
    }
}
