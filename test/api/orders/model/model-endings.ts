/** How drafts of the model end, by the state table of orders: confirmed, reset, cancelled, expired. */
import { balanceOf, confirmedOf, contentOf, excessOf, type ModelLine, type ModelOrder, refuse } from './model-order.ts';
import { assertInTime, assertOpen, isDue, type Rule, replaceMembers } from './model-rules.ts';

export interface Confirming {
  /** By the workflow, for a draft whose time is over. */
  readonly isLate?: boolean;
  /** `creditBalance`, where the request has it. */
  readonly asked?: boolean | undefined;
}

export const confirm =
  (version: number, { isLate = false, asked }: Confirming = {}): Rule =>
  (order, now) => {
    if (order.status === 'CONFIRMED' && order.version === version) return false;
    assertOpen(order);
    if (order.version !== version || order.status !== 'DRAFT') refuse('409 ORDER_VERSION_MISMATCH');
    // Money that was taken for the draft may complete it after its time.
    if (!isLate && excessOf(order) <= 0) assertInTime(order, now);
    if (order.lines.length + order.fees.length === 0) refuse('409 ORDER_EMPTY');
    if (order.lines.some(lacksSeat)) refuse('409 SEAT_UNAVAILABLE');
    if (!isLate && paysBack(order, asked)) payBack(order);
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

export function paysBack(order: ModelOrder, asked: boolean | undefined): boolean {
  return balanceOf(order) < 0 && (asked ?? order.creditBalance ?? false);
}

/** One write more where tickets of sold lines are withdrawn first. */
function payBack(order: ModelOrder): void {
  const sold = new Set(confirmedOf(order)?.lines.map(({ id }) => id));
  if (order.lines.some(({ id, status }) => /DRAFT/.test(status) && sold.has(id))) order.revision += 1;
  credit(order, -balanceOf(order));
}

/** Two writes of their own: the lock, and the note of the payment. */
function credit(order: ModelOrder, amount: number): void {
  order.credited += amount;
  order.revision += 2;
}

function lacksSeat({ status, isSeated = false, seats }: ModelLine): boolean {
  return status === 'DRAFT' && isSeated && seats.length === 0;
}

function leaveDraft(order: ModelOrder): void {
  delete order.expireAt;
  delete order.creditBalance;
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
  const excess = excessOf(order);
  // What was paid back for a cheaper draft is not taken again.
  if (excess < 0) refuse('409 INVALID_STATE');
  if (excess > 0) credit(order, excess);
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
    return confirm(order.version, { isLate: true })(order, now);
  } catch {
    return false;
  }
}
