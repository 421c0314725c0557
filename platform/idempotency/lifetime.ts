/**
 * How long a repeated request is recognised, in milliseconds: idempotency keys with their answers, and the ids of the work that
 * documents have carried out. Both use this one constant, so a repeat that the API still accepts never acts twice.
 */
export const REPEATS_RECOGNISED_MS = 72 * 3_600_000;
