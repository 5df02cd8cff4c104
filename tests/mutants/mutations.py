"""Planted faults, each with the test that must find it. They are made in a copy of the tree: see ``__main__.py``."""

from typing import NamedTuple

RULES = "sdk/python/cardpit/games"


class Mutation(NamedTuple):
    """One small fault."""

    fault: str
    """What is wrong then, as a phrase."""
    file: str
    old: str
    """The text that is replaced: it occurs once in the file."""
    new: str
    test: str
    """The test that must fail, as pytest names it; without brackets, with any of its parameters."""


MUTATIONS = (
    # What a seat may not see.
    Mutation(
        "the other hand is seen in the auction",
        f"{RULES}/landlord_deal.py",
        "in_order(cards), viewer in (seat, ALL)) for seat",
        "in_order(cards), True) for seat",
        "tests/games/test_laws.py::test_what_a_seat_cannot_know_changes_nothing_that_it_sees[landlord]",
    ),
    Mutation(
        "every hand of Twenty-Two is seen",
        f"{RULES}/twenty_two_view.py",
        "            if viewer in (seat, ALL):\n                hand, aside",
        "            if viewer != PUBLIC:\n                hand, aside",
        "tests/games/test_twenty_two_rules.py::"
        "test_tt_42_plays_talon_exchange_counts_piles_and_dealer_are_public_hands_and_exchanges_are_not",
    ),
    Mutation(
        "the other hand of Speed is seen",
        f"{RULES}/speed.py",
        'Zone("hand", owner, hand, 0) if seat in (owner, ALL) else',
        'Zone("hand", owner, hand, 0) if seat != PUBLIC else',
        "tests/games/test_speed_rules.py::test_sd_4_a_seat_sees_its_own_hand_and_the_piles_in_the_middle",
    ),
    Mutation(
        "the spit cards are seen",
        f"{RULES}/spit.py",
        'Zone("spit", owner, named(spits[::-1]), 0) if seat == ALL else',
        'Zone("spit", owner, named(spits[::-1]), 0) if seat in (owner, ALL) else',
        "tests/games/test_spit_rules.py::test_sp_6_all_see_the_same_and_nobody_what_lies_face_down",
    ),
    Mutation(
        "the seed is in a message to a bot",
        "referee/match.py",
        "                bot_seed(self._board.seed, number),",
        "                self._board.seed,",
        "tests/referee/test_abuse.py::test_neither_the_seed_nor_the_numbers_of_board_and_room_are_in_any_message",
    ),
    Mutation(
        "the seed is in a record from the start",
        "referee/record.py",
        "                seed_commitment=commitment(board.seed),",
        "                seed_commitment=commitment(board.seed),\n                seed=board.seed,",
        "tests/referee/test_record.py::test_a_record_holds_no_seed_before_it_is_revealed",
    ),
    Mutation(
        "the seed of an unfinished tournament is shown",
        "tournament/cli/show.py",
        "    seed = found.seed.hex() if found.finished else None",
        "    seed = found.seed.hex()",
        "tests/tournament/test_verification.py::test_show_tells_the_seed_when_the_tournament_is_finished_and_not_before",
    ),
    # Chance.
    Mutation(
        "the seed is ignored",
        f"{RULES}/seeds.py",
        "        self._key = Key(derive(seed, label))",
        "        self._key = Key(derive(bytes(SEED_SIZE), label))",
        "tests/docs/test_protocol.py::test_the_test_vectors_are_what_the_code_derives",
    ),
    Mutation(
        "every board has the same cards",
        f"{RULES}/seeds.py",
        'derive(tournament_seed, f"board/{game}/{board}")',
        'derive(tournament_seed, f"board/{game}/0")',
        "tests/games/test_seeds.py::test_every_board_and_every_seat_has_a_seed_of_its_own",
    ),
    Mutation(
        "all seats have the same private randomness",
        f"{RULES}/seeds.py",
        'derive(seed, f"bot/{seat}")',
        'derive(seed, "bot/0")',
        "tests/games/test_seeds.py::test_every_board_and_every_seat_has_a_seed_of_its_own",
    ),
    Mutation(
        "values that would make some numbers likelier are kept",
        f"{RULES}/seeds.py",
        "            if value < limit:",
        "            if True:",
        "tests/games/test_seeds.py::test_a_number_below_a_bound_is_the_next_of_the_stream_that_is_not_too_large",
    ),
    Mutation(
        "at Spit seat 0 is always served first",
        f"{RULES}/spit.py",
        "            bit = rules.bit(layout.number, tick)\n",
        "            bit = 0\n",
        "tests/games/test_spit_rules.py::test_sp_16_the_seat_with_the_bit_is_served_and_the_other_keeps_its_card",
    ),
    Mutation(
        "at Speed seat 1 is always served first",
        f"{RULES}/speed.py",
        "            bit = rules.bit(game, tick)\n",
        "            bit = 1\n",
        "tests/games/test_speed_rules.py::test_sd_13_the_seat_with_the_bit_is_served_and_the_other_keeps_its_card",
    ),
    # Plays and payoffs.
    Mutation(
        "straights of five are missing",
        f"{RULES}/landlord_plays.py",
        '(1, "straight", 5)',
        '(1, "straight", 6)',
        "tests/games/test_landlord_rules.py::test_ll_34_there_are_9684_combinations_no_two_with_the_same_ranks",
    ),
    Mutation(
        "cards are played that are not in the hand",
        f"{RULES}/landlord_states.py",
        "        if ((hand | GUARD) - play.cards) & GUARD != GUARD or (",
        "        if (",
        "tests/games/test_laws.py::test_an_action_that_is_not_legal_now_is_refused_and_changes_nothing[landlord]",
    ),
    Mutation(
        "a play need not beat the one before",
        f"{RULES}/landlord_states.py",
        "or (beat is not None and not play.beats(beat)):",
        "or (beat is not None and False):",
        "tests/games/test_landlord_rules.py::test_an_action_that_does_not_beat_is_refused_and_named",
    ),
    Mutation(
        "the leader may pass",
        f"{RULES}/landlord_states.py",
        "            if action != PASS or beat is None:",
        "            if action != PASS:",
        "tests/games/test_landlord_rules.py::test_ll_40_the_landlord_leads_and_must_play",
    ),
    Mutation(
        "ceded cards are of no use",
        f"{RULES}/landlord_states.py",
        "        if left > contract.ceded:",
        "        if left > 0:",
        "tests/games/test_landlord_rules.py::test_ll_41_the_farmer_wins_with_as_many_cards_as_were_ceded",
    ),
    Mutation(
        "bombs do not double",
        f"{RULES}/landlord_states.py",
        "            doubles += bombs",
        "            doubles += 0",
        "tests/games/test_landlord_rules.py::test_ll_50_a_bomb_that_ends_the_match_counts",
    ),
    Mutation(
        "22 points are not yet too many",
        f"{RULES}/twenty_two_scores.py",
        "        if points >= OUT_AT:",
        "        if points > OUT_AT:",
        "tests/games/test_twenty_two_rules.py::test_tt_33_a_seat_with_22_points_is_out_and_one_with_21_is_not",
    ),
    Mutation(
        "seats that share a place do not share its payoff",
        f"{RULES}/twenty_two_scores.py",
        "len(places) - place - (places.count(place) - 1) / 2",
        "len(places) - place",
        "tests/games/test_twenty_two_rules.py::"
        "test_tt_40_if_all_go_out_at_once_the_lowest_total_wins_and_equal_ones_share",
    ),
    Mutation(
        "in a tick any action is taken",
        f"{RULES}/real_time.py",
        "        if actions[seat] not in legal[seat]:",
        "        if False:",
        "tests/games/test_laws.py::test_an_action_that_is_not_legal_now_is_refused_and_changes_nothing[speed]",
    ),
    Mutation(
        "who forfeits wins",
        f"{RULES}/game.py",
        "tuple(low if seat in at_fault else high for",
        "tuple(high if seat in at_fault else low for",
        "tests/games/test_landlord_rules.py::test_ll_51_the_bounds_hold_the_payoffs_and_a_forfeit_costs_the_most",
    ),
    # The referee.
    Mutation(
        "a late answer is applied to the next turn",
        "referee/seats/stream.py",
        "            turn = self._open.pop(key, None)\n",
        "            key = next((each for each in self._open if each[0] == decision.table), key)\n"
        "            turn = self._open.pop(key, None)\n",
        "tests/tournament/test_check.py::test_a_subtle_fault_is_found_in_the_step_that_is_about_it[old-turn]",
    ),
    Mutation(
        "an illegal answer is taken for the first action",
        "referee/match.py",
        "        action = notation(answer.choice, legal)\n",
        "        action = notation(answer.choice, legal) or legal[0]\n",
        "tests/referee/test_faults.py::test_illegal_answers_are_strikes_and_then_forfeit",
    ),
    Mutation(
        "strikes are not counted",
        "referee/clock.py",
        "        self.strikes += 1\n",
        "        self.strikes += 0\n",
        "tests/referee/test_faults.py::test_illegal_answers_are_strikes_and_then_forfeit",
    ),
    Mutation(
        "the bank is never drained",
        "referee/clock.py",
        "            self.bank = max(0.0, self.bank - overrun)",
        "            pass",
        "tests/tournament/test_feed.py::test_a_bot_is_told_of_the_times_and_substitutions_of_then",
    ),
    Mutation(
        "what the referee itself comes late by is charged",
        "referee/seats/stream.py",
        "        arrived = now - self._lag_meter.overdue(now)",
        "        arrived = now",
        "tests/referee/test_lag.py::test_a_referee_that_comes_late_charges_nobody",
    ),
    Mutation(
        "the fastest answers for a match that takes too long",
        "referee/match.py",
        "        return max(range(len(self._seats)), key=lambda seat: self._clocks[seat].used)",
        "        return min(range(len(self._seats)), key=lambda seat: self._clocks[seat].used)",
        "tests/referee/test_faults.py::test_the_slowest_answers_for_a_match_that_takes_too_long",
    ),
    Mutation(
        "slaps count by the last to arrive",
        "referee/match.py",
        "            first = state.turn[ticks.index(min(ticks))]",
        "            first = state.turn[ticks.index(max(ticks))]",
        "tests/referee/test_realtime.py::test_an_earlier_slap_is_underneath",
    ),
    Mutation(
        "the log of a fault is hidden",
        "referee/match.py",
        "self._seats[seat].last_turn, self._seats[seat].log\n",
        'self._seats[seat].last_turn, ""\n',
        "tests/referee/test_faults.py::test_a_crash_forfeits_at_once_and_keeps_the_log",
    ),
    Mutation(
        "bots sit unrotated in every room",
        "referee/orders.py",
        "pairing[(seat + room) % len(pairing)]",
        "pairing[seat]",
        "tests/tournament/test_coordinator.py::test_every_board_is_played_once_in_every_rotation",
    ),
    Mutation(
        "any token is good",
        "referee/seats/stream.py",
        "        if not hmac.compare_digest(hello.token.encode(), self.token.encode()):",
        "        if False:",
        "tests/referee/test_faults.py::test_breaking_the_protocol_ends_that_bot_alone[wrong-token]",
    ),
    Mutation(
        "a bot may flood the referee",
        "referee/seats/stream.py",
        "        if self.unasked > MAX_UNASKED:",
        "        if False:",
        "tests/referee/test_faults.py::test_breaking_the_protocol_ends_that_bot_alone[flood]",
    ),
    Mutation(
        "a message may be of any size",
        "referee/seats/stream.py",
        "    if len(data) > MAX_MESSAGE_SIZE:",
        "    if False:",
        "tests/referee/test_faults.py::test_breaking_the_protocol_ends_that_bot_alone[large]",
    ),
    Mutation(
        "a comment may be of any length",
        "referee/seats/stream.py",
        "decision.comment[:MAX_COMMENT_LENGTH]",
        "decision.comment",
        "tests/referee/test_faults.py::test_a_comment_is_cut_off_by_the_referee_too",
    ),
    Mutation(
        "a person may do what is not legal",
        "referee/seats/person.py",
        " or action not in turn.legal_actions:",
        ":",
        "tests/referee/test_person.py::test_what_is_illegal_or_meant_for_another_turn_is_as_if_nothing_was_said",
    ),
    # Records.
    Mutation(
        "damage to a record is not seen",
        "referee/record.py",
        "    if _with_digest(data[:-_DIGEST_SIZE]) != data:",
        "    if False:",
        "tests/referee/test_record.py::test_any_flipped_byte_is_found",
    ),
    Mutation(
        "anything may stand in for an answer",
        "referee/record.py",
        "            if action.action not in _stand_ins(record, state, step, action):",
        "            if False:",
        "tests/referee/test_record.py::test_a_changed_record_is_found_out",
    ),
    Mutation(
        "the result of a record is not worked out again",
        "referee/record.py",
        "    return [] if found == expected else",
        "    return [] if True else",
        "tests/referee/test_record.py::test_a_changed_record_is_found_out",
    ),
    # The tournament.
    Mutation(
        "a second result counts as a new one",
        "tournament/store/results.py",
        "        return False\n    return True\n",
        "    return True\n",
        "tests/tournament/test_store.py::test_a_second_result_for_a_match_changes_nothing",
    ),
    Mutation(
        "a board is rated before all of its rooms are done",
        "tournament/store/results.py",
        "    if len(results) == pool.seats**2:",
        "    if len(results) >= pool.seats:",
        "tests/tournament/test_store.py::test_a_board_is_rated_once_all_of_its_rooms_are_there",
    ),
    Mutation(
        "a tie counts as a win",
        "tournament/scores.py",
        " + (result.place == place) / 2",
        " + (result.place == place)",
        "tests/tournament/test_scores.py::test_a_tie_is_half_a_win",
    ),
    Mutation(
        "a board is scored for the seat, not for the bot",
        "tournament/scores.py",
        "        own = scores[(seat + room) % seats]",
        "        own = scores[seat]",
        "tests/tournament/test_store.py::test_a_board_is_rated_once_all_of_its_rooms_are_there",
    ),
    Mutation(
        "matches that were lost by a crash are no errors",
        "tournament/scores.py",
        "result.strikes - result.timeouts + faulty",
        "result.strikes - result.timeouts",
        "tests/tournament/test_scores.py::test_late_answers_are_timeouts_and_all_else_is_an_error",
    ),
    Mutation(
        "equal scores are no tie",
        "tournament/ratings/outcomes.py",
        "[high == low for high, low in",
        "[(high == low) & False for high, low in",
        "tests/tournament/test_ratings.py::test_the_draw_probability_is_the_share_of_tied_neighbours",
    ),
    Mutation(
        "some pairs never meet",
        "tournament/schedule/circle.py",
        "            distance = table if even else table + 1\n",
        "            distance = table + 1\n",
        "tests/tournament/test_schedule.py::test_every_pair_meets_once_in_every_cycle",
    ),
    Mutation(
        "a test accepts the wrong hypothesis",
        "tournament/statistics/sprt.py",
        'accepted = "p1" if ratio > 0 else "p0"',
        'accepted = "p0" if ratio > 0 else "p1"',
        "tests/tournament/test_statistics_sprt.py::test_it_is_wrong_in_about_one_of_twenty",
    ),
    Mutation(
        "one good match does not interrupt a row of faults",
        "tournament/run/bench.py",
        "streaks[entrant] + 1 if entrant in results[place] else 0",
        "streaks[entrant] + 1 if entrant in results[place] else streaks[entrant]",
        "tests/tournament/test_bench.py::test_a_bot_that_plays_some_matches_well_is_not_benched",
    ),
    Mutation(
        "a bot that fails its qualification gets in",
        "tournament/qualification.py",
        "        raise Refused(_refusal(player, room, verdict))\n",
        "        _refusal(player, room, verdict)\n",
        "tests/tournament/test_submit.py::test_a_bot_that_is_at_fault_in_one_of_its_games_is_refused",
    ),
    Mutation(
        "a bundle may have links to elsewhere",
        "tournament/bundle.py",
        "        if path.is_symlink() and not path.resolve().is_relative_to(root):",
        "        if False:",
        "tests/tournament/test_bundle.py::test_links_must_stay_inside",
    ),
    Mutation(
        "a name may have any characters behind its first ones",
        "tournament/home.py",
        "    if not NAME.fullmatch(name):",
        "    if not NAME.match(name):",
        "tests/tournament/test_bundle.py::test_a_given_name_stands_in_and_is_checked",
    ),
    Mutation(
        "verify does not replay",
        "tournament/verification.py",
        "        problems += records_of.check(record, board_seed(tournament.seed, pool.game, match.board))",
        "        pass",
        "tests/tournament/test_verification.py::test_a_record_with_another_action_is_found_though_its_hashes_fit",
    ),
)
