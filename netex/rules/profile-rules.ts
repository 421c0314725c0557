/**
 * The rules that each profile leaves out or takes less seriously. Rules of a single profile name it themselves.
 *
 * Callers: `defineRule`, and the choice of severities. A profile leaves out a rule for one of three reasons. It allows
 * what the rule forbids, replaces the rule, or lacks the elements that the rule checks.
 */
import type { Severity } from '../finding.ts';
import type { Profile } from '../validation-context.ts';

/** Flexible areas and the stops of a country without a register are in SiteFrames of the dataset. */
const SITE_FRAMES = ['SITE_FRAME_IN_COMMON_FILE', 'COMPOSITE_FRAME_SITE_FRAME'];

/** Areas have no distance, speed or path between them. */
const FIXED_STOPS = [
  'INVALID_TRANSPORT_MODE',
  'INVALID_TRANSPORT_SUB_MODE',
  'MISSING_SCHEDULED_STOP_ASSIGNMENT',
  'DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN_EXPECTED',
  'DISTANCE_BETWEEN_STOP_POINTS_LESS_THAN_EXPECTED',
  'IDENTICAL_STOP_POINTS_IN_JOURNEY_PATTERNS',
  'SAME_STOP_POINT_IN_JOURNEY_PATTERNS',
  'SAME_QUAY_REF_IN_CONSECUTIVE_STOP_POINTS_IN_JOURNEY_PATTERN',
  'INVALID_NUMBER_OF_STOP_POINTS_OR_LINKS_IN_JOURNEY_PATTERN',
  'HIGH_SPEED',
  'WARNING_SPEED',
  'LOW_SPEED',
  'SAME_DEPARTURE_ARRIVAL_TIME',
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
    // ValidBetween and a SiteFrame may also give validity: they have rules of their own.
    'COMPOSITE_FRAME_1',
    'VALIDITY_CONDITIONS_IN_COMMON_FILE_1',
    // Its stops are its own, not those of the national register.
    'NSR_CODESPACE',
  ],
};

/** Severities that a profile lowers. */
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

/** The profiles that run a rule which names none itself. */
export function profilesRunning(code: string): readonly Profile[] {
  const running = PROFILES.filter((profile) => !LEFT_OUT[profile].includes(code));
  return running.length === PROFILES.length ? PROFILES : running;
}
