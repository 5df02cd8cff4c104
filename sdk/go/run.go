package cardpit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	cardpitv1 "cardpit/v1"
)

// largestMessage is in bytes: the turns of a thousand tables with long lists of actions.
const largestMessage = 64 * 1024 * 1024

// Run plays for the referee that started this process, then ends it. It makes a bot for every table with newBot.
// With games, the ids of games, the bot plays those only.
//
// The exit status is 0 after Farewell or the end of the stream, 1 where the referee cannot be reached or refuses the
// bot, and 2 where no referee started the process. A panic of a bot ends the process as any panic does.
func Run(newBot func(*Table) Bot, games ...string) {
	address := os.Getenv("CARDPIT_ADDRESS")
	if address == "" {
		fmt.Fprintln(os.Stderr, "this bot plays when a referee starts it (CARDPIT_ADDRESS is not set): submit it to a tournament")
		os.Exit(2)
	}
	if err := play(newSession(newBot, games), address, os.Getenv("CARDPIT_TOKEN")); err != nil {
		fmt.Fprintf(os.Stderr, "the referee at %s ended the stream: %v\n", address, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// play serves the referee at an address until it says Farewell or ends the stream.
func play(session *session, address, token string) error {
	conn, err := grpc.NewClient(
		address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestMessage)),
	)
	if err != nil {
		return err
	}
	defer conn.Close()
	stream, err := cardpitv1.NewRefereeClient(conn).Play(context.Background())
	if err != nil {
		return err
	}
	requests, more := []*cardpitv1.PlayRequest{session.hello(token)}, true
	for more {
		for _, request := range requests {
			// At io.EOF the stream has ended: Recv tells why.
			if err := stream.Send(request); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
		}
		message, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		requests, more = session.receive(message)
	}
	return stream.CloseSend()
}
