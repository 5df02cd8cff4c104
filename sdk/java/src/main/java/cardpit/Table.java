package cardpit;

import cardpit.v1.RefereeOuterClass.Parameter;
import cardpit.v1.RefereeOuterClass.TableOpened;
import cardpit.v1.RefereeOuterClass.TimeControl;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A seat at a table, for one match.
 *
 * @param number names the table among those of this process
 * @param game the game's id
 * @param rulesVersion the version of its rules
 * @param parameters every parameter of the game with its value as text: {@code true}, {@code 4}, {@code redeal}
 * @param seat this bot's seat, from 0, clockwise
 * @param seats how many seats there are
 * @param timeControl the bot's time
 * @param random random numbers from the 32 bytes of private randomness of this seat: a bot that draws from nothing else
 *     plays reproducibly
 */
public record Table(
        int number,
        String game,
        int rulesVersion,
        Map<String, String> parameters,
        int seat,
        int seats,
        TimeControl timeControl,
        Random random) {
    static Table of(TableOpened message) {
        return new Table(
                message.getTable(),
                message.getGame(),
                message.getRulesVersion(),
                message.getParametersList().stream()
                        .collect(Collectors.toUnmodifiableMap(Parameter::getName, Parameter::getValue)),
                message.getSeat(),
                message.getSeats(),
                message.getTimeControl(),
                new Random(message.getBotSeed().toByteArray()));
    }
}
