package dev.starling.peer.cohort;

import dev.starling.data.InvalidInputException;
import dev.starling.job.Holdout;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.membership.Membership;
import dev.starling.peer.membership.SiteClasses;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.policy.SlopesAccount;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The people with whom a site takes part in a run, and the sites with which it does.
 *
 * @param config the site's file
 * @param cells the site's rows
 */
public record RunCohort(SiteConfig config, Cells cells) {

    /** The name of a ledger's note about the register. */
    public static final String NOTE = "register";

    /** The name of a run's ledger in its folder. */
    public static final String LEDGER = "ledger";

    /** Opens the register of the site, which must have every line that the site's ledgers know of. */
    public CohortRegister open() throws IOException {
        CohortRegister register = CohortRegister.open(config.register());
        try {
            register.requireKnows(NOTE, CohortRegister.ledgers(config.state(), LEDGER));
            return register;
        } catch (InvalidInputException | IOException e) {
            register.close();
            throw e;
        }
    }

    /**
     * Compares the run with all earlier ones.
     *
     * @param others whether the owner says that nobody in these rows was in an earlier run
     */
    public CohortFindings check(CohortRegister register, boolean others) throws IOException {
        return register.check(
                config.run(), config.members(), cells, config.policy().fewestRows(), others);
    }

    /**
     * Checks that the run isolates neither people nor sites without their consent.
     *
     * @param signer checks the consent of sites
     * @return the slopes that earlier runs have released of the rows to train on
     * @throws InvalidInputException saying how many people, or which sites, and since which run
     */
    public SlopesAccount require(Supplier<SiteSignature> signer) throws IOException {
        try (CohortRegister register = open()) {
            return require(register, check(register, false), signer);
        }
    }

    /** Checks what a comparison has found. */
    public SlopesAccount require(CohortRegister register, CohortFindings findings, Supplier<SiteSignature> signer)
            throws IOException {
        Policy policy = config.policy();
        findings.require(policy.fewestRows());
        requireConsents(findings, signer);
        boolean again = register.entries().stream()
                .anyMatch(entry -> entry.begun() && entry.run().equals(config.run()));
        long passes = register.passes(findings.entry().with());
        if (!again && passes >= policy.mostPassesEver()) {
            throw new InvalidInputException("earlier runs made " + passes + " passes over these people;" + " at most "
                    + policy.mostPassesEver() + " are allowed (policy: passes-ever)");
        }
        SlopesAccount account = register.slopes(trained(findings));
        if (!again && account.largest() > policy.leverage()) {
            throw new InvalidInputException("earlier runs have released enough about these people: "
                    + CohortRegister.leverage(account.largest(), policy)
                    + "; let other people take part, or raise the limit");
        }
        return account;
    }

    /** The people that each row to train on is about. */
    private long[] trained(CohortFindings findings) {
        return IntStream.range(0, cells.rows())
                .filter(row -> cells.parts()[row] != Holdout.HELD_OUT)
                .mapToLong(row -> findings.persons()[row])
                .toArray();
    }

    private void requireConsents(CohortFindings findings, Supplier<SiteSignature> signer) {
        Set<String> exposed = new TreeSet<>();
        SiteClasses.exposedByJoining(
                        findings.earlier(),
                        Set.copyOf(config.members()),
                        config.policy().fewestSitesApart(config.sites().size()))
                .forEach(member -> exposed.add(member.split(":", 2)[0]));
        if (!exposed.isEmpty()) {
            Membership.requireConsents(config, signer.get(), exposed);
        }
    }

    /** How many sums at a point earlier runs have released about these people, or may yet. */
    public long passesBefore() throws IOException {
        try (CohortRegister register = open()) {
            return register.passes();
        }
    }

    /** Records what the run has released, once it is over. */
    public void released(CohortRegister.Released numbers, List<SlopesAccount.Sum> sums) throws IOException {
        try (CohortRegister register = open()) {
            register.released(config.run(), numbers, trained(check(register, false)), sums);
        }
    }

    /** Registers the cohort, before the first sum of its run, and returns the register's last line. */
    public String begin() throws IOException {
        try (CohortRegister register = open()) {
            register.register(
                    config.run(),
                    config.members(),
                    cells,
                    config.policy().fewestRows(),
                    false,
                    true,
                    config.policy().mostGradients());
            return register.head();
        }
    }
}
