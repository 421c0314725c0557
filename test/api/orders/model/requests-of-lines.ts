/** Requests on lines that are written by hand. */

import { A, C, departureOf, FREE_TRAIN } from '../small-market.ts';
import { PRICING } from '../support.ts';
import * as contents from './model-content.ts';
import { type ModelOrder, pick, refuse } from './model-order.ts';
import type { Made } from './requests.ts';
import type { Run } from './run.ts';
import type { StepOf } from './steps.ts';

/** The id of nothing. */
export const NOWHERE = '00000000-0000-4000-8000-000000000000';
export const CATALOGUE_MINOR = 30_000;
export const FREE_MINOR = 12_345;
const RIDE_MS = 2 * 3_600_000;

export function addLines({ how, index }: StepOf<'addLines'>, order: ModelOrder, run: Run): Made {
  const traveller = how === 'STRANGER' ? NOWHERE : (pick(order.travellers, index)?.id ?? NOWHERE);
  const isPriced = how === 'CATALOGUE' || how === 'CHEAP';
  const minor = how === 'CATALOGUE' ? CATALOGUE_MINOR : FREE_MINOR;
  const id = (how === 'KNOWN' ? pick(order.lines, index)?.id : undefined) ?? run.newId();
  const ids = how === 'TWO' ? [id, run.newId()] : [id];
  const lines = ids.map((each) => ({ id: each, minor, travellers: [traveller] }));
  return {
    ...{ method: 'POST', path: '/orderlines', status: 201, body: { orderLines: lines.map(writtenLine) } },
    ...(!isPriced && { token: PRICING }),
    early: () => {
      // Only a caller who may set prices needs no known traveller for them.
      if (isPriced && traveller === NOWHERE) refuse('422 UNKNOWN_TRAVELLER');
      if (how === 'CHEAP') refuse('422 PRICE_MISMATCH');
    },
    rule: () => contents.addLines(lines),
  };
}

/** The line as it was read, with one change. */
export function putLines(step: StepOf<'putLines'>, order: ModelOrder, run: Run): Made {
  const { how, index, isAlone } = step;
  const before = pick(order.lines, index);
  const minor = how === 'PRICE' || how === 'CHEAP' ? FREE_MINOR - index - 1 : (before?.minor ?? FREE_MINOR);
  const own = before?.travellers[0] ?? order.travellers[0]?.id ?? NOWHERE;
  const other = how === 'TRAVELLER' ? pick(order.travellers, step.traveller)?.id : undefined;
  const traveller = how === 'STRANGER' ? NOWHERE : (other ?? own);
  const line = { id: before?.id ?? NOWHERE, minor, travellers: [traveller] };
  const read = run.read.get(order.id)?.orderLines.find((each: { id: string }) => each.id === line.id);
  const body =
    how === 'SAME' && read ? asRead(read) : { ...(read ? asRead(read) : {}), ...writtenLine(line), ...travelOf(read) };
  return {
    ...{ method: 'PUT', path: isAlone ? `/orderlines/${line.id}` : '/orderlines' },
    body: isAlone ? body : { orderLines: [body] },
    ...(how !== 'CHEAP' && how !== 'SAME' && { token: PRICING }),
    early: () => {
      contents.linesNamed(order, [line.id]);
      if (how === 'CHEAP' && minor !== before?.minor) refuse('422 PRICE_MISMATCH');
    },
    rule: () => contents.putLines([{ ...line, ...(how === 'SAME' && read && { meals: before?.meals ?? 0 }) }]),
  };
}

export function endLines(
  { kind, indexes, isAlone }: StepOf<'cancelLines'> | StepOf<'deleteLines'>,
  order: ModelOrder,
): Made {
  const all = indexes.map((index) => pick(order.lines, index)?.id ?? NOWHERE);
  const ids = [...new Set(isAlone ? all.slice(0, 1) : all)];
  const end = kind === 'cancelLines' ? '/cancel' : '';
  return {
    method: kind === 'cancelLines' ? 'POST' : 'DELETE',
    path: isAlone ? `/orderlines/${ids[0]}${end}` : `/orderlines${end}?orderLineIds=${ids.join(',')}`,
    rule: () => (kind === 'cancelLines' ? contents.cancelLines(ids) : contents.deleteLines(ids)),
  };
}

export function writtenLine({ id, minor, travellers }: contents.GivenLine) {
  const [start, end] = rideOf();
  return {
    id,
    description: [{ lang: 'nob', value: 'Enkeltbillett' }],
    price: { amount: (minor / 100).toFixed(2) },
    priceContribution: undefined,
    fareProducts: [{ id: 'FLEX' }],
    travellers: travellers.map((travellerId) => ({ travellerId })),
    travelSpecification: {
      ...{ startOfValidity: start, endOfValidity: end },
      legs: [
        {
          ...{ mode: 'rail', fromStopPlaceId: A, toStopPlaceId: C, serviceJourneyId: FREE_TRAIN },
          ...{ expectedStartTime: start, expectedEndTime: end },
        },
      ],
    },
  };
}

function rideOf(): readonly [string, string] {
  const start = departureOf(FREE_TRAIN);
  return [start.toISOString(), new Date(start.getTime() + RIDE_MS).toISOString()];
}

type Read = Readonly<Record<string, unknown>>;

function travelOf(read: Read | undefined): object {
  return read ? { travelSpecification: read.travelSpecification } : {};
}

/** A seat that no longer fits is given up when the request does not name it. */
function asRead(read: Read): Read {
  const { version: _v, status: _s, createdAt: _c, confirmedAt: _f, reservationIds: _r, ...line } = read;
  return line;
}
