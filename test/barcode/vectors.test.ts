/** Tickets whose exact encoding another implementation has made. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePer, encodePer } from '../../barcode/per/per-type.ts';
import { assembleBarcode, encodeLevel1, readBarcode, verifyBarcode } from '../../barcode/signed-barcode.ts';
import { type RailTicket, railTicket } from '../../barcode/uic/rail-ticket.ts';
import { sharedDirectory } from '../support/folders.ts';

interface Vector {
  readonly name: string;
  readonly ticket: Record<string, unknown> & {
    readonly transportDocument: readonly { readonly ticket: [string, unknown] }[];
  };
  readonly fcb3_uper_hex: string;
  readonly level1_uper_hex: string;
  readonly signed_barcode_hex: string;
}

interface VectorFile {
  readonly publicKeySpkiDerHex: string;
  readonly vectors: readonly Vector[];
}

const shared = sharedDirectory();

describe('ticket vectors', () => {
  if (!shared) {
    it.skip('need the shared folder');
    return;
  }
  const { publicKeySpkiDerHex, vectors }: VectorFile = JSON.parse(
    readFileSync(join(shared, 'barcode/vectors.json'), 'utf8'),
  );
  const key = createPublicKey({ key: Buffer.from(publicKeySpkiDerHex, 'hex'), format: 'der', type: 'spki' });

  for (const vector of vectors) {
    const signed = Buffer.from(vector.signed_barcode_hex, 'hex');

    it(`${vector.name} has the same bytes and the same content`, () => {
      const ticket = ticketOf(vector);
      const encoded = encodePer(railTicket, ticket);
      assert.equal(encoded.toString('hex'), vector.fcb3_uper_hex);
      const decoded = decodePer(railTicket, encoded);
      assert.equal(encodePer(railTicket, decoded).toString('hex'), vector.fcb3_uper_hex);
      assert.partialDeepStrictEqual(decoded, ticket);
    });

    it(`${vector.name} is signed and read again`, () => {
      const { securityProvider, keyId, validUntil, signature } = readBarcode(signed);
      const level1 = encodeLevel1({ securityProvider, keyId, validUntil, ticket: ticketOf(vector) });
      assert.equal(level1.toString('hex'), vector.level1_uper_hex);
      assert.ok(verify('sha256', level1, key, signature));
      assert.equal(assembleBarcode(level1, signature).toString('hex'), vector.signed_barcode_hex);
      assert.equal(
        verifyBarcode(signed, () => key, new Date('2026-11-21T12:00:00Z')),
        'VALID',
      );
      assert.equal(validUntil.toISOString(), '2026-11-22T00:00:00.000Z');
    });
  }
});

/** Vectors write a choice as a pair of its name and its value. */
function ticketOf({ ticket }: Vector): RailTicket {
  const transportDocument = ticket.transportDocument.map(({ ticket: [kind, content] }) => ({
    ticket: { [kind]: content },
  }));
  return { ...ticket, transportDocument } as unknown as RailTicket;
}
