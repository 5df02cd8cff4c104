#include <grpcpp/grpcpp.h>

#include <cstdlib>
#include <iostream>

#include "session.hpp"
// The messages come first: see messages.hpp.
#include "cardpit/v1/referee.grpc.pb.h"

namespace cardpit {
namespace {

/// Bytes: the turns of a thousand tables with long lists of actions.
constexpr int kLargestMessage = 64 * 1024 * 1024;

/// Serves the referee at an address until it says Farewell or ends the stream.
grpc::Status play(Session& session, const std::string& address, const std::string& token) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kLargestMessage);
  arguments.SetInt("grpc.enable_http_proxy", 0);
  arguments.SetString("grpc.default_authority", "localhost");
  const auto stub = v1::Referee::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  // A write fails only where the stream has ended; then the next read fails too, and the status tells why.
  stream->Write(session.hello(token));
  std::vector<v1::PlayRequest> requests;
  for (v1::PlayResponse message; stream->Read(&message);) {
    requests.clear();
    if (!session.receive(message, requests)) {
      stream->WritesDone();
      context.TryCancel();
      stream->Finish();
      return grpc::Status::OK;
    }
    for (const v1::PlayRequest& request : requests) {
      stream->Write(request);
    }
  }
  return stream->Finish();
}

}  // namespace

int run(const MakeBot& make, const std::vector<std::string>& games) {
  const char* address = std::getenv("CARDPIT_ADDRESS");
  if (address == nullptr) {
    std::cerr << "this bot plays when a referee starts it (CARDPIT_ADDRESS is not set): submit it to a tournament\n";
    return 2;
  }
  const char* token = std::getenv("CARDPIT_TOKEN");
  Session session(make, games);
  const grpc::Status status = play(session, address, token == nullptr ? "" : token);
  if (!status.ok()) {
    std::cerr << "the referee at " << address << " ended the stream: " << status.error_message() << '\n';
    return 1;
  }
  return 0;
}

}  // namespace cardpit
