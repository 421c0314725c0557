/** The file that inspectors verify tickets with, from its content to a device's verdict. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { compactVerify } from 'jose';
import { fromJoseSignature, toJoseSignature } from '../../barcode/ecdsa-signature.ts';
import {
  assembleInspectionFile,
  encodeInspectionFile,
  type InspectionContent,
  inspectTicket,
  keysOf,
  readInspectionFile,
} from '../../barcode/inspection-file.ts';
import { assembleBarcode, encodeLevel1 } from '../../barcode/signed-barcode.ts';

const ISSUER = 9901;
const KEY_ID = 7;
const TICKET = 4_503_599_627_370_495;
const REVOKED = 1_234_567_890_123;
const NOW = new Date('2026-11-24T12:00:00Z');
const LATER = new Date('2026-11-25T12:00:00Z');

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const trusted = (issuer: number, keyId: number) => (issuer === ISSUER && keyId === KEY_ID ? publicKey : undefined);

const CONTENT: InspectionContent = {
  version: 1,
  number: 3,
  createdAt: '2026-11-24T11:00:00.000Z',
  validUntil: '2026-11-25T11:00:00.000Z',
  keys: [
    {
      issuerCode: ISSUER,
      keyId: KEY_ID,
      publicKeyDer: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      validFrom: '2026-01-01T00:00:00.000Z',
      validTo: '2028-01-01T00:00:00.000Z',
    },
  ],
  revokedTickets: [REVOKED],
};

function makeFile(content: InspectionContent = CONTENT): string {
  const encoded = encodeInspectionFile(content, ISSUER, KEY_ID);
  return assembleInspectionFile(encoded, sign('sha256', encoded, privateKey));
}

function makeBarcode(ticket: number): Buffer {
  const level1 = encodeLevel1({
    securityProvider: ISSUER,
    keyId: KEY_ID,
    validUntil: new Date('2026-12-01T00:00:00Z'),
    ticket: {
      issuingDetail: {
        issuingYear: 2026,
        issuingDay: 328,
        issuingTime: 600,
        specimen: true,
        securePaperTicket: false,
        activated: true,
      },
      transportDocument: [{ ticket: { openTicket: { referenceIA5: String(ticket), returnIncluded: false } } }],
    },
  });
  return assembleBarcode(level1, sign('sha256', level1, privateKey));
}

describe('The inspection file', () => {
  it('is read with a trusted key, and lists keys and revoked tickets', () => {
    assert.deepEqual(readInspectionFile(makeFile(), trusted, NOW), { verdict: 'VALID', content: CONTENT });
  });

  it('is a JWS that other libraries verify', async () => {
    const { payload, protectedHeader } = await compactVerify(makeFile(), publicKey, { algorithms: ['ES256'] });
    assert.deepEqual(JSON.parse(Buffer.from(payload).toString()), CONTENT);
    assert.deepEqual(protectedHeader, { alg: 'ES256', typ: 'ticket-inspection+jws', kid: `${ISSUER}/${KEY_ID}` });
  });

  it('is not valid with any bit flipped', () => {
    const file = Buffer.from(makeFile(), 'latin1');
    for (let bit = 0; bit < file.length * 8; bit += 1) {
      const flipped = Buffer.from(file);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const { verdict, content } = readInspectionFile(flipped.toString('latin1'), trusted, NOW);
      assert.notEqual(verdict, 'VALID', `bit ${bit}`);
      assert.equal(content, undefined, `bit ${bit}`);
    }
  });

  it('says that it has expired, and still shows what it says', () => {
    assert.deepEqual(readInspectionFile(makeFile(), trusted, LATER), { verdict: 'EXPIRED', content: CONTENT });
  });

  it('is not believed without its key', () => {
    assert.deepEqual(
      readInspectionFile(makeFile(), () => undefined, NOW),
      { verdict: 'UNKNOWN_KEY' },
    );
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    assert.equal(readInspectionFile(makeFile(), () => other.publicKey, NOW).verdict, 'WRONG_SIGNATURE');
  });

  it('is none where its parts or its header are others', () => {
    const [header = '', ...rest] = makeFile().split('.');
    const fields = JSON.parse(Buffer.from(header, 'base64url').toString()) as object;
    const changed = [{ alg: 'none' }, { alg: 'HS256' }, { typ: 'JWT' }, { kid: '9901' }, { kid: '9901/7/1' }];
    const headers = changed.map((each) => Buffer.from(JSON.stringify({ ...fields, ...each })).toString('base64url'));
    for (const text of ['', '.', '..', 'a.b.c', `${makeFile()}.`, makeFile().slice(0, -1), `${makeFile()}=`]) {
      assert.notEqual(readInspectionFile(text, trusted, NOW).verdict, 'VALID', text);
    }
    for (const each of headers) {
      assert.equal(readInspectionFile([each, ...rest].join('.'), trusted, NOW).verdict, 'UNREADABLE');
    }
  });

  it('of the next day is trusted by the keys of this one', () => {
    const { content = assert.fail() } = readInspectionFile(makeFile(), trusted, NOW);
    const next = makeFile({ ...CONTENT, number: 4, validUntil: '2026-11-26T11:00:00.000Z' });
    assert.equal(readInspectionFile(next, keysOf(content), LATER).verdict, 'VALID');
  });

  it('tells valid tickets from revoked ones, and from those of keys that have ended', () => {
    assert.equal(inspectTicket(makeBarcode(TICKET), CONTENT, NOW), 'VALID');
    assert.equal(inspectTicket(makeBarcode(REVOKED), CONTENT, NOW), 'REVOKED');
    assert.equal(inspectTicket(Buffer.from('no ticket'), CONTENT, NOW), 'UNREADABLE');
    assert.equal(inspectTicket(makeBarcode(TICKET), CONTENT, new Date('2026-12-01T00:01:00Z')), 'EXPIRED');
    const ended = CONTENT.keys.map((key) => ({ ...key, validTo: NOW.toISOString() }));
    assert.equal(inspectTicket(makeBarcode(TICKET), { ...CONTENT, keys: ended }, NOW), 'UNKNOWN_KEY');
  });
});

describe('The two forms of a signature', () => {
  const bytes = Buffer.from('what is signed');

  it('say the same', () => {
    // Every 128th number or so begins with a zero byte.
    for (let count = 0; count < 1_000; count += 1) {
      const der = sign('sha256', bytes, privateKey);
      const jose = toJoseSignature(der);
      assert.equal(jose.length, 64);
      assert.ok(verify('sha256', bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, jose));
      assert.deepEqual(fromJoseSignature(jose), der);
    }
  });

  it('are refused where they are none', () => {
    const der = sign('sha256', bytes, privateKey);
    for (const wrong of [Buffer.alloc(0), der.subarray(1), der.subarray(0, -1), Buffer.concat([der, Buffer.of(0)])]) {
      assert.throws(() => toJoseSignature(wrong), RangeError);
    }
    assert.equal(fromJoseSignature(Buffer.alloc(63)), undefined);
  });
});
