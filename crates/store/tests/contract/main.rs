//! The contract of the store, tested on SQLite and PostgreSQL.

mod accounts;
mod backup;
mod connections;
mod durability;
mod games;
mod hostile;
mod import;
mod jobs;
mod leaving;
mod live;
mod migrations;
mod outage;
mod place;
mod positions;
mod postgres;
mod puzzles;
mod ratings;
mod reviews;
mod search;
mod seats;
mod sessions;
mod statistics;
mod users;

/// Each part of the contract, as a test of each database.
macro_rules! contract {
    ($($module:ident { $($promise:ident)* })*) => {
        mod sqlite {
            $(mod $module {
                $(#[test]
                fn $promise() {
                    crate::place::Place::sqlite().keeps(crate::$module::$promise);
                })*
            })*
        }

        mod postgresql {
            $(mod $module {
                $(#[test]
                fn $promise() {
                    crate::place::Place::postgres().keeps(crate::$module::$promise);
                })*
            })*
        }
    };
}

contract! {
    users {
        a_user_is_kept_and_found
        a_name_is_taken_in_any_case
        a_renamed_user_has_the_new_name_in_all_games
        a_deleted_user_leaves_games_with_a_name
        settings_are_kept
        names_that_look_the_same_clash
        users_of_an_earlier_version_keep_their_names
        who_is_not_there_is_not_found
    }
    accounts {
        an_account_is_created_whole_or_not_at_all
        a_new_password_ends_all_sessions_or_nothing_changes
    }
    sessions {
        a_session_is_found_until_it_expires
        signing_out_ends_one_session
        the_token_is_not_in_the_database
    }
    games {
        annotations_are_stored_with_a_finished_game
        a_new_game_is_read_as_it_was_written
        moves_clocks_and_offers_are_appended
        a_write_to_another_version_changes_nothing
        of_eight_writers_one_wins
        moves_are_taken_back
        an_ended_game_refuses_writes
        every_end_is_brought_back
        clocks_are_brought_back
        live_games_are_found_after_a_restart
        a_live_game_that_cannot_be_read_does_not_hide_the_others
        a_deleted_game_leaves_nothing
        a_game_is_deleted_only_as_it_was_seen
        old_games_that_nobody_came_to_are_purged
        a_row_that_cannot_be_played_is_an_error_that_names_it
        a_game_of_chess960_is_brought_back
    }
    leaving {
        a_game_is_gone_when_nobody_has_it_any_more
        what_its_owner_deletes_is_not_shown_to_spectators
        a_guest_has_a_game_as_long_as_the_seat
        games_of_one_person_are_gone_at_once
        a_game_is_rated_before_it_is_gone
        with_its_last_user_a_game_is_gone
    }
    live {
        a_live_game_is_restored_from_its_events
        a_game_of_a_file_shows_its_clocks_and_runs_none
    }
    import {
        games_of_a_file_come_back_the_same
        doubled_games_are_kept_once_for_each_owner
        thousands_of_games_are_imported_and_exported_in_order
        a_game_without_moves_keeps_its_comment
        games_that_differ_in_round_or_annotations_are_all_kept
        the_longest_game_is_replayed_at_once
        a_game_that_is_too_long_does_not_stop_an_import
        games_played_here_are_not_doubled_by_their_export
        moves_are_written_during_a_gentle_import
    }
    search {
        games_are_found_by_what_is_known_of_them
        wildcards_in_a_name_are_letters
        pages_are_stable_while_games_are_added
        a_user_finds_games_owned_and_played_once
        games_are_found_by_position_rare_or_common
    }
    positions {
        continuations_are_counted_with_their_results
        continuations_have_ratings_and_dates
        a_user_with_few_games_finds_them_under_many_of_others
        a_position_that_repeats_counts_once
        a_finished_game_is_indexed_and_a_deleted_one_is_not
    }
    reviews {
        reviews_are_replaced_and_listed
        a_list_shows_the_accuracies_of_the_newest_review
        a_list_shows_the_review_that_its_page_shows
        accuracies_of_reviews_of_an_earlier_version_are_read
    }
    puzzles {
        a_review_brings_puzzles_to_who_erred
        a_try_decides_when_a_puzzle_is_due
        another_review_keeps_what_was_learned
        with_the_game_its_puzzles_are_gone
        only_who_moved_gets_puzzles
        reviews_are_counted_by_everything
    }
    ratings {
        ratings_follow_each_other_and_a_game_counts_once
        a_rating_of_nobody_leaves_the_game_due
        a_game_with_moves_taken_back_or_not_over_does_not_count
    }
    seats {
        a_secret_opens_its_seat_and_no_other
        an_open_seat_is_taken_once
        the_first_rematch_counts
        a_rematch_of_a_game_that_is_gone_is_not_kept
        a_clock_on_the_wall_that_was_set_back_sets_clocks_back
        clocks_stand_still_while_the_server_is_away
    }
    statistics { wins_and_losses_are_counted_by_everything }
    jobs {
        the_highest_priority_comes_first
        eight_workers_do_two_hundred_jobs_once_each
        an_abandoned_job_is_lent_again_and_the_late_worker_is_refused
        a_job_has_failed_after_three_attempts
        a_job_of_an_unknown_kind_is_left_to_others
        a_report_is_kept_with_its_game
        a_key_makes_two_jobs_one
        a_review_is_one_job_for_all_servers
        a_job_that_is_done_is_queued_again_only_once
        a_job_that_has_failed_is_pushed_again
        reviews_queued_by_an_earlier_version_get_a_key_of_game_and_nodes
        thousands_of_jobs_are_pushed_at_once
        progress_and_counts_are_kept
        a_job_given_back_has_lost_no_attempt
        jobs_are_listed_cancelled_and_tried_again
        a_report_without_a_game_is_kept_until_collected
    }
    hostile {
        strange_names_are_kept_as_they_are
        nul_and_endless_names_are_refused
        statements_in_texts_are_texts
    }
    migrations {
        a_database_is_opened_again
        a_database_of_a_newer_version_is_refused
        a_changed_schema_is_refused
        names_of_an_earlier_version_are_read
        two_may_open_a_new_database_at_once
    }
    backup {
        a_backup_is_restored_into_sqlite
        missing_numbers_are_restored_among_others
        a_backup_is_restored_into_postgresql
        what_is_no_backup_changes_nothing
        a_backup_is_never_written_over_its_database
    }
    outage {
        a_second_server_is_refused
        tools_work_beside_a_server
        the_start_of_a_clock_is_corrected
    }
    durability { every_acknowledged_move_survives_a_kill }
}
