/** Limits of trip requests, and constants of the search that no request sets. */

export const MAXIMUM_WINDOW_SECONDS = 86_400;
/**
 * Seconds since 1970 UTC. A time has a year of four digits; windows and walks that begin or end here remain within
 * these years.
 */
export const EARLIEST_TIME = Date.parse('0000-01-05T00:00:00Z') / 1000;
export const LATEST_TIME = Date.parse('9999-12-27T00:00:00Z') / 1000;
/** First window if the request has none. It doubles until it holds enough journeys. */
export const FIRST_WINDOW_SECONDS = 3_600;
export const MAXIMUM_PATTERNS = 250;
/** A window with this number of patterns is not widened, even if the request wants more. The next page has the rest. */
export const ENOUGH_PATTERNS = 20;
/** A window is not widened if the search would then exceed this time, estimated from its duration so far. */
export const WIDENING_MS = 3_000;
/** Longest walk to the first stop or from the last. */
export const MAXIMUM_ACCESS_SECONDS = 3_600;
/** Longest single walk between rides. The snapshot's footpaths have the same limit. */
export const MAXIMUM_TRANSFER_SECONDS = 1_800;
export const MAXIMUM_DIRECT_SECONDS = 86_400;
/** The engine's maximum number of rides. */
export const MAXIMUM_RIDES = 13;
/** Metres per second. */
export const SLOWEST_SPEED = 0.1;
export const FASTEST_SPEED = 20;
/** 40 km/h, along the beeline × 1.3. */
export const CAR_SPEED = 11.1;

/** Cost of every boarding, in hundredths of a second. Ten minutes make sure that a transfer is worth it. */
export const BOARD_COST = 60_000;
/**
 * A cheaper journey may arrive this much later. A higher value finds more and takes longer: half an hour takes three
 * times as long.
 */
export const RELAX_SECONDS = 300;
/** With at most this number of access stops, leaving some out saves no time. */
export const FEW_ACCESS_STOPS = 12;
