/** The request of each step, and the rule of the model that stands beside it. */

import { PRICING } from '../support.ts';
import * as contents from './model-content.ts';
import * as endings from './model-endings.ts';
import { balanceOf, type ModelOrder, pick, refuse } from './model-order.ts';
import * as rules from './model-rules.ts';
import { addSupplement, changeLine } from './requests-of-changes.ts';
import { addLines, endLines, NOWHERE, putLines } from './requests-of-lines.ts';
import { asTraveller, create, foreign, importOrder, readVersion, timeOf } from './requests-of-orders.ts';
import { reserve } from './requests-of-reserving.ts';
import { moveSeat } from './requests-of-seats.ts';
import type { Move, Run } from './run.ts';
import type { Step, StepOf } from './steps.ts';
import type { World } from './world.ts';

type Request = Pick<Move, 'early' | 'rule'> & {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
};
type Contentful = Exclude<
  Step['kind'],
  | 'create'
  | 'import'
  | 'reserve'
  | 'change'
  | 'supplement'
  | 'moveSeat'
  | 'money'
  | 'wait'
  | 'sweep'
  | 'relay'
  | 'readVersion'
  | 'foreign'
  | 'repeat'
>;
type Makers = {
  readonly [Kind in Contentful]: (step: StepOf<Kind>, order: ModelOrder, run: Run, world: World) => Made;
};
export type Made = Request & { readonly status?: number; readonly token?: string };

export function requestOf(step: Step, run: Run, world: World): Move | undefined {
  if (step.kind === 'create') return create(step, run);
  if (step.kind === 'import') return importOrder(step, run);
  const order = run.orders.at(-1 - step.at);
  if (step.kind === 'reserve') return reserve(step, order, run, world);
  if (!order) return undefined;
  if (step.kind === 'change') return changeLine(step, order, run, world);
  if (step.kind === 'supplement') return addSupplement(step, order);
  if (step.kind === 'foreign') return foreign(step, order);
  if (step.kind === 'readVersion') return readVersion(step, order);
  if (step.kind === 'moveSeat') return moveSeat(step, order, run);
  if (!(step.kind in MAKERS)) return undefined;
  if (step.kind === 'confirm' && asksTooMuch(step, order)) return undefined;
  const maker = MAKERS[step.kind as Contentful] as (...given: readonly unknown[]) => Made;
  const { path, method, body, token, early, rule, status = 200 } = maker(step, order, run, world);
  return {
    ...{ order, status },
    sent: {
      path: `/v1/orders/${order.id}${path}`,
      method,
      headers: {},
      ...(body !== undefined && { body }),
      ...(token && { token }),
    },
    ...(early && { early }),
    ...(rule && { rule }),
  };
}

/** The payments of this test credit what they have captured, and not what came with an import. */
function asksTooMuch({ creditBalance }: StepOf<'confirm'>, order: ModelOrder): boolean {
  const { captured, imported = 0, credited } = order;
  return endings.paysBack(order, creditBalance) && -balanceOf(order) > captured - imported - credited;
}

const MAKERS: Makers = {
  addTravellers: ({ how }, order, run) => {
    const ids = how === 'KNOWN' ? [order.travellers[0]?.id ?? run.newId()] : [run.newId()];
    if (how === 'TWO') ids.push(run.newId());
    if (how === 'TWICE') ids.push(...ids);
    const travellers = ids.map((id) => ({ id }));
    return {
      ...{ method: 'POST', path: '/travellers/bulk', status: 201, body: travellers.map(asTraveller) },
      early: () => void (how === 'TWICE' && refuse('422 VALIDATION_FAILED')),
      rule: () => contents.addTravellers(travellers),
    };
  },
  putTravellers: ({ how, index }, order, run) => {
    const travellers = order.travellers
      .filter((_, at) => !(how === 'DROP' && at === index % order.travellers.length))
      .map((each, at) =>
        how === 'AGE' && at === index % order.travellers.length ? { ...each, age: (each.age ?? 30) + 1 } : each,
      );
    if (how === 'ADD' || travellers.length === 0) travellers.push({ id: run.newId() });
    if (how === 'TWICE') travellers.push(...travellers.slice(0, 1));
    return {
      ...{ method: 'PUT', path: '/travellers', body: travellers.map(asTraveller) },
      early: () => void (how === 'TWICE' && refuse('422 VALIDATION_FAILED')),
      rule: () => contents.putTravellers(travellers),
    };
  },
  deleteTravellers: ({ index }, order) => {
    const id = pick(order.travellers, index)?.id ?? NOWHERE;
    return { method: 'DELETE', path: `/travellers?travellerIds=${id}`, rule: () => contents.deleteTravellers([id]) };
  },
  addLines,
  putLines,
  cancelLines: (step, order) => endLines(step, order),
  deleteLines: (step, order) => endLines(step, order),
  addFee: ({ type, hasSign, line }, order) => {
    const minor = (type === 'REDUCTION') === hasSign ? -1_000 : 2_500;
    const ids = { NONE: [], KNOWN: order.lines.slice(0, 1).map(({ id }) => id), UNKNOWN: [NOWHERE] }[line];
    const price = { amount: (minor / 100).toFixed(2) };
    // A wrong sign of a reduction is asked for by a caller who may not reduce.
    const mayReduce = type === 'REDUCTION' && hasSign;
    return {
      ...(mayReduce && { token: PRICING }),
      early: () => void (type === 'REDUCTION' && !mayReduce && refuse('403 INSUFFICIENT_SCOPE')),
      ...{ method: 'POST', path: '/fees', status: 201, body: { type, price, reason: 'Counter', orderLineIds: ids } },
      rule: ({ json }) => contents.addFee({ id: json?.id, type, minor }, ids),
    };
  },
  deleteFee: ({ index }, order) => {
    const id = pick(order.fees, index)?.id ?? NOWHERE;
    return { method: 'DELETE', path: `/fees/${id}`, status: 204, rule: () => contents.deleteFee(id) };
  },
  confirm: ({ version, creditBalance: asked }, order) => {
    const orderVersion = Math.max(1, order.version + { PRESENT: 0, EARLIER: -1, NEXT: 1 }[version]);
    const body = { orderVersion, creditBalance: asked };
    return { method: 'POST', path: '/confirm', body, rule: () => endings.confirm(orderVersion, { asked }) };
  },
  reset: () => ({ method: 'POST', path: '/reset', rule: () => endings.reset }),
  cancel: ({ hasReason }) => ({
    ...{ method: 'POST', path: '/cancel', rule: () => endings.cancel },
    body: hasReason ? { reason: 'Changed plans' } : {},
  }),
  expireAt: ({ time }, _order, run) => {
    const expireAt = timeOf(time, run.now);
    const body = { expireAt: new Date(expireAt).toISOString() };
    return { method: 'PUT', path: '/expire-at', body, rule: () => rules.setExpireAt(expireAt) };
  },
  contact: ({ who }, _order, _run, { customer }) => {
    const id = { CUSTOMER: customer, NOBODY: undefined, UNKNOWN: '9999999999' }[who];
    return {
      ...{ method: 'PUT', path: '/contact-info', body: id === undefined ? {} : { contact: { id } } },
      early: () => void (who === 'UNKNOWN' && refuse('422 UNKNOWN_CUSTOMER')),
      rule: () => rules.setFact('contact', id),
    };
  },
  reference: ({ value }) => ({
    ...{ method: 'PUT', path: '/external-reference', body: { externalReference: value } },
    rule: () => rules.setFact('reference', value),
  }),
  cause: ({ value, isTold }) => ({
    ...{ method: value === undefined ? 'DELETE' : 'PUT', path: '/special-order-cause' },
    ...(value !== undefined && { body: { causeCode: value, ...(isTold && { description: 'A long story' }) } }),
    rule: () => rules.setFact('cause', value),
  }),
};
