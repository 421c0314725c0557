/** The codes that are built here and that the reference validator knows and runs. */
import { ruleCatalogue } from '../../../netex/rules/catalogue.ts';

/** Ours alone, or run by us alone: the reference is silent about them. */
const UNKNOWN_TO_REFERENCE = new Set([
  'STOP_REGISTER_1',
  'NO_ACTIVE_JOURNEYS',
  'CODESPACE',
  'NSR_CODESPACE',
  'NETEX_ID_2',
  'NETEX_ID_3',
  'NETEX_ID_4',
  'NETEX_ID_4W',
  // Run by the operator of the Norwegian register beside it; the largest of the real datasets breaks both throughout.
  'JOURNEY_PATTERN_NO_ALIGHTING_ALLOWED_AT_FIRST_STOP',
  'JOURNEY_PATTERN_NO_BOARDING_ALLOWED_AT_LAST_STOP',
  // It drops SiteFrames before its rules see them.
  'COMPOSITE_FRAME_SITE_FRAME',
  'SITE_FRAME_IN_LINE_FILE',
  'SITE_FRAME_IN_COMMON_FILE',
]);

export const comparedCodes: ReadonlySet<string> = new Set(
  ruleCatalogue
    // What a timetable means, alone and across files, it judges elsewhere: not in the run that was recorded.
    .filter(({ stage }) => stage !== '3-semantic' && stage !== '4-dataset')
    .map(({ code }) => code)
    .filter((code) => !UNKNOWN_TO_REFERENCE.has(code)),
);
