/**
 * How long a signing key stays in each of its states, and why. Callers: the store, the auth processes, the worker of
 * rotations.
 */

/** `max-age` of the published key set: a cache may show it unchanged for this time. */
export const KEY_SET_MAX_AGE_SECONDS = 300;
/** Time from publishing a key to signing with it. By then every process that checks tokens has fetched it. */
export const PUBLISHED_AHEAD_SECONDS = KEY_SET_MAX_AGE_SECONDS + 60;

/** How often an auth process reads which key signs. */
export const FOLLOW_EVERY_MS = 2_000;
/** A process stops signing with a key that it has not seen as SIGNING for this time: another may have taken over. */
export const CONFIRMED_FOR_MS = 30_000;

/** For a key stored before the lifetime was recorded: the longest possible lifetime. */
export const LONGEST_LIFETIME_SECONDS = 86_400;
/**
 * Time from the end of the last token to the removal of its key. 30 s: a process may still sign after the key stopped.
 * 30 s: clocks differ, which the check of tokens tolerates. The same again as a margin.
 */
export const RETIRED_BEYOND_SECONDS = 120;
