/** The codes that are built here and that the reference validator knows and runs. */
import { ruleCatalogue } from '../../../netex/rules/catalogue.ts';

/** Ours alone, or run by us alone: the reference is silent about them. */
const UNKNOWN_TO_REFERENCE = new Set([
  ...['STOP_REGISTER_1', 'NO_ACTIVE_JOURNEYS', 'CODESPACE', 'NSR_CODESPACE'],
  ...['NETEX_ID_2', 'NETEX_ID_3', 'NETEX_ID_4', 'NETEX_ID_4W'],
  // It drops SiteFrames before its rules see them.
  ...['COMPOSITE_FRAME_SITE_FRAME', 'SITE_FRAME_IN_LINE_FILE', 'SITE_FRAME_IN_COMMON_FILE'],
]);

export const comparedCodes: ReadonlySet<string> = new Set(
  ruleCatalogue.map(({ code }) => code).filter((code) => !UNKNOWN_TO_REFERENCE.has(code)),
);
