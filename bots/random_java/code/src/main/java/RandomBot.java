import cardpit.Bot;
import cardpit.Cardpit;
import cardpit.Choice;
import cardpit.Table;
import cardpit.Turn;

/** Plays any legal action of any game, each as likely as the others. */
public final class RandomBot implements Bot {
    private final Table table;

    public RandomBot(Table table) {
        this.table = table;
    }

    /** Draws from the seat's private randomness, so that the same board is played the same way. */
    @Override
    public Choice act(Turn turn) {
        return Choice.of(table.random().place(turn.legalActions().size()));
    }

    public static void main(String[] arguments) {
        Cardpit.run(RandomBot::new);
    }
}
