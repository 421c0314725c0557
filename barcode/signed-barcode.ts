/**
 * The content of a ticket's barcode: a rail ticket in a header with the issuer's signature. Who issues encodes level 1, has
 * it signed and assembles both; inspectors read and verify.
 *
 * Header version 2 (`U2`), content `FCB3`, ECDSA on P-256 with SHA-256. There is no level 2: the ticket is the same on
 * paper and on a screen.
 */
import { type KeyObject, verify } from 'node:crypto';
import { PerError } from './per/per-error.ts';
import { decodePer, encodePer } from './per/per-type.ts';
import { barcodeHeader, type Level1Data, level1DataType } from './uic/barcode-header.ts';
import { fromUicInstant, toUicInstant } from './uic/day-of-year.ts';
import { type RailTicket, railTicket } from './uic/rail-ticket.ts';

/** Of the largest Aztec symbol. */
const LONGEST = 1_914;
const FORMAT = 'U2';
const TICKET_FORMAT = 'FCB3';
const P256 = '1.2.840.10045.3.1.7';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

export interface BarcodeContent {
  /** RICS code of the company whose key signs. */
  readonly securityProvider: number;
  readonly keyId: number;
  /** The barcode is invalid after this minute. */
  readonly validUntil: Date;
  readonly ticket: RailTicket;
}

export interface ReadBarcode extends BarcodeContent {
  /** What is signed. */
  readonly level1: Buffer;
  /** In DER. */
  readonly signature: Uint8Array;
}

export type Verdict = 'VALID' | 'UNREADABLE' | 'UNKNOWN_KEY' | 'WRONG_SIGNATURE' | 'EXPIRED';

/** The bytes to sign. Throws a `PerError` for a ticket with a value that the module does not allow. */
export function encodeLevel1({ securityProvider, keyId, validUntil, ticket }: BarcodeContent): Buffer {
  const { year, day, minutes } = toUicInstant(validUntil);
  return encodePer(level1DataType, {
    securityProviderNum: securityProvider,
    keyId,
    dataSequence: [{ dataFormat: TICKET_FORMAT, data: encodePer(railTicket, ticket) }],
    level1KeyAlg: P256,
    level1SigningAlg: ECDSA_WITH_SHA256,
    endOfValidityYear: year,
    endOfValidityDay: day,
    endOfValidityTime: minutes,
  });
}

/** `signature` is over `level1`, in DER. */
export function assembleBarcode(level1: Uint8Array, signature: Uint8Array): Buffer {
  const level2SignedData = { level1Data: decodePer(level1DataType, level1), level1Signature: signature };
  return encodePer(barcodeHeader, { format: FORMAT, level2SignedData });
}

/** Throws a `PerError` for bytes that are no barcode of this kind. The signature is not verified. */
export function readBarcode(octets: Uint8Array): ReadBarcode {
  // Values that hold each other would else nest without end.
  if (octets.length > LONGEST) {
    throw new PerError(`a symbol holds no more than ${LONGEST} octets, and these are ${octets.length}`);
  }
  const { format, level2SignedData, level2Signature } = decodePer(barcodeHeader, octets);
  const { level1Data, level1Signature, level2Data } = level2SignedData;
  if (format !== FORMAT) throw new PerError(`the header is ${format}, not ${FORMAT}`);
  if (level2Data || level2Signature) throw new PerError('barcodes with a level 2 are not supported');
  if (!level1Signature) throw new PerError('the barcode is not signed');
  const { keyId, securityProviderNum, dataSequence } = level1Data;
  const content = dataSequence.find(({ dataFormat }) => dataFormat === TICKET_FORMAT);
  if (keyId === undefined || securityProviderNum === undefined || !content) {
    throw new PerError(`the header names no key, or has no ${TICKET_FORMAT}`);
  }
  return {
    securityProvider: securityProviderNum,
    keyId,
    validUntil: endOfValidity(level1Data),
    ticket: decodePer(railTicket, content.data),
    // The encoding is canonical: the same value has the same bytes.
    level1: encodePer(level1DataType, level1Data),
    signature: level1Signature,
  };
}

function endOfValidity({ endOfValidityYear, endOfValidityDay, endOfValidityTime }: Level1Data): Date {
  if (endOfValidityYear === undefined || endOfValidityDay === undefined || endOfValidityTime === undefined) {
    throw new PerError('the header has no end of validity');
  }
  return fromUicInstant({ year: endOfValidityYear, day: endOfValidityDay, minutes: endOfValidityTime });
}

/** `findKey` gives the public key of an issuer by its number. Without a network: keys are fetched before. */
export function verifyBarcode(
  octets: Uint8Array,
  findKey: (securityProvider: number, keyId: number) => KeyObject | undefined,
  now: Date,
): Verdict {
  const barcode = tryToRead(octets);
  if (!barcode) return 'UNREADABLE';
  const key = findKey(barcode.securityProvider, barcode.keyId);
  if (!key) return 'UNKNOWN_KEY';
  if (!verify('sha256', barcode.level1, key, barcode.signature)) return 'WRONG_SIGNATURE';
  return now.getTime() < barcode.validUntil.getTime() + 60_000 ? 'VALID' : 'EXPIRED';
}

function tryToRead(octets: Uint8Array): ReadBarcode | undefined {
  try {
    return readBarcode(octets);
  } catch (error) {
    if (error instanceof PerError) return undefined;
    throw error;
  }
}
