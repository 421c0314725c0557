/** Requests on orders as a whole: created, read by version, asked for by others. */
import assert from 'node:assert/strict';
import { OTHER } from '../support.ts';
import { contentOf, factsOfAnswer, factsOfModel, type ModelOrder, refuse } from './model-order.ts';
import * as rules from './model-rules.ts';
import type { Learned, Move, Run } from './run.ts';
import type { StepOf } from './steps.ts';

export function create({ travellers, expiry, facts }: StepOf<'create'>, run: Run): Move {
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
export function readVersion({ version }: StepOf<'readVersion'>, order: ModelOrder): Move {
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

export const asTraveller = (traveller: { readonly id: string; readonly age?: number }) => ({
  ...traveller,
  userType: 'ADULT',
});

export function timeOf(time: StepOf<'expireAt'>['time'], now: number): number {
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

export function foreign({ who }: StepOf<'foreign'>, order: ModelOrder): Move {
  const id = { OTHER: order.id, UNKNOWN: 'ZZZZZZZZ', MALFORMED: 'no-order' }[who];
  return {
    sent: { path: `/v1/orders/${id}/reset`, method: 'POST', headers: {}, ...(who === 'OTHER' && { token: OTHER }) },
    status: 200,
    early: () => refuse(who === 'MALFORMED' ? '400 INVALID_IDENTIFIER' : '404 NOT_FOUND'),
  };
}
