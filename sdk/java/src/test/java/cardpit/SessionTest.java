package cardpit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import cardpit.v1.RefereeOuterClass;
import cardpit.v1.RefereeOuterClass.Counter;
import cardpit.v1.RefereeOuterClass.Decision;
import cardpit.v1.RefereeOuterClass.Farewell;
import cardpit.v1.RefereeOuterClass.MatchResult;
import cardpit.v1.RefereeOuterClass.Observation;
import cardpit.v1.RefereeOuterClass.PlayRequest;
import cardpit.v1.RefereeOuterClass.PlayResponse;
import cardpit.v1.RefereeOuterClass.SeatResult;
import cardpit.v1.RefereeOuterClass.TableClosed;
import cardpit.v1.RefereeOuterClass.TableOpened;
import cardpit.v1.RefereeOuterClass.Termination;
import cardpit.v1.RefereeOuterClass.Turns;
import cardpit.v1.RefereeOuterClass.Welcome;
import cardpit.v1.RefereeOuterClass.Zone;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SessionTest {
    private static final byte[] SEED = new byte[32];

    static {
        IntStream.range(0, SEED.length).forEach(place -> SEED[place] = (byte) place);
    }

    private final List<PlayRequest> sent = new ArrayList<>();
    private final List<Result> results = new ArrayList<>();
    private final Session session = new Session(Tester::new, List.of("landlord"), sent::add);

    private final class Tester implements Bot {
        private final Table table;

        Tester(Table table) {
            this.table = table;
        }

        @Override
        public Choice act(Turn turn) {
            assertEquals(List.of("QS", "X"), turn.hand());
            assertEquals(2, turn.counter("multiplier"));
            assertEquals("play", turn.phase());
            String message = assertThrows(NoSuchElementException.class, () -> turn.zone("stock", Turn.COMMON))
                    .getMessage();
            assertEquals("no zone stock with owner -1: there are hand of 1", message);
            return table.number() == 1 ? Choice.of(2).withComment("\uD83C\uDCCF".repeat(300)) : Choice.of("play X");
        }

        @Override
        public void closed(Result result) {
            results.add(result);
        }
    }

    private static PlayResponse opened(int table) {
        return PlayResponse.newBuilder()
                .setTableOpened(TableOpened.newBuilder()
                        .setTable(table)
                        .setSeat(1)
                        .setSeats(2)
                        .setBotSeed(ByteString.copyFrom(SEED)))
                .build();
    }

    private static PlayResponse turns(int... tables) {
        Observation observation = Observation.newBuilder()
                .setPhase("play")
                .addZones(Zone.newBuilder().setName("hand").setOwner(1).addCards("QS").addCards("X"))
                .addCounters(Counter.newBuilder().setName("multiplier").setValue(2))
                .build();
        Turns.Builder turns = Turns.newBuilder();
        for (int table : tables) {
            turns.addTurns(RefereeOuterClass.Turn.newBuilder()
                    .setTable(table)
                    .setTurn(7)
                    .setObservation(observation)
                    .addAllLegalActions(List.of("play Q", "play X", "pass")));
        }
        return PlayResponse.newBuilder().setTurns(turns).build();
    }

    @Test
    void aSessionAnswersAllTurnsOfAMessageInOneAndEndsAtFarewell() {
        session.hello("secret");
        assertEquals("secret", sent.get(0).getHello().getToken());
        assertEquals(List.of("landlord"), sent.get(0).getHello().getGamesList());
        assertTrue(session.receive(opened(1)));
        assertTrue(session.receive(opened(2)));
        assertTrue(session.receive(turns(1, 2)));
        assertEquals(2, sent.size());
        Decision first = sent.get(1).getDecisions().getDecisions(0);
        assertEquals(List.of(1, 7, 2), List.of(first.getTable(), first.getTurn(), first.getIndex()));
        assertEquals(200, first.getComment().codePoints().count());
        Decision second = sent.get(1).getDecisions().getDecisions(1);
        assertEquals(List.of(2, "play X", ""), List.of(second.getTable(), second.getAction(), second.getComment()));
        SeatResult.Builder seat = SeatResult.newBuilder()
                .setPayoff(-2)
                .setPlace(2)
                .setTermination(Termination.TERMINATION_ILLEGAL_ACTION);
        session.receive(PlayResponse.newBuilder()
                .setTableClosed(TableClosed.newBuilder()
                        .setTable(1)
                        .setResult(MatchResult.newBuilder().addSeats(seat)))
                .build());
        assertEquals(List.of(new Result(List.of(-2.0), List.of(2), List.of("illegal action"))), results);
        assertFalse(session.receive(
                PlayResponse.newBuilder().setFarewell(Farewell.newBuilder()).build()));
        assertEquals(2, sent.size());
    }

    @Test
    void decisionsThatAreTooLargeForOneMessageTravelInSeveral() {
        session.receive(PlayResponse.newBuilder()
                .setWelcome(Welcome.newBuilder().setMaxMessageSize(20).setMaxCommentLength(200))
                .build());
        session.receive(opened(2));
        session.receive(turns(2, 2, 2, 2));
        assertEquals(4, sent.size());
    }

    @Test
    void theRandomNumbersAreThoseOfEveryKit() {
        Random random = new Random(SEED);
        assertEquals(
                List.of(1896324570, 633098894, 3018375, 2145950261),
                IntStream.range(0, 4).mapToObj(drawn -> random.nextInt()).toList());
        assertEquals(
                List.of(47, 31, 28, 31, 42, 32, 47, 12),
                IntStream.range(0, 8).mapToObj(drawn -> random.place(52)).toList());
        assertEquals(
                List.of(2672327894L, 2436581595L, 2798424326L, 298443684L, 721305680L, 2277623200L),
                LongStream.range(0, 6).mapToObj(drawn -> random.below(3_000_000_000L)).toList());
        List<String> letters = Arrays.asList("ABCDEFGH".split(""));
        random.shuffle(letters);
        assertEquals("CBAFHDGE", String.join("", letters));
        assertThrows(IllegalArgumentException.class, () -> new Random(new byte[32]));
    }

    @Test
    void aCardIsARankAndASuit() {
        assertEquals(List.of("QS", "x", "TD"), Cards.parse(" QS x  TD "));
        assertEquals('Q', Cards.rank("QS"));
        assertEquals('S', Cards.suit("QS"));
        assertEquals(0, Cards.suit("x"));
        assertEquals(52, Cards.PACK.size());
        for (String wrong : List.of("1S", "QX", "Q", "QSH")) {
            String message = assertThrows(IllegalArgumentException.class, () -> Cards.parse("QS " + wrong)).getMessage();
            assertTrue(message.startsWith("\"" + wrong + "\" is no card"), message);
        }
    }
}
