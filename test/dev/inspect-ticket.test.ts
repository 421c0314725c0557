/** The example of an inspector's device, on tickets and a file that are signed here. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembleInspectionFile, encodeInspectionFile } from '../../barcode/inspection-file.ts';
import { assembleBarcode, encodeLevel1 } from '../../barcode/signed-barcode.ts';
import { toUicInstant } from '../../barcode/uic/day-of-year.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { temporaryDirectory } from '../support/folders.ts';

const [ISSUER, KEY_ID] = [9901, 1];
const DAY_MS = 86_400_000;
const toMinute = (instant: Date) => new Date(Math.floor(instant.getTime() / 60_000) * 60_000);
const inDays = (days: number) => toMinute(new Date(Date.now() + days * DAY_MS));

describe('The example of an inspector', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  let file: string;

  before(() => {
    file = join(temporaryDirectory('inspector'), 'inspection.jws');
    const publicKeyDer = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const [validFrom, validTo] = [inDays(-9).toISOString(), inDays(9).toISOString()];
    const keys = [{ issuerCode: ISSUER, keyId: KEY_ID, publicKeyDer, validFrom, validTo }];
    const numbers = { version: 1 as const, number: 1, revokedTickets: [13] };
    const content = { ...numbers, createdAt: validFrom, validUntil: validTo, keys };
    const encoded = encodeInspectionFile(content, ISSUER, KEY_ID);
    writeFileSync(file, assembleInspectionFile(encoded, sign('sha256', encoded, privateKey)));
    writeFileSync(`${file}.trusted.json`, JSON.stringify(keys));
  });

  function inspect(number: number, fromDays: number, untilDays: number, signer = privateKey) {
    const [issued, from] = [toUicInstant(inDays(-3)), toUicInstant(inDays(fromDays))];
    const level1 = encodeLevel1({
      ...{ securityProvider: ISSUER, keyId: KEY_ID, validUntil: inDays(untilDays) },
      ticket: {
        issuingDetail: {
          ...{ issuingYear: issued.year, issuingDay: issued.day, issuingTime: issued.minutes, issuerPNR: 'K7QW2MXP' },
          ...{ specimen: false, securePaperTicket: false, activated: true },
        },
        transportDocument: [
          {
            ticket: {
              openTicket: {
                ...{ referenceIA5: String(number), returnIncluded: false, validRegionDesc: 'Nordhamn' },
                ...{ validFromDay: fromDays + 3, validFromTime: from.minutes },
              },
            },
          },
        ],
      },
    });
    const barcode = assembleBarcode(level1, sign('sha256', level1, signer)).toString('base64');
    const { status, stdout } = spawnSync(process.execPath, [
      ...[join(projectRoot, 'dev/inspect-ticket.ts'), file, barcode],
    ]);
    const [verdict, ...lines] = String(stdout).trim().split('\n');
    return { status, verdict, lines };
  }

  it('tells a valid ticket, and ends well for it alone', () => {
    const { status, verdict, lines } = inspect(12, -1, 1);
    assert.deepEqual([status, verdict, lines.length], [0, 'VALID', 3]);
    assert.deepEqual(lines.slice(0, 2), ['Ticket 12 of order K7QW2MXP', 'Nordhamn']);
    assert.match(
      lines[2] ?? '',
      /^Valid from 20\d\d-\d\d-\d\d \d\d:\d\d \(Europe\/Oslo\) until 20\d\d-\S+ \S+ \(Europe\/Oslo\)$/,
    );
  });

  it('tells a ticket that starts later, has ended, or was revoked', () => {
    const found = [inspect(12, 1, 2), inspect(12, -2, -1), inspect(13, -1, 1), inspect(13, 1, 2)];
    assert.deepEqual(
      found.map(({ status, verdict, lines }) => [status, verdict, lines.length]),
      ['NOT_YET_VALID', 'EXPIRED', 'REVOKED', 'REVOKED'].map((verdict) => [1, verdict, 3]),
    );
  });

  it('tells nothing of a ticket that another key signed', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
    assert.deepEqual(inspect(12, -1, 1, other), { status: 1, verdict: 'WRONG_SIGNATURE', lines: [] });
  });
});
