/// The messages of the protocol. Include this header, never the one that is made from the protos: the name of one of
/// its values, CLOCK_REALTIME, is a macro of <time.h>.
#pragma once

#include <ctime>
#pragma push_macro("CLOCK_REALTIME")
#undef CLOCK_REALTIME
#include "cardpit/v1/referee.pb.h"  // IWYU pragma: export

namespace cardpit {

/// Tells whether each tick closes on the wall clock.
inline bool is_realtime(const v1::TimeControl& control) { return control.clock() == v1::CLOCK_REALTIME; }

}  // namespace cardpit

#pragma pop_macro("CLOCK_REALTIME")
