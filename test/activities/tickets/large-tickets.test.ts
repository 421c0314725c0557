/** Tickets as large as an order may have them: each gets a barcode that can be drawn, and read again. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomInt, sign } from 'node:crypto';
import {
  type BarcodeFacts,
  encodeFitting,
  level1Of,
  TicketTooLargeError,
} from '../../../activities/tickets/barcode-content.ts';
import { refusalOf } from '../../../activities/tickets/delivery/document-refusal.ts';
import { drawAztec } from '../../../barcode/aztec.ts';
import { assembleBarcode, readBarcode, verifyBarcode } from '../../../barcode/signed-barcode.ts';
import type { SoldLeg } from '../../../workflows/offers/rules/offer.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import type { Distribution } from '../../../workflows/tickets/rules/ticket-group.ts';
import { later, NOW, sampleTraveller } from '../../support/sample-orders.ts';
import { groupOf, soldOrder, theTicket } from '../../support/sample-tickets.ts';
import { seededRandom } from '../../support/zip-samples.ts';
import { legOf, seatOf } from './random-tickets.ts';

const given = process.env.TICKET_SEED;
const SEED = given === undefined ? randomInt(2 ** 31) : Number(given);
const TICKETS = 40;
const KEY_ID = 7;
/** Of the schemas of orders and profiles. */
const MOST = { travellers: 100, party: 9, zones: 200, text: 200, name: 100, legs: 20 };
/** Of one, two, three and four octets. */
const LETTERS = ['a', 'Ø', 'ŋ', '界', '🚆'];

type Random = (limit: number) => number;
/** How many of at most so many. */
type Count = (most: number) => number;

/** `count` decides how large it is. */
function ticketOf(random: Random, count: Count): { readonly ticket: Distribution; readonly facts: BarcodeFacts } {
  const text = (most: number) => (LETTERS[random(LETTERS.length)] as string).repeat(Math.max(1, count(most)));
  const travellers = Array.from(
    { length: Math.max(1, count(random(4) === 0 ? MOST.travellers : MOST.party)) },
    (_, at) => ({
      ...{ travellerId: sampleTraveller().id, userTypeId: 'ADULT' },
      customerNumber: String(1_000_000_000 + at) as CustomerNumber,
    }),
  );
  const legs = Array.from({ length: count(MOST.legs) }, (_, at): SoldLeg => {
    const [from, to] = [text(MOST.text), text(MOST.text)];
    const calls = [from, to].map((stopPlaceId) => ({ stopPlaceId, name: text(2 * MOST.text) }));
    const leg = legOf(at, later(60), random);
    return { ...leg, fromStopPlaceId: from, toStopPlaceId: to, calls, serviceJourneyPrivateCode: text(MOST.text) };
  });
  const seats = legs.flatMap(({ legId }) => travellers.map(({ travellerId }) => seatOf(travellerId, legId, random)));
  const zones = Array.from({ length: count(MOST.zones) }, () => text(MOST.text));
  const ends = random(2) === 0 ? { fromStopPlace: 'a'.repeat(MOST.text), toStopPlace: text(MOST.text) } : {};
  const ticket: Distribution = {
    ...theTicket(groupOf(soldOrder())),
    ...{ issuedAt: NOW, startOfValidity: NOW, endOfValidity: later(60), travellers, legs, seatReservations: seats },
    topology: { ...ends, fareZones: zones },
    ...(random(2) === 0 && { zoneNames: zones.map(() => text(MOST.text)) }),
    price: { amountMinor: random(2 ** 31), taxMinor: 0 },
  };
  const names = new Map(
    travellers.map(({ customerNumber }) => [customerNumber, { firstName: text(MOST.name), surname: text(MOST.name) }]),
  );
  const language = (['nob', 'nno', 'eng'] as const)[random(3)] ?? 'nob';
  return { ticket, facts: { issuerCode: 9_901, issuerName: text(MOST.text), specimen: false, names, language } };
}

describe('the barcode of a large ticket', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const group = groupOf(soldOrder());

  const check = ({ ticket, facts }: ReturnType<typeof ticketOf>) => {
    const level1 = level1Of(ticket, group, facts, KEY_ID);
    const barcode = assembleBarcode(level1, sign('sha256', level1, privateKey));
    assert.equal(
      verifyBarcode(barcode, () => publicKey, NOW),
      'VALID',
    );
    const { travelerDetail, transportDocument } = readBarcode(barcode).ticket;
    assert.equal(travelerDetail?.traveler?.length, ticket.travellers.length);
    const [holder] = travelerDetail.traveler;
    assert.ok(holder?.firstName && holder.lastName);
    const [open] = transportDocument ?? [];
    assert.ok(open && 'openTicket' in open.ticket && open.ticket.openTicket.referenceIA5 === String(ticket.id));
    return { barcode, open: open.ticket.openTicket };
  };

  it(`can be drawn, and read, whatever an order may have (TICKET_SEED=${SEED})`, () => {
    const random = seededRandom(SEED);
    for (let at = 0; at < TICKETS; at += 1) {
      // Half of them have one or two kinds of much, and little else.
      const isFull = random(2) === 0;
      const { barcode } = check(ticketOf(random, (most) => (isFull || random(3) === 0 ? most - random(2) : random(3))));
      if (at % 20 === 0) assert.ok(drawAztec(barcode).size < 120);
      assert.ok(barcode.length <= 720, `${barcode.length} octets`);
    }
  });

  it('can be drawn, and read, of the largest of all', () => {
    for (let seed = 0; seed < 3; seed += 1) {
      const { barcode } = check(ticketOf(seededRandom(seed), (most) => most));
      assert.ok(drawAztec(barcode).size < 120);
    }
  });

  it('has the number of its zones where their names are too long, and all else then', () => {
    const ticket = ticketOf(seededRandom(1), () => 1).ticket;
    const zones = Array.from({ length: 80 }, (_, at) => `RUT:FareZone:${at}`);
    const facts: BarcodeFacts = {
      issuerCode: 9_901,
      issuerName: 'Vy',
      specimen: false,
      names: new Map(),
      language: 'nob',
    };
    const regionOf = (count: number, language: BarcodeFacts['language']) => {
      const bare = { ...ticket, zoneNames: zones.slice(0, count), topology: { fareZones: zones.slice(0, count) } };
      const level1 = level1Of(bare, group, { ...facts, language }, KEY_ID);
      const [open, ...reservations] = readBarcode(assembleBarcode(level1, Buffer.of(1))).ticket.transportDocument ?? [];
      assert.equal(reservations.length, 1);
      return open && 'openTicket' in open.ticket ? open.ticket.openTicket.validRegionDesc : undefined;
    };
    assert.equal(regionOf(3, 'nob'), 'RUT:FareZone:0, RUT:FareZone:1, RUT:FareZone:2');
    assert.deepEqual(
      (['nob', 'nno', 'eng'] as const).map((language) => regionOf(80, language)),
      ['80 soner, se billetten', '80 soner, sjå billetten', '80 zones, see the ticket'],
    );
  });

  it('that no content fits is refused before it is signed, and not tried again', () => {
    const { ticket, facts } = ticketOf(seededRandom(1), () => 1);
    const fitting = () => encodeFitting(ticket, group, facts, () => undefined);
    assert.throws(fitting, TicketTooLargeError);
    const invalid = { ...facts, issuerCode: 0 };
    for (const make of [fitting, () => level1Of(ticket, group, invalid, KEY_ID)]) {
      try {
        make();
        assert.fail('it has a content');
      } catch (error) {
        assert.equal(refusalOf(error)?.code, 'INVALID_STATE', String(error));
      }
    }
  });
});
