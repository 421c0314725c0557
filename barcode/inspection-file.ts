/**
 * What inspectors verify tickets with when they have no network: the keys of the issuer, and the tickets that are no longer
 * valid, in one signed file. It is a compact JWS (RFC 7515, ES256) that says until when it can be trusted. The issuer encodes it,
 * has it signed and assembles both; devices read it.
 *
 * A device trusts the keys of the file before, and the first time those that it has fetched from the issuer. A key is in the
 * file a day before it signs, so that the next file verifies too.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { fromJoseSignature, toJoseSignature } from './ecdsa-signature.ts';
import { readBarcode, type Verdict, verifyBarcode } from './signed-barcode.ts';

export interface InspectionKey {
  readonly issuerCode: number;
  readonly keyId: number;
  /** SubjectPublicKeyInfo, in base64. */
  readonly publicKeyDer: string;
  /** RFC 3339, as all times of the file. */
  readonly validFrom: string;
  readonly validTo: string;
}

export interface InspectionContent {
  readonly version: 1;
  /** Rises with each file: a device takes no lower one. */
  readonly number: number;
  readonly createdAt: string;
  readonly validUntil: string;
  readonly keys: readonly InspectionKey[];
  /** Numbers of tickets, rising. A ticket whose validity has ended is left out. */
  readonly revokedTickets: readonly number[];
}

export type FileVerdict = 'VALID' | 'UNREADABLE' | 'UNKNOWN_KEY' | 'WRONG_SIGNATURE' | 'EXPIRED';

/** `content` is there where the signature is right: an expired file can still be shown. */
export interface ReadInspectionFile {
  readonly verdict: FileVerdict;
  readonly content?: InspectionContent;
}

export type FindKey = (issuerCode: number, keyId: number) => KeyObject | undefined;

const TYPE = 'ticket-inspection+jws';
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** The bytes to sign. */
export function encodeInspectionFile(content: InspectionContent, issuerCode: number, keyId: number): Buffer {
  const header = { alg: 'ES256', typ: TYPE, kid: `${issuerCode}/${keyId}` };
  return Buffer.from(`${encodePart(header)}.${encodePart(content)}`, 'ascii');
}

/** `signature` is over `encoded`, in DER. */
export function assembleInspectionFile(encoded: Uint8Array, signature: Uint8Array): string {
  return `${Buffer.from(encoded).toString('ascii')}.${toJoseSignature(signature).toString('base64url')}`;
}

/** `findTrusted` gives a key that the device trusts already. Never throws. */
export function readInspectionFile(text: string, findTrusted: FindKey, now: Date): ReadInspectionFile {
  const parts = text.split('.');
  const [header = '', content = '', signature = ''] = parts;
  const kid = readKeyId(header);
  // Only the one encoding of each part is read, so that no changed character goes unnoticed.
  if (parts.length !== 3 || !kid || !parts.every(isCanonical)) return { verdict: 'UNREADABLE' };
  const key = findTrusted(kid.issuerCode, kid.keyId);
  if (!key) return { verdict: 'UNKNOWN_KEY' };
  const der = fromJoseSignature(Buffer.from(signature, 'base64url'));
  if (!der || !verify('sha256', Buffer.from(`${header}.${content}`, 'ascii'), key, der)) {
    return { verdict: 'WRONG_SIGNATURE' };
  }
  const read = decodePart(content) as InspectionContent;
  if (read.version !== 1) return { verdict: 'UNREADABLE' };
  return { verdict: now.getTime() < Date.parse(read.validUntil) ? 'VALID' : 'EXPIRED', content: read };
}

/** The keys of a file that was read, for its tickets and for the next file. */
export function keysOf({ keys }: Pick<InspectionContent, 'keys'>): FindKey {
  const found = new Map(keys.map((key) => [`${key.issuerCode}/${key.keyId}`, openKey(key)]));
  return (issuerCode, keyId) => found.get(`${issuerCode}/${keyId}`);
}

/** The verdict on a ticket by a file whose own verdict is VALID. */
export function inspectTicket(octets: Uint8Array, file: InspectionContent, now: Date): Verdict | 'REVOKED' {
  const inForce = file.keys.filter(({ validFrom, validTo }) => isBetween(now, validFrom, validTo));
  const verdict = verifyBarcode(octets, keysOf({ ...file, keys: inForce }), now);
  if (verdict !== 'VALID') return verdict;
  const revoked = new Set(file.revokedTickets);
  return ticketNumbersOf(octets).some((number) => revoked.has(number)) ? 'REVOKED' : 'VALID';
}

function ticketNumbersOf(octets: Uint8Array): readonly number[] {
  const documents = readBarcode(octets).ticket.transportDocument ?? [];
  return documents.flatMap(({ ticket }) => {
    const document =
      'openTicket' in ticket ? ticket.openTicket : 'reservation' in ticket ? ticket.reservation : undefined;
    const reference = document?.referenceIA5;
    return reference && /^\d{1,16}$/.test(reference) ? [Number(reference)] : [];
  });
}

function readKeyId(header: string): { readonly issuerCode: number; readonly keyId: number } | undefined {
  const { alg, typ, kid } = (decodePart(header) ?? {}) as Readonly<Record<string, unknown>>;
  const [, issuerCode, keyId] = /^(\d{1,5})\/(\d{1,5})$/.exec(String(kid)) ?? [];
  return alg === 'ES256' && typ === TYPE && issuerCode && keyId
    ? { issuerCode: Number(issuerCode), keyId: Number(keyId) }
    : undefined;
}

function isCanonical(part: string): boolean {
  return BASE64URL.test(part) && Buffer.from(part, 'base64url').toString('base64url') === part;
}

function encodePart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function openKey({ publicKeyDer }: InspectionKey): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKeyDer, 'base64'), format: 'der', type: 'spki' });
}

function isBetween(now: Date, from: string, to: string): boolean {
  return Date.parse(from) <= now.getTime() && now.getTime() < Date.parse(to);
}
