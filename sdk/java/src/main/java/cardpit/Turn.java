package cardpit;

import cardpit.v1.RefereeOuterClass;
import cardpit.v1.RefereeOuterClass.Counter;
import cardpit.v1.RefereeOuterClass.Event;
import cardpit.v1.RefereeOuterClass.Observation;
import cardpit.v1.RefereeOuterClass.Zone;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A question to a bot. It needs no memory to be answered.
 *
 * @param table the table at which it is asked
 * @param message the question as the protocol has it
 */
public record Turn(Table table, RefereeOuterClass.Turn message) {
    /** In place of a seat: a zone that no seat owns. */
    public static final int COMMON = -1;

    /**
     * What the referee did in place of this seat's last answer.
     *
     * @param reason {@code timeout}, {@code illegal action} or {@code too late}
     * @param action what was applied
     * @param strikes how many strikes the seat has now
     */
    public record Substitution(String reason, String action, int strikes) {}

    /** Counts this seat's turns at this table, from 1. */
    public int number() {
        return message.getTurn();
    }

    /** Every action that may be chosen, in a fixed order. */
    public List<String> legalActions() {
        return message.getLegalActionsList();
    }

    /** All that the seat sees. */
    public Observation observation() {
        return message.getObservation();
    }

    /** The part of the match, from the game's page. */
    public String phase() {
        return observation().getPhase();
    }

    /** What happened from this seat's last turn on, its own action included, oldest first. */
    public List<Event> events() {
        return observation().getEventsList();
    }

    /** The cards in this seat's hand. */
    public List<String> hand() {
        return zone("hand", table.seat()).getCardsList();
    }

    /** The time that is free for this decision. */
    public Duration moveTime() {
        return Duration.ofSeconds(message.getMoveTime().getSeconds(), message.getMoveTime().getNanos());
    }

    /** The time left for the rest of the match beyond that. */
    public Duration bankTime() {
        return Duration.ofSeconds(message.getBankTime().getSeconds(), message.getBankTime().getNanos());
    }

    /** What the referee did in place of the last answer, if it was late or illegal. */
    public Optional<Substitution> substitution() {
        if (!message.hasSubstitution()) {
            return Optional.empty();
        }
        RefereeOuterClass.Substitution found = message.getSubstitution();
        String reason = Result.words(found.getReason().name(), "SUBSTITUTION_REASON_");
        return Optional.of(new Substitution(reason, found.getAction(), found.getStrikes()));
    }

    /**
     * Returns the place of this name and owner, a seat or {@link #COMMON}.
     *
     * @throws NoSuchElementException that lists those there are
     */
    public Zone zone(String name, int owner) {
        return observation().getZonesList().stream()
                .filter(zone -> zone.getName().equals(name) && ownerOf(zone) == owner)
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no zone %s with owner %d: there are %s"
                        .formatted(
                                name,
                                owner,
                                observation().getZonesList().stream()
                                        .map(zone -> zone.getName() + (zone.hasOwner() ? " of " + zone.getOwner() : ""))
                                        .collect(Collectors.joining(", ")))));
    }

    private static int ownerOf(Zone zone) {
        return zone.hasOwner() ? zone.getOwner() : COMMON;
    }

    /**
     * Returns a named number.
     *
     * @throws NoSuchElementException that lists those there are
     */
    public int counter(String name) {
        return observation().getCountersList().stream()
                .filter(counter -> counter.getName().equals(name))
                .findFirst()
                .map(Counter::getValue)
                .orElseThrow(() -> new NoSuchElementException("no counter %s: there are %s"
                        .formatted(
                                name,
                                observation().getCountersList().stream()
                                        .map(Counter::getName)
                                        .collect(Collectors.joining(", ")))));
    }
}
