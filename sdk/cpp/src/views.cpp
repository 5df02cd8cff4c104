#include "cardpit/views.hpp"

#include <stdexcept>

namespace cardpit {
namespace {

std::chrono::nanoseconds time(const google::protobuf::Duration& message) {
  return std::chrono::seconds(message.seconds()) + std::chrono::nanoseconds(message.nanos());
}

std::string shown(std::string_view name, std::optional<int> owner) {
  return std::string(name) + (owner ? " of " + std::to_string(*owner) : "");
}

}  // namespace

std::chrono::nanoseconds Turn::move_time() const { return time(message_.move_time()); }

std::chrono::nanoseconds Turn::bank_time() const { return time(message_.bank_time()); }

const v1::Zone& Turn::zone(std::string_view name, std::optional<int> owner) const {
  std::string known;
  for (const v1::Zone& zone : observation().zones()) {
    const std::optional<int> seat = zone.has_owner() ? std::optional<int>(zone.owner()) : std::nullopt;
    if (zone.name() == name && seat == owner) {
      return zone;
    }
    known += (known.empty() ? "" : ", ") + shown(zone.name(), seat);
  }
  throw std::out_of_range("no zone " + shown(name, owner) + ": there are " + known);
}

int Turn::counter(std::string_view name) const {
  std::string known;
  for (const v1::Counter& counter : observation().counters()) {
    if (counter.name() == name) {
      return counter.value();
    }
    known += (known.empty() ? "" : ", ") + counter.name();
  }
  throw std::out_of_range("no counter " + std::string(name) + ": there are " + known);
}

}  // namespace cardpit
