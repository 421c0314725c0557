/** The content of an order in the model: travellers, lines and fees, by the state table of lines. */
import { dropFeesOfChange, soldLine } from './model-changes.ts';
import { type ModelFee, type ModelLine, type ModelOrder, type ModelTraveller, refuse } from './model-order.ts';
import { content, type Rule } from './model-rules.ts';

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
    // The age of a traveller of a line may be added, and does not change.
    assertUnused(
      order,
      order.travellers
        .filter(({ id, age }) => age !== undefined && given.has(id) && given.get(id)?.age !== age)
        .map(({ id }) => id),
    );
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

export type GivenLine = Pick<ModelLine, 'id' | 'minor' | 'travellers'> &
  Partial<Pick<ModelLine, 'seats' | 'isSeated' | 'meals'>>;

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
      const { minor, travellers, meals = 0 } = given.find(({ id }) => id === line.id) as GivenLine;
      const isSame = minor === line.minor && travellers[0] === line.travellers[0] && meals === (line.meals ?? 0);
      // A seat is its traveller's.
      const seats = line.travellers[0] === travellers[0] ? line.seats : [];
      Object.assign(line, { minor, travellers: [...travellers], seats, meals });
      if (line.status === 'CONFIRMED') Object.assign(line, { status: 'DRAFT', version: line.version + 1 });
      if (!isSame) dropFeesOfChange(order, line.id);
    }
    return true;
  });

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
      dropFeesOfChange(order, line.id);
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
    // It follows from a change: a caller does not undo it.
    if (fee.ofChange) refuse('409 INVALID_STATE');
    order.fees = order.fees.filter((each) => each !== fee);
    return true;
  });
