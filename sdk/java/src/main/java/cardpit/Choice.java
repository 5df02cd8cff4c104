package cardpit;

/**
 * What a bot answers: an action by its place or by its notation.
 *
 * @param index the place of the action in {@link Turn#legalActions}, from 0; used where {@code action} is null
 * @param action the action's notation, or null
 * @param comment what the record keeps with it, up to 200 characters, the rest is cut off; empty for nothing
 */
public record Choice(int index, String action, String comment) {
    /** Chooses an action by its place in {@link Turn#legalActions}, from 0. */
    public static Choice of(int index) {
        return new Choice(index, null, "");
    }

    /** Chooses an action by its notation. */
    public static Choice of(String action) {
        return new Choice(0, action, "");
    }

    /** Returns the choice with a text that the record keeps. */
    public Choice withComment(String text) {
        return new Choice(index, action, text);
    }
}
