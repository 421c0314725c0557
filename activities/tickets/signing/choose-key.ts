/** Which key signs. Pure. */
import { LONGEST_TICKET_MS } from '../../../workflows/shared/longest-ticket.ts';
import { KNOWN_AFTER_MS } from './key-times.ts';

export interface ChoosableKey {
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly publishedAt: Date;
}

/**
 * The newest key that is valid until `until` and that every device knows. Where devices know none yet, the one that was
 * published first, so that a first key signs at once.
 */
export function chooseKey<Key extends ChoosableKey>(keys: readonly Key[], at: Date, until: Date): Key | undefined {
  const usable = keys.filter(({ validFrom, validTo }) => validFrom <= at && at < validTo && until <= validTo);
  const known = usable.filter(({ publishedAt }) => publishedAt.getTime() + KNOWN_AFTER_MS <= at.getTime());
  if (known.length > 0) return known.toSorted(newestFirst)[0];
  return usable.toSorted((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime())[0];
}

function newestFirst(a: ChoosableKey, b: ChoosableKey): number {
  return b.validFrom.getTime() - a.validFrom.getTime() || b.publishedAt.getTime() - a.publishedAt.getTime();
}

/** Until then one of these keys can sign any ticket. 1970 where there is no key. */
export function signsUntil(keys: readonly Pick<ChoosableKey, 'validTo'>[]): Date {
  return new Date(Math.max(0, ...keys.map(({ validTo }) => validTo.getTime() - LONGEST_TICKET_MS)));
}
