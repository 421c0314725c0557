/**
 * Lines that are written by hand: their rides come from the timetable, their terms from the catalogue, and their prices too,
 * unless the caller may set them.
 */

import { completeLegs, type NamedLeg } from '../../activities/orders/sold-legs.ts';
import type { Fares } from '../../activities/shared/fares.ts';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import type { NewLine } from '../../workflows/orders/rules/lines.ts';
import type { LineTraveller, Order, OrderLine, TravelSpecification } from '../../workflows/orders/rules/order.ts';
import { isSameSale } from '../../workflows/orders/rules/same-sale.ts';
import type { OrderLineId, ReservationId, TravellerId } from '../../workflows/shared/ids.ts';
import { LONGEST_TICKET_DAYS, latestEnd } from '../../workflows/shared/longest-ticket.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import { assertCatalogueSale } from './catalogue-sale.ts';
import type { Schemas } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { compulsoryLegs, termsOfProducts, termsOfSale } from './line-terms.ts';
import { assertOwnProducts, readLinePrice, readProducts } from './product-requests.ts';
import { invalidMember } from './requests.ts';

export type GivenLine = Schemas['OrderLineRequest'];
type GivenTravel = Schemas['GivenTravelSpecification'];
type GivenLeg = Schemas['GivenLeg'];

export interface LineOptions extends Pick<OrdersDependencies, 'timetable' | 'now'> {
  readonly fares: Fares;
  /** The present lines are those that the given ones replace. */
  readonly order: Pick<Order, 'organisationId' | 'currency' | 'travellers' | 'orderLines'>;
  readonly workId: string;
  readonly maySetPrices: boolean;
  /** Of an import. */
  readonly mayBeUnknown?: boolean;
  /** JSON pointer of a line in the body. */
  readonly pointerOf?: (at: number) => string;
}

/** A line as it is wanted, with the seats to keep: absent, those that still fit. */
export interface WrittenLine {
  readonly line: Omit<NewLine, 'reservationIds'>;
  readonly keptReservationIds?: readonly ReservationId[];
}

/** Throws VALIDATION_FAILED, CURRENCY_MISMATCH, PRICE_MISMATCH. */
export async function readLines(given: readonly GivenLine[], options: LineOptions): Promise<readonly WrittenLine[]> {
  const { pointerOf = (at) => `/orderLines/${at}` } = options;
  return await Promise.all(given.map(async (line, at) => await readLine(line, at, pointerOf(at), options)));
}

async function readLine(given: GivenLine, at: number, pointer: string, options: LineOptions): Promise<WrittenLine> {
  const { order, fares, workId, maySetPrices, mayBeUnknown } = options;
  const { currency } = order;
  const id = (given.id === undefined ? workItemId(workId, `line/${at}`) : plainUuid(given.id)) as OrderLineId;
  const before = order.orderLines.find((line) => line.id === id);
  const { fareProducts: products = [], reservationIds, salesPackageRef, externalReference } = given;
  const fare = products.map((product) => fares.products.get(product.id)).find((found) => found?.kind === 'PREASSIGNED');
  const price = readLinePrice(given.price, fare, currency, `${pointer}/price`);
  const fareProducts = readProducts(products, price, { fares, currency, pointer, before: before?.fareProducts });
  const { travel, rides } = await readTravel(given.travelSpecification, before, pointer, options);
  const travellers = given.travellers.map(toLineTraveller);
  if (new Set(travellers.map(({ travellerId }) => travellerId)).size < travellers.length) {
    throw invalidMember(`${pointer}/travellers`, 'UNIQUE_ITEMS', 'must not name a traveller twice');
  }
  const line = { id, description: given.description, price, fareProducts, travellers, travelSpecification: travel };
  const isSame = before !== undefined && isSameSale(before, line);
  if (!isSame) assertOwnProducts(products, { fares, organisationId: order.organisationId, pointer });
  if (!maySetPrices && !isSame) await assertCatalogueSale(line, rides, { ...options, pointer });
  return {
    line: {
      ...line,
      ...(isSame ? termsOfSale(before) : termsOfProducts(line, fares)),
      ...(!isSame && !mayBeUnknown && compulsoryLegs(line, rides, before, fares)),
      ...(salesPackageRef !== undefined && { salesPackageRef }),
      ...(externalReference !== undefined && { externalReference }),
    },
    ...(reservationIds && { keptReservationIds: reservationIds }),
  };
}

function toLineTraveller(given: GivenLine['travellers'][number]): LineTraveller {
  return { ...given, travellerId: plainUuid(given.travellerId) as TravellerId };
}

async function readTravel(
  given: GivenTravel,
  before: OrderLine | undefined,
  pointer: string,
  { timetable, fares, mayBeUnknown = false, now }: LineOptions,
) {
  const place = `${pointer}/travelSpecification`;
  const [startOfValidity, endOfValidity] = [new Date(given.startOfValidity), new Date(given.endOfValidity)];
  if (endOfValidity <= startOfValidity)
    throw invalidMember(`${place}/endOfValidity`, 'RANGE', 'is not after the start');
  // What is sold must be signed. A line that stays is left alone: its ticket may be signed since.
  const isMoved = before?.travelSpecification.endOfValidity.getTime() !== endOfValidity.getTime();
  if (isMoved && endOfValidity > latestEnd(now())) {
    throw invalidMember(
      `${place}/endOfValidity`,
      'RANGE',
      `is more than ${LONGEST_TICKET_DAYS} days ahead, and no ticket can be signed for so long. Sell it later, or for a shorter time`,
      422,
    );
  }
  const { legs, rides } = await completeLegs(
    given.legs.map((leg, at) => toNamedLeg(leg, `${place}/legs/${at}`)),
    {
      ...{ timetable, fares, mayBeUnknown },
      known: before?.travelSpecification.legs ?? [],
      pointer: `${place}/legs`,
    },
  );
  const { zones, fromStopPlaceId = legs[0]?.fromStopPlaceId, toStopPlaceId = legs.at(-1)?.toStopPlaceId } = given;
  const travel: TravelSpecification = {
    legs,
    startOfValidity,
    endOfValidity,
    ...(zones && { zones }),
    ...(fromStopPlaceId !== undefined && { fromStopPlaceId }),
    ...(toStopPlaceId !== undefined && { toStopPlaceId }),
  };
  return { travel, rides };
}

function toNamedLeg(given: GivenLeg, pointer: string): NamedLeg {
  if (given.serviceJourneyId === undefined && given.datedServiceJourneyId === undefined) {
    throw invalidMember(`${pointer}/serviceJourneyId`, 'REQUIRED', 'is required unless datedServiceJourneyId is given');
  }
  const { calls: _calls, serviceJourneyPrivateCode: _code, expectedStartTime, expectedEndTime, ...named } = given;
  return { ...named, expectedStartTime: new Date(expectedStartTime), expectedEndTime: new Date(expectedEndTime) };
}
