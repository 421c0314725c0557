/** The codes that exist here and that the reference validator knows and runs. */
import { ruleCatalogue } from '../../../netex/rules/catalogue.ts';

/** Codes that the reference validator does not know or does not run. */
const UNKNOWN_TO_REFERENCE = new Set([
  'STOP_REGISTER_1',
  'NO_ACTIVE_JOURNEYS',
  'CODESPACE',
  'NSR_CODESPACE',
  'NETEX_ID_2',
  'NETEX_ID_3',
  'NETEX_ID_4',
  'NETEX_ID_4W',
  // The operator of the Norwegian register runs these separately; the largest of the real datasets breaks both
  // throughout.
  'JOURNEY_PATTERN_NO_ALIGHTING_ALLOWED_AT_FIRST_STOP',
  'JOURNEY_PATTERN_NO_BOARDING_ALLOWED_AT_LAST_STOP',
  // The reference drops SiteFrames before its rules run.
  'COMPOSITE_FRAME_SITE_FRAME',
  'SITE_FRAME_IN_LINE_FILE',
  'SITE_FRAME_IN_COMMON_FILE',
]);

export const comparedCodes: ReadonlySet<string> = new Set(
  ruleCatalogue
    // The recorded run left out the rules about the meaning of a timetable.
    .filter(({ stage }) => stage !== '3-semantic' && stage !== '4-dataset')
    .map(({ code }) => code)
    .filter((code) => !UNKNOWN_TO_REFERENCE.has(code)),
);
