/**
 * How long a repeated request is recognised, in milliseconds: idempotency keys with their answers, and the ids of the work that
 * documents have carried out. Both follow from this one constant, so a repeat that the API still accepts never acts twice.
 */
export const REPEATS_RECOGNISED_MS = 72 * 3_600_000;

/**
 * How long documents remember the ids of work. A repeat that is accepted just before its key expires reads the document
 * later, and the clocks of processes differ. So documents remember their work for longer than the keys live.
 */
export const WORK_REMEMBERED_MS = REPEATS_RECOGNISED_MS + 3_600_000;
