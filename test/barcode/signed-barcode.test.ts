/** A ticket from its content to an inspector's verdict. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomInt, sign } from 'node:crypto';
import { decodePer, encodePer } from '../../barcode/per/per-type.ts';
import { assembleBarcode, encodeLevel1, readBarcode, verifyBarcode } from '../../barcode/signed-barcode.ts';
import { barcodeHeader } from '../../barcode/uic/barcode-header.ts';
import { fromUicInstant, toUicInstant } from '../../barcode/uic/day-of-year.ts';
import { type RailTicket, railTicket } from '../../barcode/uic/rail-ticket.ts';
import { seededRandom } from '../support/zip-samples.ts';
import { randomValue } from './random-values.ts';

const given = process.env.TICKET_SEED;
const SEED = given === undefined ? randomInt(2 ** 31) : Number(given);
const RANDOM_TICKETS = 1_000;
const ISSUER = 9901;
const KEY_ID = 7;
const VALID_UNTIL = new Date('2026-12-31T23:59:00Z');
const BEFORE = new Date('2026-12-31T23:59:59Z');

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const findKey = (issuer: number, keyId: number) => (issuer === ISSUER && keyId === KEY_ID ? publicKey : undefined);

const TICKET: RailTicket = {
  issuingDetail: {
    securityProviderNum: ISSUER,
    issuerNum: ISSUER,
    issuingYear: 2026,
    issuingDay: 365,
    issuingTime: 1439,
    specimen: true,
    securePaperTicket: false,
    activated: true,
    currency: 'NOK',
    issuerPNR: 'ABCD2345',
  },
  travelerDetail: {
    traveler: [{ firstName: 'Åse', lastName: 'Bjørnstad', ticketHolder: true }],
    preferredLanguage: 'nb',
  },
  transportDocument: [
    { ticket: { openTicket: { referenceIA5: 'D1', returnIncluded: false, validUntilDay: 1, validUntilTime: 240 } } },
  ],
};

function issue(content: Partial<Parameters<typeof encodeLevel1>[0]> = {}): Buffer {
  const level1 = encodeLevel1({
    securityProvider: ISSUER,
    keyId: KEY_ID,
    validUntil: VALID_UNTIL,
    ticket: TICKET,
    ...content,
  });
  return assembleBarcode(level1, sign('sha256', level1, privateKey));
}

describe('a signed barcode', () => {
  it('is read with its content, and is valid until the end of its last minute', () => {
    const barcode = issue();
    assert.partialDeepStrictEqual(readBarcode(barcode), {
      securityProvider: ISSUER,
      keyId: KEY_ID,
      validUntil: VALID_UNTIL,
      ticket: TICKET,
    });
    assert.equal(verifyBarcode(barcode, findKey, BEFORE), 'VALID');
    assert.equal(verifyBarcode(barcode, findKey, new Date('2027-01-01T00:00:00Z')), 'EXPIRED');
  });

  it('is not valid with any bit flipped', () => {
    const barcode = issue();
    for (let bit = 0; bit < barcode.length * 8; bit += 1) {
      const flipped = Buffer.from(barcode);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (128 >> (bit % 8));
      assert.notEqual(verifyBarcode(flipped, findKey, BEFORE), 'VALID', `bit ${bit}`);
    }
  });

  it('is not valid when it is cut off or longer', () => {
    const barcode = issue();
    for (let length = 0; length < barcode.length; length += 1) {
      assert.equal(verifyBarcode(barcode.subarray(0, length), findKey, BEFORE), 'UNREADABLE', String(length));
    }
    assert.equal(verifyBarcode(Buffer.concat([barcode, Buffer.alloc(1)]), findKey, BEFORE), 'UNREADABLE');
  });

  it('is not valid by another key, nor by a key that nobody knows', () => {
    const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    assert.equal(
      verifyBarcode(issue(), () => other, BEFORE),
      'WRONG_SIGNATURE',
    );
    assert.equal(verifyBarcode(issue({ keyId: 8 }), findKey, BEFORE), 'UNKNOWN_KEY');
    assert.equal(verifyBarcode(issue({ securityProvider: 1 }), findKey, BEFORE), 'UNKNOWN_KEY');
  });

  it('is unreadable without a signature, or with a level 2', () => {
    const header = decodePer(barcodeHeader, issue());
    const { level2SignedData } = header;
    const others = [
      { ...header, format: 'U1' },
      { ...header, level2Signature: Buffer.from('00', 'hex') },
      { ...header, level2SignedData: { level1Data: level2SignedData.level1Data } },
      {
        ...header,
        level2SignedData: { ...level2SignedData, level2Data: { dataFormat: 'FDC1', data: Buffer.alloc(1) } },
      },
    ];
    for (const other of others) {
      assert.equal(verifyBarcode(encodePer(barcodeHeader, other), findKey, BEFORE), 'UNREADABLE');
    }
  });

  it('names the component of a ticket that cannot be encoded', () => {
    const ticket = { ...TICKET, issuingDetail: { ...TICKET.issuingDetail, issuingYear: 2015 } };
    assert.throws(() => issue({ ticket }), /issuingDetail\.issuingYear: 2015 is no INTEGER \(2016\.\.2269\)/);
  });
});

describe('random tickets', () => {
  it(`keep their values (TICKET_SEED=${SEED})`, () => {
    const random = seededRandom(SEED);
    for (let number = 0; number < RANDOM_TICKETS; number += 1) {
      const ticket = randomValue(railTicket, random) as RailTicket;
      const octets = encodePer(railTicket, ticket);
      const decoded = decodePer(railTicket, octets);
      assert.partialDeepStrictEqual(decoded, ticket, `ticket ${number}`);
      assert.deepEqual(encodePer(railTicket, decoded), octets);
    }
  });
});

describe('an instant of a barcode', () => {
  for (const [instant, year, day, minutes] of [
    ['2026-01-01T00:00:59Z', 2026, 1, 0],
    ['2026-12-31T23:59:00Z', 2026, 365, 1439],
    ['2028-02-29T12:00:00Z', 2028, 60, 720],
    ['2028-12-31T00:01:00Z', 2028, 366, 1],
  ] as const) {
    it(`of ${instant} is day ${day}`, () => {
      const uic = toUicInstant(new Date(instant));
      assert.deepEqual(uic, { year, day, minutes });
      assert.equal(fromUicInstant(uic).getTime(), Math.floor(Date.parse(instant) / 60_000) * 60_000);
    });
  }
});
