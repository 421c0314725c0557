/** Barcodes that somebody has crafted: an inspector's device gets a verdict on each, and never an error. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomInt, sign } from 'node:crypto';
import { type InspectionContent, inspectTicket } from '../../barcode/inspection-file.ts';
import { PerError } from '../../barcode/per/per-error.ts';
import { assembleBarcode, encodeLevel1, readBarcode, verifyBarcode } from '../../barcode/signed-barcode.ts';
import { type RailTicket, railTicket } from '../../barcode/uic/rail-ticket.ts';
import { seededRandom } from '../support/zip-samples.ts';
import { randomValue } from './random-values.ts';

const given = process.env.TICKET_SEED;
const SEED = given === undefined ? randomInt(2 ** 31) : Number(given);
const TICKETS = 4;
/** Octets. */
const LONGEST = 250;
const MUTATIONS = 1_500;
const NOW = new Date('2026-11-28T12:00:00Z');
const VALID_UNTIL = new Date('2026-12-31T23:59:00Z');
const VERDICTS = ['VALID', 'UNREADABLE', 'UNKNOWN_KEY', 'WRONG_SIGNATURE', 'EXPIRED', 'REVOKED'];
/** An extension bit, and the number of what it adds: in six bits, in no octet, in one, in three, in very many. */
const EXTENSIONS = ['10111111', '1100000000', '110000000111111111', '1100000011', '1110000001'];

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const FILE: InspectionContent = {
  version: 1,
  number: 1,
  createdAt: NOW.toISOString(),
  validUntil: VALID_UNTIL.toISOString(),
  keys: [
    {
      issuerCode: 9_901,
      keyId: 7,
      publicKeyDer: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      validFrom: new Date(0).toISOString(),
      validTo: VALID_UNTIL.toISOString(),
    },
  ],
  revokedTickets: [1],
};

function issue(ticket: RailTicket): Buffer {
  const level1 = encodeLevel1({ securityProvider: 9_901, keyId: 7, validUntil: VALID_UNTIL, ticket });
  return assembleBarcode(level1, sign('sha256', level1, privateKey));
}

/** Overwrites some bits. */
function withBits(octets: Buffer, from: number, bits: string): Buffer {
  const written = Buffer.from(octets);
  for (const [at, bit] of [...bits].entries()) {
    const mask = 128 >> ((from + at) % 8);
    const before = written[(from + at) >> 3];
    if (before === undefined) break;
    written[(from + at) >> 3] = bit === '1' ? before | mask : before & ~mask;
  }
  return written;
}

function check(octets: Buffer): void {
  const findKey = () => publicKey;
  try {
    const verdict = verifyBarcode(octets, findKey, NOW);
    assert.ok(VERDICTS.includes(verdict));
    if (verdict === 'VALID') assert.ok(VERDICTS.includes(inspectTicket(octets, FILE, NOW)));
    else readBarcode(octets);
  } catch (error) {
    if (!(error instanceof PerError)) throw new Error(octets.toString('hex'), { cause: error });
  }
}

describe('a crafted barcode', () => {
  const random = seededRandom(SEED);
  const barcodes: Buffer[] = [];
  while (barcodes.length < TICKETS) {
    const barcode = issue(randomValue(railTicket, random) as RailTicket);
    if (barcode.length < LONGEST) barcodes.push(barcode);
  }
  const longest = barcodes.toSorted((a, b) => b.length - a.length)[0] as Buffer;

  it(`gets a verdict with an extension at each of its bits (TICKET_SEED=${SEED})`, () => {
    for (let bit = 0; bit < longest.length * 8; bit += 1) {
      for (const extension of EXTENSIONS) check(withBits(longest, bit, extension));
    }
  });

  it(`gets a verdict whatever is changed, cut off or put in (TICKET_SEED=${SEED})`, () => {
    for (let number = 0; number < MUTATIONS; number += 1) {
      let octets = barcodes[random(barcodes.length)] as Buffer;
      for (let changes = random(4); changes >= 0; changes -= 1) {
        const at = random(octets.length * 8);
        const bits = Array.from({ length: 1 + random(24) }, () => random(2)).join('');
        const kind = random(4);
        if (kind < 2) octets = withBits(octets, at, kind === 0 ? (EXTENSIONS[random(EXTENSIONS.length)] ?? '') : bits);
        else if (kind === 2) octets = octets.subarray(0, 1 + (at >> 3));
        else
          octets = Buffer.concat([
            octets.subarray(0, at >> 3),
            Buffer.alloc(random(300), random(256)),
            octets.subarray(at >> 3),
          ]);
      }
      check(octets);
    }
  });

  it('is unreadable when it is longer than any symbol, however it is nested', () => {
    for (const octet of [0x00, 0x55, 0xaa, 0xff]) {
      const octets = Buffer.concat([longest.subarray(0, 30), Buffer.alloc(1_000_000, octet)]);
      assert.equal(
        verifyBarcode(octets, () => publicKey, NOW),
        'UNREADABLE',
      );
    }
    const padded = Buffer.concat([longest, Buffer.alloc(2_000)]);
    assert.throws(() => readBarcode(padded), /a symbol holds no more than 1914 octets, and these are/);
  });
});
