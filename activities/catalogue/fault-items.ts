/** The faults of a catalogue as items of an error, and the checks that several of its parts share. Pure. */
import { parseAmount } from '../../workflows/shared/money.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';

export function fault(pointer: string, code: string, detail: string): ErrorItem {
  return { pointer, code, detail };
}

/** Faults are made one by one: who asks for fifty pays for fifty. */
export type Faults = Iterable<ErrorItem>;

/** Those of each item, in order. */
export function* faultsOfEach<T>(items: readonly T[], check: (item: T, at: number) => Faults): Faults {
  for (const [at, item] of items.entries()) yield* check(item, at);
}

/** One item for each repetition; `member` is that of the item which repeats. */
export function* duplicates<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  pointer: string,
  member: string,
): Faults {
  const seen = new Set<string>();
  for (const [at, item] of items.entries()) {
    const key = keyOf(item);
    if (seen.has(key)) yield fault(`${pointer}/${at}/${member}`, 'DUPLICATE', `${key} is there already`);
    seen.add(key);
  }
}

/** `what` names the kind of thing in the message. */
export function unknownReference<Id extends string | number>(
  id: Id,
  known: { has(id: Id): boolean },
  pointer: string,
  what: string,
): readonly ErrorItem[] {
  return known.has(id) ? [] : [fault(pointer, 'UNKNOWN_REFERENCE', `there is no ${what} ${id}`)];
}

/** A price or a fee. */
export function amountFaults(text: string, currency: string, pointer: string, leastMinor = 0): readonly ErrorItem[] {
  const amountMinor = parseAmount(text, currency);
  if (amountMinor === undefined) return [fault(pointer, 'AMOUNT', `${text} is no amount of ${currency}`)];
  if (amountMinor >= leastMinor) return [];
  return [
    amountMinor < 0
      ? fault(pointer, 'NEGATIVE', 'must not be negative')
      : fault(pointer, 'MINIMUM', 'must be more than 0'),
  ];
}

export function idsOf<Id>(items: readonly { readonly id: Id }[]): ReadonlySet<Id> {
  return new Set(items.map(({ id }) => id));
}
