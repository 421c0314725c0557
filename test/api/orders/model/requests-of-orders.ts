/** Requests on orders as a whole: created, read by version, asked for by others. */
import assert from 'node:assert/strict';
import { OTHER, PRICING } from '../support.ts';
import { factsOfAnswer, factsOfModel } from './model-facts.ts';
import { contentOf, type ModelOrder, refuse } from './model-order.ts';
import * as rules from './model-rules.ts';
import { CATALOGUE_MINOR, FREE_MINOR, NOWHERE, writtenLine } from './requests-of-lines.ts';
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

/** An order that was sold elsewhere: it begins as its confirmed version 1. */
export function importOrder({ how }: StepOf<'import'>, run: Run): Move {
  const traveller = { id: run.newId() };
  const line = { id: run.newId(), minor: how === 'FREE' ? FREE_MINOR : CATALOGUE_MINOR, travellers: [traveller.id] };
  const paid = line.minor + (how === 'UNBALANCED' ? 100 : 0);
  const at = new Date(run.now - 86_400_000).toISOString();
  const card = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA', transactionConfirmedAt: at };
  const body = {
    externalReference: 'old-system',
    importedAt: at,
    travellers: [asTraveller(traveller)],
    orderLines: [writtenLine(how === 'STRANGER' ? { ...line, travellers: [NOWHERE] } : line)],
    transactions: [{ ...card, amount: (paid / 100).toFixed(2), rrn: line.id.replaceAll('-', '') }],
  };
  return {
    sent: { path: '/v1/orders/import', method: 'POST', headers: {}, body, ...(how === 'FREE' && { token: PRICING }) },
    status: 201,
    make: ({ json }) => {
      if (how === 'STRANGER') refuse('422 UNKNOWN_TRAVELLER');
      if (how === 'UNBALANCED') refuse('409 ORDER_NOT_BALANCED');
      const { expireAt: _draft, ...order } = rules.newOrder(json.id, run.now);
      const lines = [{ ...line, version: 1, status: 'CONFIRMED' as const, seats: [] }];
      const content = { lines, fees: [], travellers: [traveller] };
      return {
        ...order,
        ...structuredClone(content),
        ...{
          status: 'CONFIRMED',
          captured: paid,
          imported: paid,
          confirmed: 1,
          versions: { 1: content },
          reference: 'old-system',
        },
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
