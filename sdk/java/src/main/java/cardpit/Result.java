package cardpit;

import cardpit.v1.RefereeOuterClass.MatchResult;
import cardpit.v1.RefereeOuterClass.SeatResult;
import java.util.List;
import java.util.Locale;

/**
 * How a match ended, by seat.
 *
 * @param payoffs in the game's unit
 * @param places 1 is best, equal places are shared
 * @param terminations {@code normal}, or what the seat is at fault for
 */
public record Result(List<Double> payoffs, List<Integer> places, List<String> terminations) {
    static Result of(MatchResult message) {
        List<SeatResult> seats = message.getSeatsList();
        return new Result(
                seats.stream().map(SeatResult::getPayoff).toList(),
                seats.stream().map(SeatResult::getPlace).toList(),
                seats.stream().map(seat -> words(seat.getTermination().name(), "TERMINATION_")).toList());
    }

    static String words(String name, String prefix) {
        return name.replace(prefix, "").toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
