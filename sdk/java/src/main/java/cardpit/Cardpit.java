package cardpit;

import cardpit.v1.RefereeGrpc;
import cardpit.v1.RefereeOuterClass.PlayRequest;
import cardpit.v1.RefereeOuterClass.PlayResponse;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Plays for the referee that started this process. */
public final class Cardpit {
    /** Bytes: the turns of a thousand tables with long lists of actions. */
    private static final int LARGEST_MESSAGE = 64 * 1024 * 1024;

    /** Netty warns of a machine without a network, as a jail is: it would be the first thing in every bot's log. */
    private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded");

    private Cardpit() {}

    /**
     * Plays for the referee that started this process, then ends it.
     *
     * <p>The exit status is 0 after Farewell or the end of the stream; 1 where a bot throws, or the referee cannot be
     * reached or refuses the bot; and 2 where no referee started the process.
     *
     * @param newBot makes a bot for each table
     * @param games the ids of the games that it plays; none for all
     */
    public static void run(Function<Table, Bot> newBot, String... games) {
        String address = System.getenv("CARDPIT_ADDRESS");
        if (address == null) {
            System.err.println("this bot plays when a referee starts it (CARDPIT_ADDRESS is not set):"
                    + " submit it to a tournament");
            System.exit(2);
        }
        int status = 1;
        try {
            play(address, System.getenv().getOrDefault("CARDPIT_TOKEN", ""), newBot, List.of(games));
            status = 0;
        } catch (Throwable error) {
            // Whatever a bot throws belongs into its log, and ends it.
            error.printStackTrace();
        } finally {
            System.out.flush();
            Runtime.getRuntime().halt(status);
        }
    }

    /** Serves the referee at an address until it says Farewell or ends the stream; the bots think in this thread. */
    private static void play(String address, String token, Function<Table, Bot> newBot, List<String> games)
            throws InterruptedException {
        BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
        StreamObserver<PlayRequest> requests = RefereeGrpc.newStub(connect(address)).play(new StreamObserver<>() {
            @Override
            public void onNext(PlayResponse message) {
                arrivals.add(new Arrival(message, null));
            }

            @Override
            public void onError(Throwable error) {
                arrivals.add(new Arrival(null, error));
            }

            @Override
            public void onCompleted() {
                arrivals.add(new Arrival(null, null));
            }
        });
        Session session = new Session(newBot, games, requests::onNext);
        session.hello(token);
        Arrival arrival = arrivals.take();
        while (arrival.message() != null && session.receive(arrival.message())) {
            arrival = arrivals.take();
        }
        if (arrival.error() != null) {
            throw new IllegalStateException(
                    "the referee at " + address + " ended the stream: " + Status.fromThrowable(arrival.error()));
        }
        requests.onCompleted();
    }

    private static ManagedChannel connect(String address) {
        NETTY.setLevel(Level.SEVERE);
        // Where its native part may be unpacked.
        System.setProperty("io.grpc.netty.shaded.io.netty.native.workdir",
                System.getenv().getOrDefault("TMPDIR", System.getProperty("java.io.tmpdir")));
        ManagedChannelBuilder<?> builder = Grpc.newChannelBuilder(address, InsecureChannelCredentials.create())
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .proxyDetector(target -> null)
                .directExecutor();
        return (address.startsWith("unix:") ? builder.overrideAuthority("localhost") : builder).build();
    }

    /** A message of the referee; without one the stream has ended, by an error if there is one. */
    private record Arrival(PlayResponse message, Throwable error) {}
}
