/**
 * What another organisation's token sees of the ids of a run: each answers as an id that was never given. Used by
 * order-run.ts.
 */
import { randomUUID } from 'node:crypto';
import { CHANNEL } from '../support/sold-trains.ts';
import { inTurns } from './in-turns.ts';
import type { FinalAnswer, PatientClient, PatientRequest } from './patient-client.ts';

const HEADERS = { 'service-distribution-channel': CHANNEL };
const UNKNOWN_ORDER = 'ZZZZZZZZ';

export interface GivenIds {
  readonly orders: readonly string[];
  readonly offers: readonly string[];
  readonly reservations: readonly string[];
}

interface Asked extends PatientRequest {
  readonly path: (id: string) => string;
}

const read = (path: Asked['path']): Asked => ({ path });
const write = (path: Asked['path'], body: object, method = 'POST'): Asked => ({ path, method, headers: HEADERS, body });

const OF_ORDERS: readonly Asked[] = [
  read((id) => `/v1/orders/${id}`),
  read((id) => `/v1/orders/${id}?version=1`),
  read((id) => `/v1/orders/${id}/history`),
  read((id) => `/v1/change-options/${id}`),
  read((id) => `/v1/orders?id=${id}`),
  read((id) => `/v1/seating-arrangements?orderId=${id}`),
  write((id) => `/v1/orders/${id}/confirm`, { orderVersion: 1 }),
  write((id) => `/v1/orders/${id}/external-reference`, { externalReference: 'foreign' }, 'PUT'),
];
const OF_OFFERS = [read((id) => `/offers/v2/offers/${id}`)];
const OF_RESERVATIONS = [
  read((id) => `/v1/seating-arrangements/${id}`),
  write((id) => `/v1/seating-arrangements/${id}`, { carriageNumber: '1', seatNumber: '1' }, 'PUT'),
];

/** Answers the faults, and how many requests were sent. */
export async function lookWithForeignEyes(client: PatientClient, ids: GivenIds) {
  const kinds = [
    { asked: OF_ORDERS, given: ids.orders, unknown: UNKNOWN_ORDER },
    { asked: OF_OFFERS, given: ids.offers, unknown: randomUUID() },
    { asked: OF_RESERVATIONS, given: ids.reservations, unknown: randomUUID() },
  ];
  const faults: string[] = [];
  let requests = 0;
  for (const { asked, given, unknown } of kinds) {
    for (const one of asked) {
      const absent = toldOf(await client.send(one.path(unknown), one));
      if (!/^404|"totalItems":0/.test(absent)) faults.push(`${one.path(unknown)} answered ${absent}`);
      await inTurns(given, async (id) => {
        const answer = toldOf(await client.send(one.path(id), one));
        if (answer !== absent) faults.push(`${one.path(id)} answered another organisation ${answer}`);
      });
      requests += given.length;
    }
  }
  return { faults, requests };
}

/** Without the members that name the request. */
function toldOf({ status, json }: FinalAnswer): string {
  const { instance: _path, correlationId: _id, timestamp: _at, ...told } = json;
  return `${status} ${JSON.stringify(told)}`;
}
