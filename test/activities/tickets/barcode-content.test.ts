/** What a barcode says of a ticket, read by another implementation: asn1tools, by the text of UIC's module. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BarcodeFacts, encodeFitting, railTicketOf } from '../../../activities/tickets/barcode-content.ts';
import { encodePer } from '../../../barcode/per/per-type.ts';
import { railTicket } from '../../../barcode/uic/rail-ticket.ts';
import { projectRoot } from '../../../dev/setup/resolve.mjs';
import type { CustomerNumber, TravellerId } from '../../../workflows/shared/ids.ts';
import type { Distribution, TicketSeat } from '../../../workflows/tickets/rules/ticket-group.ts';
import { sharedDirectory, temporaryDirectory } from '../../support/folders.ts';
import { providePythonPackages } from '../../support/python-packages.ts';
import { run } from '../../support/run.ts';
import { later, NOW, sampleLine, sampleTraveller } from '../../support/sample-orders.ts';
import { groupOf, soldOrder, theTicket } from '../../support/sample-tickets.ts';
import { seededRandom } from '../../support/zip-samples.ts';
import { legOf, randomTicket, seatOf } from './random-tickets.ts';

const given = process.env.TICKET_SEED;
const SEED = given === undefined ? randomInt(2 ** 31) : Number(given);
const TICKETS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const shared = sharedDirectory();

type Group = ReturnType<typeof groupOf>;

interface Open {
  readonly [member: string]: unknown;
  readonly validFromDay: number;
  readonly validUntilDay: number;
}

interface Decoded {
  readonly issuingDetail: Readonly<Record<string, unknown>> & {
    issuingYear: number;
    issuingDay: number;
    issuingTime: number;
  };
  readonly travelerDetail: {
    readonly traveler: readonly Readonly<Record<string, unknown>>[];
    readonly preferredLanguage: string;
  };
  readonly transportDocument: readonly {
    readonly ticket: { readonly openTicket?: Open; readonly reservation?: Readonly<Record<string, unknown>> };
  }[];
}

/** Written for itself: the calendar of the day of issue, moved by whole days. */
function instantOf({ issuingYear, issuingDay }: Decoded['issuingDetail'], days: number, minutes: number): number {
  const issue = new Date(0);
  issue.setUTCFullYear(issuingYear, 0, 1);
  issue.setUTCHours(0, 0, 0, 0);
  issue.setUTCDate(issuingDay + days);
  return issue.getTime() + minutes * MINUTE_MS;
}

const toMinute = (instant: Date) => Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS;

function checkTicket(decoded: Decoded, { ticket, facts }: ReturnType<typeof randomTicket>): void {
  const { issuingDetail, travelerDetail, transportDocument } = decoded;
  assert.equal(instantOf(issuingDetail, 0, issuingDetail.issuingTime), toMinute(ticket.issuedAt));
  const { specimen, currency, issuerPNR, issuerName, activated, securePaperTicket } = issuingDetail;
  assert.deepEqual(
    [specimen, currency, issuerPNR, issuerName, activated, securePaperTicket],
    [...[facts.specimen, 'NOK', 'K7QW2MXP', 'Tågföretaget', true, false]],
  );
  const expectedNames = ticket.travellers.map(({ customerNumber }, at) => {
    const { firstName, surname } = (customerNumber && facts.names.get(customerNumber)) || {};
    return { ...(firstName && { firstName }), ...(surname && { lastName: surname }), ticketHolder: at === 0 };
  });
  assert.deepEqual(travelerDetail.traveler, expectedNames);
  assert.equal(travelerDetail.preferredLanguage, { nob: 'nb', nno: 'nn', eng: 'en' }[facts.language]);
  const [first, ...others] = transportDocument;
  const open = first?.ticket.openTicket as Open;
  assert.deepEqual(
    [open.referenceIA5, open.price, open.returnIncluded],
    [String(ticket.id), ticket.price.amountMinor, false],
  );
  assert.equal(
    instantOf(issuingDetail, open.validFromDay, open.validFromTime as number),
    toMinute(ticket.startOfValidity),
  );
  assert.equal(open.classCode, ticket.fareClass === 'FIRST' ? 'first' : 'second');
  const until = instantOf(issuingDetail, open.validUntilDay, open.validUntilTime as number);
  if (ticket.endOfValidity.getTime() - ticket.issuedAt.getTime() > -DAY_MS)
    assert.equal(until, toMinute(ticket.endOfValidity));
  const stations = [open.fromStationIA5, open.toStationIA5, open.stationCodeTable];
  assert.deepEqual(stations, [
    ...[ticket.legs[0]?.fromStopPlaceId, ticket.legs.at(-1)?.toStopPlaceId, 'localCarrierStationCodeTable'],
  ]);
  checkSeats(
    others.map((each) => each.ticket.reservation ?? {}),
    issuingDetail,
    ticket,
  );
}

/** As the module has it: where a place is, what it is, and its class. */
function kindOf({ carriageNumber, seatingProperties: { accommodationFacility, fareClass } }: TicketSeat): string {
  const service = { SEATING: 'seat', COUCHETTE: 'couchette', SLEEPER: 'berth' }[accommodationFacility];
  return `${carriageNumber} ${service} ${fareClass === 'FIRST' ? 'first' : 'second'}`;
}

function checkSeats(
  reservations: readonly Readonly<Record<string, unknown>>[],
  issuing: Decoded['issuingDetail'],
  { legs, seatReservations, issuedAt, id }: Distribution,
): void {
  const issueDay = Math.floor(issuedAt.getTime() / DAY_MS);
  const told = legs.filter(
    ({ expectedStartTime }) => Math.floor(expectedStartTime.getTime() / DAY_MS) - issueDay >= -1,
  );
  const expected = told.flatMap((leg) => {
    const seats = seatReservations.filter(({ legId }) => legId === leg.legId);
    return [...new Set(seats.map(kindOf))].map((kind) => {
      const ofKind = seats.filter((seat) => kindOf(seat) === kind);
      return { leg, kind, coach: ofKind[0]?.carriageNumber, numbers: ofKind.map(({ seatNumber }) => seatNumber) };
    });
  });
  assert.equal(reservations.length, expected.length);
  for (const [at, { leg, kind, coach, numbers }] of expected.entries()) {
    const reservation = reservations[at] ?? {};
    const departure = instantOf(issuing, reservation.departureDate as number, reservation.departureTime as number);
    assert.equal(departure, toMinute(leg.expectedStartTime));
    const { trainIA5, referenceIA5, fromStationIA5, toStationNameUTF8 } = reservation;
    assert.deepEqual(
      [trainIA5, referenceIA5, fromStationIA5, toStationNameUTF8],
      [
        ...[leg.serviceJourneyPrivateCode ?? leg.datedServiceJourneyId, String(id), leg.fromStopPlaceId],
        leg.calls.find(({ stopPlaceId }) => stopPlaceId === leg.toStopPlaceId)?.name,
      ],
    );
    const places = reservation.places as {
      coach?: string;
      placeNum?: number[];
      placeIA5?: string[];
      placeDescription?: string;
    };
    const shown =
      places.placeNum?.map(String) ??
      places.placeIA5 ??
      numbers.filter((number) => places.placeDescription?.includes(number));
    assert.deepEqual([coach === 'Å' ? undefined : coach, numbers], [places.coach, shown]);
    assert.equal(`${coach} ${reservation.service} ${reservation.classCode}`, kind);
  }
}

describe('the content of a barcode', () => {
  const folder = temporaryDirectory('barcode-content');

  it(`is what another implementation reads, over New Year and leap days (TICKET_SEED=${SEED})`, async function () {
    if (!shared) this.skip();
    const packages = await providePythonPackages('barcode-readers');
    const random = seededRandom(SEED);
    const group = groupOf(soldOrder());
    const samples = Array.from({ length: TICKETS }, () => randomTicket(random));
    const lines = samples.map(({ ticket, facts }) =>
      encodePer(railTicket, railTicketOf(ticket, group, facts)).toString('hex'),
    );
    const input = join(folder, 'tickets.txt');
    writeFileSync(input, lines.join('\n'));
    const script = join(projectRoot, 'test/barcode/decode_tickets.py');
    const module = join(shared, 'barcode/uicRailTicketData_v3.0.5.asn');
    const printed = await run('python3', ['-S', script, module, input], { PYTHONPATH: packages });
    const decoded = printed.trim().split('\n');
    assert.equal(decoded.length, samples.length);
    for (const [at, sample] of samples.entries()) {
      try {
        checkTicket(JSON.parse(decoded[at] ?? '') as Decoded, sample);
      } catch (error) {
        throw new Error(`ticket ${at}: ${JSON.stringify(sample.ticket)}`, { cause: error });
      }
    }
  });

  const facts: BarcodeFacts = { issuerCode: 9_901, specimen: false, names: new Map(), language: 'nob' };
  const openOf = (ticket: Distribution, group: Group = groupOf(soldOrder())) => {
    const [first] = railTicketOf(ticket, group, facts).transportDocument ?? [];
    assert.ok(first);
    return (first.ticket as unknown as { readonly openTicket: Open }).openTicket;
  };
  const ticketOf = (more: Partial<Distribution>): Distribution => ({ ...theTicket(groupOf(soldOrder())), ...more });

  it('tells a price with two decimals, whatever the currency', () => {
    const ticket = ticketOf({ price: { amountMinor: 3_490, taxMinor: 0 } });
    const priceIn = (currency: string) => openOf(ticket, { ...groupOf(soldOrder()), currency }).price;
    assert.deepEqual(['NOK', 'ISK', 'BHD'].map(priceIn), [3_490, 349_000, 349]);
  });

  it('keeps to the bounds of the module, however long a ticket is valid', () => {
    const years = (count: number) => new Date(NOW.getTime() + count * 365 * DAY_MS);
    assert.equal(openOf(ticketOf({ issuedAt: NOW, endOfValidity: years(3) })).validUntilDay, 500);
    assert.equal(
      openOf(ticketOf({ issuedAt: NOW, startOfValidity: years(-3), endOfValidity: years(-2) })).validFromDay,
      -367,
    );
    assert.equal(
      openOf(ticketOf({ issuedAt: NOW, startOfValidity: years(-3), endOfValidity: years(-2) })).validUntilDay,
      -1,
    );
  });

  it('counts days in UTC', () => {
    const issuedAt = new Date('2026-12-31T23:59:59.999Z');
    const open = openOf(
      ticketOf({
        issuedAt,
        startOfValidity: new Date('2027-01-01T00:00:00Z'),
        endOfValidity: new Date('2027-01-02T00:00:00Z'),
      }),
    );
    assert.deepEqual([open.validFromDay, open.validFromTime, open.validUntilDay, open.validUntilTime], [1, 0, 2, 0]);
  });

  it('marks who holds the ticket: the first traveller, or the one it was passed on to', () => {
    const travellers = [sampleTraveller(), sampleTraveller()];
    const lines = [sampleLine({ travellers: travellers.map(({ id }) => ({ travellerId: id })) })];
    const group = groupOf(soldOrder({ travellers, lines }));
    const holders = (held: Group) =>
      railTicketOf(theTicket(group), held, facts).travelerDetail?.traveler?.map(({ ticketHolder }) => ticketHolder);
    assert.deepEqual(holders(group), [true, false]);
    assert.deepEqual(holders({ ...group, holderTravellerId: travellers[1]?.id as TravellerId }), [false, true]);
  });

  it('of a large party tells less, until the symbol is small enough', () => {
    const travellers = Array.from({ length: 30 }, (_, at) => ({
      ...{ travellerId: sampleTraveller().id, userTypeId: 'ADULT' },
      customerNumber: `10000000${10 + at}` as CustomerNumber,
    }));
    const names = new Map(
      travellers.map(({ customerNumber }) => [
        customerNumber,
        { firstName: 'Å'.repeat(100), surname: 'Ø'.repeat(100) },
      ]),
    );
    const legs = [legOf(0, later(60), () => 1)];
    const seatReservations = travellers.map(({ travellerId }) => seatOf(travellerId, 'leg-0', () => 1));
    const ticket = ticketOf({ travellers, legs, seatReservations });
    const group = groupOf(soldOrder());
    const contents = [100_000, 3_000, 400, 290].map((most) => {
      const content = encodeFitting(ticket, group, { ...facts, names }, (each) =>
        encodePer(railTicket, each).length <= most ? each : undefined,
      );
      const [holder, other] = content.travelerDetail?.traveler ?? [];
      return [
        holder?.lastName?.length,
        other?.lastName?.length,
        content.transportDocument?.length,
        content.travelerDetail?.traveler?.length,
      ];
    });
    assert.deepEqual(contents, [
      [100, 100, 2, 30],
      [16, 16, 2, 30],
      [16, undefined, 2, 30],
      [16, undefined, 1, 30],
    ]);
  });
});
