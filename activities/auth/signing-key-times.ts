/** How long a signing key stays in each of its states, and why. Callers: the store, the auth processes, the worker of rotations. */

/** `max-age` of the published key set: so long may a cache on the way show it as it was. */
export const KEY_SET_MAX_AGE_SECONDS = 300;
/** From publishing a key to signing with it: every process that checks tokens has fetched it by then. */
export const PUBLISHED_AHEAD_SECONDS = KEY_SET_MAX_AGE_SECONDS + 60;

/** How often an auth process looks which key signs. */
export const FOLLOW_EVERY_MS = 2_000;
/** It signs with no key that it has not seen to be the one for so long: then another may have taken over. */
export const CONFIRMED_FOR_MS = 30_000;

/** Of a key stored before the lifetime was recorded: the longest there can be. */
export const LONGEST_LIFETIME_SECONDS = 86_400;
/**
 * From the end of the last token to the end of its key: that a process signed with it after it stopped (30 s), that clocks
 * differ (30 s, tolerated where tokens are checked), and as much again.
 */
export const RETIRED_BEYOND_SECONDS = 120;
