package cardpit;

import cardpit.v1.RefereeOuterClass;
import cardpit.v1.RefereeOuterClass.Decision;
import cardpit.v1.RefereeOuterClass.Decisions;
import cardpit.v1.RefereeOuterClass.Hello;
import cardpit.v1.RefereeOuterClass.PlayRequest;
import cardpit.v1.RefereeOuterClass.PlayResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** What one bot process says on its stream, whatever carries it: a bot at each table, an answer to each turn. */
final class Session {
    private static final int PROTOCOL = 1;
    private static final int MAX_TABLES = 1024;

    private record Seating(Table table, Bot bot) {}

    private final Function<Table, Bot> newBot;
    private final List<String> games;
    private final Consumer<PlayRequest> send;
    private final Map<Integer, Seating> seatings = new HashMap<>();
    private int maxMessageSize = 64 * 1024;
    private int maxCommentLength = 200;

    Session(Function<Table, Bot> newBot, List<String> games, Consumer<PlayRequest> send) {
        this.newBot = newBot;
        this.games = games;
        this.send = send;
    }

    void hello(String token) {
        Hello.Builder hello = Hello.newBuilder()
                .setToken(token)
                .setProtocol(PROTOCOL)
                .setSdkName("cardpit-java")
                .setSdkVersion("0.1.0")
                .addAllGames(games)
                .setMaxTables(MAX_TABLES);
        send.accept(PlayRequest.newBuilder().setHello(hello).build());
    }

    /** Does what a message asks for. Returns whether there is more to come: false after Farewell. */
    boolean receive(PlayResponse message) {
        switch (message.getKindCase()) {
            case TURNS -> decide(message.getTurns().getTurnsList().stream().map(this::decision).toList());
            case TABLE_OPENED -> {
                Table table = Table.of(message.getTableOpened());
                seatings.put(table.number(), new Seating(table, newBot.apply(table)));
            }
            case TABLE_CLOSED -> {
                Seating seating = seatings.remove(message.getTableClosed().getTable());
                if (seating != null) {
                    seating.bot().closed(Result.of(message.getTableClosed().getResult()));
                }
            }
            case WELCOME -> {
                maxMessageSize = message.getWelcome().getMaxMessageSize();
                maxCommentLength = message.getWelcome().getMaxCommentLength();
            }
            case FAREWELL -> {
                return false;
            }
            case KIND_NOT_SET -> {}
        }
        return true;
    }

    private Decision decision(RefereeOuterClass.Turn turn) {
        Seating seating = seatings.get(turn.getTable());
        if (seating == null) {
            throw new IllegalStateException("a turn at table " + turn.getTable() + ": open are " + seatings.keySet());
        }
        Choice choice = seating.bot().act(new Turn(seating.table(), turn));
        if (choice == null) {
            throw new NullPointerException(seating.bot().getClass().getName() + ".act returned null: a Choice is wanted");
        }
        Decision.Builder decision = Decision.newBuilder()
                .setTable(turn.getTable())
                .setTurn(turn.getTurn())
                .setComment(cut(choice.comment(), maxCommentLength));
        return (choice.action() == null ? decision.setIndex(choice.index()) : decision.setAction(choice.action()))
                .build();
    }

    /** Sends decisions in as few messages as the referee's limit on their size allows. */
    private void decide(List<Decision> decisions) {
        PlayRequest request = PlayRequest.newBuilder()
                .setDecisions(Decisions.newBuilder().addAllDecisions(decisions))
                .build();
        if (decisions.size() <= 1 || request.getSerializedSize() <= maxMessageSize) {
            send.accept(request);
            return;
        }
        int half = decisions.size() / 2;
        decide(decisions.subList(0, half));
        decide(decisions.subList(half, decisions.size()));
    }

    /** Returns the first characters of a text. One beyond U+FFFF is two units of a string, yet one of these. */
    private static String cut(String text, int length) {
        return text.codePointCount(0, text.length()) <= length
                ? text
                : text.substring(0, text.offsetByCodePoints(0, length));
    }
}
