/** Lines that are changed for other offers, and the fees that a change costs. The tickets of this test cost 50.00 to change. */
import { addFee, type GivenLine, linesNamed } from './model-content.ts';
import { balanceOf, confirmedOf, type ModelLine, type ModelOrder, refuse } from './model-order.ts';
import { content, type Rule } from './model-rules.ts';

const CHANGE_MINOR = 5_000;
export const MEAL_MINOR = 8_000;

export const soldLine = (order: ModelOrder, id: string) => confirmedOf(order)?.lines.find((line) => line.id === id);

export function assertOpenLine({ status }: ModelLine): void {
  if (status === 'CANCELLED' || status === 'CANCELLATION_DRAFT') refuse('409 INVALID_STATE');
}

/** The line is sold anew, whatever it was. `feeId`: of the change of what was sold before. */
export const exchangeLine = (
  given: Pick<GivenLine, 'id' | 'minor' | 'seats' | 'isSeated' | 'meals'>,
  feeId: string,
): Rule =>
  content((order, now) => {
    const [line] = linesNamed(order, [given.id]) as [ModelLine];
    assertOpenLine(line);
    dropFeesOfChange(order, line.id);
    const { minor, seats = [], isSeated = false, meals = 0 } = given;
    Object.assign(line, { minor, seats, isSeated, meals, status: 'DRAFT', version: line.version + 1 });
    if (soldLine(order, line.id)) {
      addFee(
        { id: feeId, type: 'CHANGE', minor: CHANGE_MINOR, ofChange: { line: line.id, version: order.version } },
        [],
      )(order, now);
    }
    return true;
  });

/** The latest change of lines decides what the confirmation does with a negative balance. */
export const presetCredit =
  (change: Rule, isAsked: boolean): Rule =>
  (order, now) => {
    const isChanged = change(order, now);
    delete order.creditBalance;
    if (isAsked && balanceOf(order) < 0) order.creditBalance = true;
    return isChanged;
  };

export const addMeals = (id: string, count: number): Rule =>
  content((order) => {
    const [line] = linesNamed(order, [id]) as [ModelLine];
    assertOpenLine(line);
    Object.assign(line, { minor: line.minor + count * MEAL_MINOR, meals: (line.meals ?? 0) + count });
    if (line.status === 'CONFIRMED') Object.assign(line, { status: 'DRAFT', version: line.version + 1 });
    return true;
  });

/** The change that this draft made of the line is no more. */
export function dropFeesOfChange(order: ModelOrder, lineId: string): void {
  order.fees = order.fees.filter(({ ofChange }) => ofChange?.line !== lineId || ofChange.version !== order.version);
}
