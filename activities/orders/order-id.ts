/** Makes the ids of orders. Pure. */
import { createHash } from 'node:crypto';
import type { OrderId } from '../../workflows/shared/ids.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/**
 * The same for every repeat of a request. `attempt` counts from 0: another order may have the id already, and then the
 * next attempt is taken.
 */
export function orderIdOf(workId: string, attempt: number): OrderId {
  const bytes = createHash('sha256').update(`order/${attempt}/${workId}`).digest().subarray(0, LENGTH);
  // 32 letters: each byte gives five bits without favouring a letter.
  return [...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('') as OrderId;
}
