/** The request of each step, and the rule of the model that stands beside it. */
import assert from 'node:assert/strict';
import { OTHER } from '../support.ts';
import { contentOf, factsOfAnswer, factsOfModel, type ModelOrder, pick, refuse } from './model-order.ts';
import * as rules from './model-rules.ts';
import type { Learned, Move, Run } from './play.ts';
import { addLines, endLines, NOWHERE, putLines } from './requests-of-lines.ts';
import { reserve } from './requests-of-reserving.ts';
import type { Step, StepOf } from './steps.ts';
import type { World } from './world.ts';

type Request = Pick<Move, 'early' | 'rule'> & {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
};
type Contentful = Exclude<
  Step['kind'],
  'create' | 'reserve' | 'money' | 'wait' | 'sweep' | 'relay' | 'readVersion' | 'foreign' | 'repeat'
>;
type Makers = {
  readonly [Kind in Contentful]: (step: StepOf<Kind>, order: ModelOrder, run: Run, world: World) => Made;
};
export type Made = Request & { readonly status?: number; readonly token?: string };

export function requestOf(step: Step, run: Run, world: World): Move | undefined {
  if (step.kind === 'create') return create(step, run);
  const order = run.orders.at(-1 - step.at);
  if (step.kind === 'reserve') return reserve(step, order, run, world);
  if (!order) return undefined;
  if (step.kind === 'foreign') return foreign(step, order);
  if (step.kind === 'readVersion') return readVersion(step, order);
  if (!(step.kind in MAKERS)) return undefined;
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

const MAKERS: Makers = {
  addTravellers: ({ how }, order, run) => {
    const ids = how === 'KNOWN' ? [order.travellers[0]?.id ?? run.newId()] : [run.newId()];
    if (how === 'TWO') ids.push(run.newId());
    if (how === 'TWICE') ids.push(...ids);
    const travellers = ids.map((id) => ({ id }));
    return {
      ...{ method: 'POST', path: '/travellers/bulk', status: 201, body: travellers.map(asTraveller) },
      early: () => void (how === 'TWICE' && refuse('422 VALIDATION_FAILED')),
      rule: () => rules.addTravellers(travellers),
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
      rule: () => rules.putTravellers(travellers),
    };
  },
  deleteTravellers: ({ index }, order) => {
    const id = pick(order.travellers, index)?.id ?? NOWHERE;
    return { method: 'DELETE', path: `/travellers?travellerIds=${id}`, rule: () => rules.deleteTravellers([id]) };
  },
  addLines,
  putLines,
  cancelLines: (step, order) => endLines(step, order),
  deleteLines: (step, order) => endLines(step, order),
  addFee: ({ type, hasSign, line }, order) => {
    const minor = (type === 'REDUCTION') === hasSign ? -1_000 : 2_500;
    const ids = { NONE: [], KNOWN: order.lines.slice(0, 1).map(({ id }) => id), UNKNOWN: [NOWHERE] }[line];
    const price = { amount: (minor / 100).toFixed(2) };
    return {
      ...{ method: 'POST', path: '/fees', status: 201, body: { type, price, reason: 'Counter', orderLineIds: ids } },
      rule: ({ json }) => rules.addFee({ id: json?.id, type, minor }, ids),
    };
  },
  deleteFee: ({ index }, order) => {
    const id = pick(order.fees, index)?.id ?? NOWHERE;
    return { method: 'DELETE', path: `/fees/${id}`, status: 204, rule: () => rules.deleteFee(id) };
  },
  confirm: ({ version }, order) => {
    const orderVersion = Math.max(1, order.version + { PRESENT: 0, EARLIER: -1, NEXT: 1 }[version]);
    return { method: 'POST', path: '/confirm', body: { orderVersion }, rule: () => rules.confirm(orderVersion) };
  },
  reset: () => ({ method: 'POST', path: '/reset', rule: () => rules.reset }),
  cancel: ({ hasReason }) => ({
    ...{ method: 'POST', path: '/cancel', rule: () => rules.cancel },
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

function create({ travellers, expiry, facts }: StepOf<'create'>, run: Run): Move {
  const given = Array.from({ length: travellers }, () => ({ id: run.newId() }));
  const expireAt = expiry === 'NONE' ? undefined : timeOf(expiry, run.now);
  const body = {
    travellers: given.map(asTraveller),
    ...(expireAt !== undefined && { expireAt: new Date(expireAt).toISOString() }),
    ...(facts && { externalReference: 'basket', specialOrderCause: { causeCode: 'SCHOOL', description: 'A trip' } }),
  };
  return {
    sent: { path: '/v1/orders', method: 'POST', headers: {}, body },
    status: 201,
    make: ({ json }) => {
      if (expireAt !== undefined) rules.assertFuture(expireAt, run.now);
      return {
        ...rules.newOrder(json.id, run.now),
        ...{ travellers: given, ...(expireAt !== undefined && { expireAt, expireAtSet: true }) },
        ...(facts && { reference: 'basket', cause: 'SCHOOL' }),
      };
    },
  };
}

/** A confirmed version is as it was confirmed, for ever; the draft is the order itself. */
function readVersion({ version }: StepOf<'readVersion'>, order: ModelOrder): Move {
  const isDraft = version === order.version && order.versions[version] === undefined;
  const content = order.versions[version] ?? (isDraft ? contentOf(order) : undefined);
  return {
    ...{ order, status: 200 },
    sent: { path: `/v1/orders/${order.id}?version=${version}`, method: 'GET', headers: {} },
    early: () => void (content ?? refuse('404 NOT_FOUND')),
    rule:
      ({ json }) =>
      () =>
        assertVersion(json, order, version),
  };
}

const asTraveller = (traveller: { readonly id: string; readonly age?: number }) => ({
  ...traveller,
  userType: 'ADULT',
});

function timeOf(time: StepOf<'expireAt'>['time'], now: number): number {
  return now + { HOUR: 3_600_000, SOON: 60_000, PAST: -1_000, FAR: rules.MONTHS_7_MS }[time];
}

function assertVersion(json: Learned['json'], order: ModelOrder, version: number): boolean {
  const expected = { ...order, ...(order.versions[version] ?? {}) };
  const [got, wanted] = [factsOfAnswer(json), factsOfModel(expected)];
  const { lines, fees, travellers, total } = wanted;
  assert.deepEqual([got.lines, got.fees, got.travellers, got.total], [lines, fees, travellers, total]);
  assert.equal(json.version, version);
  return false;
}

function foreign({ who }: StepOf<'foreign'>, order: ModelOrder): Move {
  const id = { OTHER: order.id, UNKNOWN: 'ZZZZZZZZ', MALFORMED: 'no-order' }[who];
  return {
    sent: { path: `/v1/orders/${id}/reset`, method: 'POST', headers: {}, ...(who === 'OTHER' && { token: OTHER }) },
    status: 200,
    early: () => refuse(who === 'MALFORMED' ? '400 INVALID_IDENTIFIER' : '404 NOT_FOUND'),
  };
}
