/** What all rules of the model share, and the facts of an order that belong to no version. A rule changes the order, or refuses. */
import { type ModelOrder, refuse } from './model-order.ts';

const DRAFT_LIFE_MS = 20 * 60_000;
export const MONTHS_7_MS = 7 * 31 * 86_400_000;
/** Answers false where it changed nothing. */
export type Rule = (order: ModelOrder, now: number) => boolean;

export function newOrder(id: string, now: number): ModelOrder {
  return {
    ...{ id, status: 'DRAFT', version: 1, highest: 1, revision: 1, expireAt: now + DRAFT_LIFE_MS, expireAtSet: false },
    ...{ captured: 0, credited: 0, versions: {}, searched: {} },
    ...{ lines: [], fees: [], travellers: [] },
  };
}

export function isDue({ status, expireAt }: ModelOrder, now: number): boolean {
  return status === 'DRAFT' && expireAt !== undefined && expireAt <= now;
}

export function assertOpen({ status }: ModelOrder): void {
  if (status === 'CANCELLED') refuse('409 INVALID_STATE');
  if (status === 'EXPIRED') refuse('409 ORDER_EXPIRED');
}

export function assertInTime(order: ModelOrder, now: number): void {
  if (isDue(order, now)) refuse('409 ORDER_EXPIRED');
}

/** A write of content: a confirmed order becomes the draft of a version that was never used. */
export function content(edit: Rule): Rule {
  return (order, now) => {
    assertOpen(order);
    assertInTime(order, now);
    const draft = structuredClone(order);
    if (draft.status === 'CONFIRMED') {
      draft.highest += 1;
      Object.assign(draft, { status: 'DRAFT', version: draft.highest });
    }
    if (!edit(draft, now)) return false;
    raiseExpiry(draft, now);
    replaceMembers(order, draft);
    return true;
  };
}

function raiseExpiry(order: ModelOrder, now: number): void {
  if (isClaim(order)) {
    delete order.expireAt;
    order.expireAtSet = false;
  } else {
    order.expireAt = Math.max(order.expireAt ?? 0, now + DRAFT_LIFE_MS);
  }
}

/** Holds penalty fees alone: waits until it is paid. */
export function isClaim({ lines, fees }: ModelOrder): boolean {
  return lines.length === 0 && fees.length > 0 && fees.every(({ type }) => type === 'PENALTY');
}

export function replaceMembers(order: ModelOrder, after: ModelOrder): void {
  for (const member of Object.keys(order)) delete (order as unknown as Record<string, unknown>)[member];
  Object.assign(order, after);
}

export const setExpireAt =
  (expireAt: number): Rule =>
  (order, now) => {
    assertOpen(order);
    if (order.status !== 'DRAFT') refuse('409 ORDER_NOT_DRAFT');
    assertInTime(order, now);
    assertFuture(expireAt, now);
    if (isClaim(order)) return false;
    Object.assign(order, { expireAt, expireAtSet: true });
    return true;
  };

/** Times of this test are either hours or seven months ahead. */
export function assertFuture(expireAt: number, now: number): void {
  if (expireAt <= now || expireAt >= now + MONTHS_7_MS) refuse('400 VALIDATION_FAILED');
}

/** Members that belong to no version; undefined removes. */
export const setFact =
  (member: 'contact' | 'reference' | 'cause', value: string | undefined): Rule =>
  (order) => {
    assertOpen(order);
    // A description may differ where the code does not, so a cause is always written.
    const isSame = order[member] === value && !(member === 'cause' && value !== undefined);
    if (isSame) return false;
    delete order[member];
    if (value !== undefined) order[member] = value;
    return true;
  };
