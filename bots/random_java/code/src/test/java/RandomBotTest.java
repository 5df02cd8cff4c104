import static org.junit.jupiter.api.Assertions.assertEquals;

import cardpit.Choice;
import cardpit.Random;
import cardpit.Table;
import cardpit.Turn;
import cardpit.v1.RefereeOuterClass;
import cardpit.v1.RefereeOuterClass.TimeControl;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RandomBotTest {
    private static List<Choice> play() {
        byte[] seed = new byte[32];
        Arrays.fill(seed, (byte) 7);
        Table table =
                new Table(1, "landlord", 1, Map.of(), 0, 2, TimeControl.getDefaultInstance(), new Random(seed));
        RandomBot bot = new RandomBot(table);
        Turn turn = new Turn(
                table,
                RefereeOuterClass.Turn.newBuilder()
                        .addAllLegalActions(List.of("play 3", "play 4", "pass"))
                        .build());
        return Stream.generate(() -> bot.act(turn)).limit(50).toList();
    }

    @Test
    void theBotPlaysEveryLegalActionAndTheSameOnesFromTheSameSeed() {
        assertEquals(Set.of(Choice.of(0), Choice.of(1), Choice.of(2)), Set.copyOf(play()));
        assertEquals(play(), play());
    }
}
