/**
 * What the profiles of codespaces leave out and where they are milder. Rules of one profile alone name it themselves.
 *
 * Callers: `defineRule`, whoever chooses severities. A rule is left out where the profile allows what it forbids, replaces it
 * by one of its own, or has no such thing to judge; never for being slow.
 */
import type { Severity } from '../finding.ts';
import type { Profile } from '../validation-context.ts';

/** Flexible areas and the stops of a country without a register are in SiteFrames of the dataset. */
const SITE_FRAMES = ['SITE_FRAME_IN_COMMON_FILE', 'COMPOSITE_FRAME_SITE_FRAME'];

/** Between areas there is no distance, no speed and no path to follow. */
const FIXED_STOPS = [
  ...['INVALID_TRANSPORT_MODE', 'INVALID_TRANSPORT_SUB_MODE', 'MISSING_SCHEDULED_STOP_ASSIGNMENT'],
  ...['DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN_EXPECTED', 'DISTANCE_BETWEEN_STOP_POINTS_LESS_THAN_EXPECTED'],
  ...['IDENTICAL_STOP_POINTS_IN_JOURNEY_PATTERNS', 'SAME_STOP_POINT_IN_JOURNEY_PATTERNS'],
  'SAME_QUAY_REF_IN_CONSECUTIVE_STOP_POINTS_IN_JOURNEY_PATTERN',
  'INVALID_NUMBER_OF_STOP_POINTS_OR_LINKS_IN_JOURNEY_PATTERN',
  ...['HIGH_SPEED', 'WARNING_SPEED', 'LOW_SPEED', 'SAME_DEPARTURE_ARRIVAL_TIME'],
  'STOP_POINTS_IN_SERVICE_LINK_DOES_NOT_MATCH_THE_JOURNEY_PATTERN',
  'DISTANCE_BETWEEN_STOP_POINT_AND_START_OF_LINE_STRING_EXCEEDS_MAX_LIMIT',
  'DISTANCE_BETWEEN_STOP_POINT_AND_START_OF_LINE_STRING_EXCEEDS_WARNING_LIMIT',
  'DISTANCE_BETWEEN_STOP_POINT_AND_END_OF_LINE_STRING_EXCEEDS_MAX_LIMIT',
  'DISTANCE_BETWEEN_STOP_POINT_AND_END_OF_LINE_STRING_EXCEEDS_WARNING_LIMIT',
];

const LEFT_OUT: Readonly<Record<Profile, readonly string[]>> = {
  timetable: [],
  flex: [...SITE_FRAMES, ...FIXED_STOPS],
  sweden: [
    ...SITE_FRAMES,
    'SITE_FRAME_IN_LINE_FILE',
    // Validity may also be told by ValidBetween, and by a SiteFrame: rules of its own.
    ...['COMPOSITE_FRAME_1', 'VALIDITY_CONDITIONS_IN_COMMON_FILE_1'],
    // Stops are its own, not those of the national register.
    'NSR_CODESPACE',
  ],
};

/** Where a profile takes a rule less seriously than the rule itself does. */
export const PROFILE_SEVERITIES: Readonly<Record<Profile, Readonly<Record<string, Severity>>>> = {
  timetable: {},
  flex: {
    AUTHORITY_REF: 'INFO',
    TIMETABLED_PASSING_TIME_INCOMPLETE_TIME: 'WARNING',
    TIMETABLED_PASSING_TIME_INCONSISTENT_TIME: 'WARNING',
    TIMETABLED_PASSING_TIME_NON_INCREASING_TIME: 'WARNING',
  },
  sweden: { AUTHORITY_4: 'WARNING', AUTHORITY_5: 'WARNING' },
};

const PROFILES = Object.keys(LEFT_OUT) as Profile[];

/** The profiles that run a rule which names none. */
export function profilesRunning(code: string): readonly Profile[] {
  const running = PROFILES.filter((profile) => !LEFT_OUT[profile].includes(code));
  return running.length === PROFILES.length ? PROFILES : running;
}
