/** What is being written while it is read settles soon: it is read again before it counts as a difference. */
export const SETTLING_TRIES = 3;
export const SETTLING_MS = 2_000;
