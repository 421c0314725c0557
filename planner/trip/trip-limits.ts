/** Limits of trip requests, and constants of the search that no request sets. */

export const MAXIMUM_WINDOW_SECONDS = 86_400;
/** First window when none is asked; doubled until enough journeys are found. */
export const FIRST_WINDOW_SECONDS = 3_600;
export const MAXIMUM_PATTERNS = 250;
/** A window with so many is not widened, however many were asked: the rest is a page away, and need not be waited for. */
export const ENOUGH_PATTERNS = 10;
/** A window is not widened when that would, by what it took so far, make the search longer than this. */
export const WIDENING_MS = 3_000;
/** Longest walk to the first stop or from the last. */
export const MAXIMUM_ACCESS_SECONDS = 3_600;
/** Longest single walk between rides: what the snapshot's footpaths are made for. */
export const MAXIMUM_TRANSFER_SECONDS = 1_800;
export const MAXIMUM_DIRECT_SECONDS = 86_400;
/** The engine counts rides up to this. */
export const MAXIMUM_RIDES = 13;
/** Metres per second. */
export const SLOWEST_SPEED = 0.1;
export const FASTEST_SPEED = 20;
/** Cars along the beeline × 1.3: 40 km/h. */
export const CAR_SPEED = 11.1;

/** Hundredths of a second for every boarding: ten minutes, so that a transfer must be worth it. */
export const BOARD_COST = 60_000;
/** A cheaper journey may arrive this much later. More finds more and takes longer: half an hour three times as long. */
export const RELAX_SECONDS = 300;
/** At so few stops nothing is to be gained by leaving some out. */
export const FEW_ACCESS_STOPS = 12;
