/** The state tables of orders and lines, written down a second time: each function changes the order, or refuses. */
import {
  balanceOf,
  confirmedOf,
  contentOf,
  excessOf,
  type ModelFee,
  type ModelLine,
  type ModelOrder,
  type ModelTraveller,
  refuse,
} from './model-order.ts';

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
function isClaim({ lines, fees }: ModelOrder): boolean {
  return lines.length === 0 && fees.length > 0 && fees.every(({ type }) => type === 'PENALTY');
}

function replaceMembers(order: ModelOrder, after: ModelOrder): void {
  for (const member of Object.keys(order)) delete (order as unknown as Record<string, unknown>)[member];
  Object.assign(order, after);
}

export const addTravellers = (travellers: readonly ModelTraveller[]): Rule =>
  content((order) => {
    const known = new Set(order.travellers.map(({ id }) => id));
    if (travellers.some(({ id }) => known.has(id))) refuse('409 INVALID_STATE');
    order.travellers.push(...structuredClone(travellers));
    return travellers.length > 0;
  });

function assertUnused({ lines }: ModelOrder, ids: readonly string[]): void {
  const used = new Set(lines.flatMap(({ travellers }) => travellers));
  if (ids.some((id) => used.has(id))) refuse('409 INVALID_STATE');
}

export const putTravellers = (travellers: readonly ModelTraveller[]): Rule =>
  content((order) => {
    const given = new Map(travellers.map((each) => [each.id, each]));
    const removed = order.travellers.filter(({ id }) => !given.has(id)).map(({ id }) => id);
    const known = new Map(order.travellers.map((each) => [each.id, each]));
    const isChanged = travellers.some(({ id, age }) => !known.has(id) || known.get(id)?.age !== age);
    if (removed.length === 0 && !isChanged) return false;
    assertUnused(order, removed);
    order.travellers = structuredClone([...travellers]);
    return true;
  });

export const deleteTravellers = (ids: readonly string[]): Rule =>
  content((order) => {
    const known = new Set(order.travellers.map(({ id }) => id));
    if (ids.some((id) => !known.has(id))) refuse('422 UNKNOWN_TRAVELLER');
    assertUnused(order, ids);
    order.travellers = order.travellers.filter(({ id }) => !ids.includes(id));
    return true;
  });

export type GivenLine = Pick<ModelLine, 'id' | 'minor' | 'travellers'> & Partial<Pick<ModelLine, 'seats' | 'isSeated'>>;

function assertTravellers(order: ModelOrder, lines: readonly GivenLine[]): void {
  const known = new Set(order.travellers.map(({ id }) => id));
  if (lines.some(({ travellers }) => travellers.some((id) => !known.has(id)))) refuse('422 UNKNOWN_TRAVELLER');
}

export const addLines = (lines: readonly GivenLine[]): Rule =>
  content((order) => {
    const known = new Set(order.lines.map(({ id }) => id));
    if (lines.some(({ id }) => known.has(id))) refuse('409 INVALID_STATE');
    assertTravellers(order, lines);
    for (const line of lines) order.lines.push({ seats: [], ...structuredClone(line), version: 1, status: 'DRAFT' });
    return true;
  });

export function linesNamed({ lines }: ModelOrder, ids: readonly string[]): ModelLine[] {
  const found = lines.filter(({ id }) => ids.includes(id));
  if (found.length < new Set(ids).size) refuse('422 UNKNOWN_ORDER_LINE');
  return found;
}

export const putLines = (given: readonly GivenLine[]): Rule =>
  content((order) => {
    const ids = given.map(({ id }) => id);
    const lines = linesNamed(order, ids);
    if (lines.some(({ status }) => status === 'CANCELLED' || status === 'CANCELLATION_DRAFT')) {
      refuse('409 INVALID_STATE');
    }
    assertTravellers(order, given);
    for (const line of lines) {
      const { minor, travellers } = given.find(({ id }) => id === line.id) as GivenLine;
      // A seat is its traveller's.
      const seats = line.travellers[0] === travellers[0] ? line.seats : [];
      Object.assign(line, { minor, travellers: [...travellers], seats });
      if (line.status === 'CONFIRMED') Object.assign(line, { status: 'DRAFT', version: line.version + 1 });
    }
    return true;
  });

const soldLine = (order: ModelOrder, id: string) => confirmedOf(order)?.lines.find((line) => line.id === id);

export const deleteLines = (ids: readonly string[]): Rule =>
  content((order) => {
    const lines = linesNamed(order, ids);
    if (lines.some(({ id, status }) => status !== 'DRAFT' || soldLine(order, id))) refuse('409 INVALID_STATE');
    order.lines = order.lines.filter(({ id }) => !ids.includes(id));
    return true;
  });

/** What was never confirmed is removed; what was is cancelled as it was sold; what is cancelled stays. */
export const cancelLines = (ids: readonly string[]): Rule =>
  content((order) => {
    const open = linesNamed(order, ids).filter(({ status }) => status === 'CONFIRMED' || status === 'DRAFT');
    for (const line of open) {
      const sold = soldLine(order, line.id);
      if (sold) Object.assign(line, structuredClone(sold), { status: 'CANCELLATION_DRAFT' });
      else order.lines = order.lines.filter((each) => each !== line);
    }
    return open.length > 0;
  });

export const addFee = (fee: ModelFee, lineIds: readonly string[]): Rule =>
  content((order) => {
    if (fee.type === 'REDUCTION' ? fee.minor >= 0 : fee.minor <= 0) refuse('400 VALIDATION_FAILED');
    const known = new Set(order.lines.map(({ id }) => id));
    if (lineIds.some((id) => !known.has(id))) refuse('422 UNKNOWN_ORDER_LINE');
    order.fees.push(fee);
    return true;
  });

export const deleteFee = (id: string): Rule =>
  content((order) => {
    const fee = order.fees.find((each) => each.id === id) ?? refuse('404 NOT_FOUND');
    // It follows from a refund: a caller does not undo it.
    if (fee.type === 'REFUNDING') refuse('409 INVALID_STATE');
    order.fees = order.fees.filter((each) => each !== fee);
    return true;
  });

export const confirm =
  (version: number, isLate = false): Rule =>
  (order, now) => {
    if (order.status === 'CONFIRMED' && order.version === version) return false;
    assertOpen(order);
    if (order.version !== version || order.status !== 'DRAFT') refuse('409 ORDER_VERSION_MISMATCH');
    // Money that was taken for the draft may complete it after its time.
    if (!isLate && excessOf(order) <= 0) assertInTime(order, now);
    if (order.lines.length + order.fees.length === 0) refuse('409 ORDER_EMPTY');
    if (order.lines.some(lacksSeat)) refuse('409 SEAT_UNAVAILABLE');
    if (balanceOf(order) !== 0) refuse('409 ORDER_NOT_BALANCED');
    for (const line of order.lines) {
      if (line.status === 'DRAFT') line.status = 'CONFIRMED';
      if (line.status === 'CANCELLATION_DRAFT') Object.assign(line, { status: 'CANCELLED', seats: [] });
    }
    leaveDraft(order);
    Object.assign(order, { status: 'CONFIRMED', confirmed: version });
    order.versions[version] = contentOf(order);
    return true;
  };

function lacksSeat({ status, isSeated = false, seats }: ModelLine): boolean {
  return status === 'DRAFT' && isSeated && seats.length === 0;
}

function leaveDraft(order: ModelOrder): void {
  delete order.expireAt;
  order.expireAtSet = false;
}

function fallBack(order: ModelOrder): boolean {
  const confirmed = confirmedOf(order);
  leaveDraft(order);
  if (!confirmed) order.status = 'EXPIRED';
  else Object.assign(order, contentOf(confirmed), { status: 'CONFIRMED', version: order.confirmed });
  return true;
}

export const reset: Rule = (order) => {
  assertOpen(order);
  if (order.status !== 'DRAFT' || order.confirmed === undefined) refuse('409 INVALID_STATE');
  if (excessOf(order) !== 0) refuse('409 INVALID_STATE');
  return fallBack(order);
};

export const cancel: Rule = (order) => {
  assertOpen(order);
  if (order.status === 'DRAFT' && (order.confirmed !== undefined || excessOf(order) !== 0)) refuse('409 INVALID_STATE');
  if (order.lines.some(({ status }) => status === 'CONFIRMED')) refuse('409 INVALID_STATE');
  leaveDraft(order);
  order.status = 'CANCELLED';
  return true;
};

/**
 * The sweep, and the workflow for a draft with money: what was captured confirms the order where it pays it, else it is
 * credited. Answers how many writes that takes.
 */
export function expire(order: ModelOrder, now: number): number {
  if (!isDue(order, now)) return 0;
  const excess = excessOf(order);
  if (excess === 0) return fallBack(order) ? 1 : 0;
  const after = structuredClone(order);
  if (isConfirmable(after, now)) {
    replaceMembers(order, after);
    return 2;
  }
  // What was paid back for a cheaper draft is not taken again.
  if (excess < 0) return 0;
  order.credited += excess;
  fallBack(order);
  return 3;
}

function isConfirmable(order: ModelOrder, now: number): boolean {
  try {
    return confirm(order.version, true)(order, now);
  } catch {
    return false;
  }
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
