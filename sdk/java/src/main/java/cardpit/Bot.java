package cardpit;

/** A player at one table. Every match has one of its own, made when the match begins. */
public interface Bot {
    /** Returns the action to take. An exception ends the process: the match is lost by CRASH. */
    Choice act(Turn turn);

    /** Looks at how the match ended. */
    default void closed(Result result) {}
}
