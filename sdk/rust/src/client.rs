use std::env;
use std::process::exit;

use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tonic::Status;
use tonic::transport::Endpoint;

use crate::bot::Bot;
use crate::session::Session;
use crate::v1::referee_client::RefereeClient;
use crate::views::Table;

/// Bytes: the turns of a thousand tables with long lists of actions.
const LARGEST_MESSAGE: usize = 64 * 1024 * 1024;

/// Plays for the referee that started this process, then ends it. A bot for every table is made by `new_bot`; `games`
/// are the ids of the games that it plays, none for all.
///
/// The exit status is 0 after Farewell or the end of the stream, 1 where the referee cannot be reached or refuses the
/// bot, and 2 where no referee started the process. A panic of a bot ends the process as any panic does.
pub fn run<B: Bot>(games: &[&str], new_bot: impl FnMut(&Table) -> B) -> ! {
    let Ok(address) = env::var("CARDPIT_ADDRESS") else {
        eprintln!("this bot plays when a referee starts it (CARDPIT_ADDRESS is not set): submit it to a tournament");
        exit(2);
    };
    let token = env::var("CARDPIT_TOKEN").unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    if let Err(error) = runtime.block_on(play(Session::new(games, new_bot), &address, token)) {
        eprintln!("the referee at {address} ended the stream: {error}");
        exit(1);
    }
    exit(0);
}

/// Serves the referee at an address until it says Farewell or ends the stream.
async fn play<B: Bot, F: FnMut(&Table) -> B>(
    mut session: Session<B, F>,
    address: &str,
    token: String,
) -> Result<(), Status> {
    let uri = if address.starts_with("unix:") { address.to_string() } else { format!("http://{address}") };
    let channel = Endpoint::from_shared(uri)
        .map_err(|error| Status::invalid_argument(error.to_string()))?
        .connect()
        .await
        .map_err(|error| Status::unavailable(format!("{error:?}")))?;
    let (requests, outgoing) = mpsc::unbounded_channel();
    requests.send(session.hello(token)).ok();
    let outgoing = tokio_stream::wrappers::UnboundedReceiverStream::new(outgoing);
    let mut client = RefereeClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE);
    let mut incoming = client.play(outgoing).await?.into_inner();
    while let Some(message) = incoming.next().await {
        let Some(answers) = session.receive(message?) else { break };
        for answer in answers {
            // It fails only where the stream has ended, and then the next message tells why.
            requests.send(answer).ok();
        }
    }
    Ok(())
}
