/**
 * Conditional and range requests for a representation with a strong ETag (RFC 9110 §13 and §14). Pure.
 *
 * A request for several ranges gets the whole archive, which every client must accept.
 */
import type { ByteRange } from '../../../platform/object-store/object-store.ts';
import { matchesEtag } from '../../shared/etags.ts';

export interface Representation {
  /** Strong, quotes included. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly sizeBytes: number;
}

export type Headers = Readonly<Record<string, string | undefined>>;

export type Selection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'not-modified' }
  | { readonly kind: 'precondition-failed' }
  | { readonly kind: 'unsatisfiable' };

/** In the order that RFC 9110 §13.2.2 sets. */
export function select(headers: Headers, representation: Representation): Selection {
  const { etag, lastModified } = representation;
  const ifMatch = headers['if-match'];
  const ifUnmodifiedSince = toSeconds(headers['if-unmodified-since']);
  if (ifMatch !== undefined) {
    if (!matchesEtag(ifMatch, etag, 'strong')) return { kind: 'precondition-failed' };
  } else if (ifUnmodifiedSince !== undefined && seconds(lastModified) > ifUnmodifiedSince) {
    return { kind: 'precondition-failed' };
  }
  const ifNoneMatch = headers['if-none-match'];
  const ifModifiedSince = toSeconds(headers['if-modified-since']);
  if (ifNoneMatch !== undefined) {
    if (matchesEtag(ifNoneMatch, etag, 'weak')) return { kind: 'not-modified' };
  } else if (ifModifiedSince !== undefined && seconds(lastModified) <= ifModifiedSince) {
    return { kind: 'not-modified' };
  }
  const { range } = headers;
  if (range === undefined || !mayServeRange(headers['if-range'], representation)) return { kind: 'whole' };
  return selectRange(range, representation.sizeBytes);
}

function mayServeRange(ifRange: string | undefined, { etag, lastModified }: Representation): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange.trim() === etag;
  return toSeconds(ifRange) === seconds(lastModified);
}

/** A range in an unknown unit or of the wrong form is ignored, as the RFC allows. */
function selectRange(header: string, sizeBytes: number): Selection {
  const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header);
  if (!match) return { kind: 'whole' };
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') return suffix(Number(last), sizeBytes);
  const offset = Number(first);
  if (last !== '' && Number(last) < offset) return { kind: 'whole' };
  if (offset >= sizeBytes) return { kind: 'unsatisfiable' };
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return { kind: 'part', range: { offset, lengthBytes: end - offset + 1 } };
}

function suffix(wantedBytes: number, sizeBytes: number): Selection {
  const lengthBytes = Math.min(wantedBytes, sizeBytes);
  if (lengthBytes === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { offset: sizeBytes - lengthBytes, lengthBytes } };
}

/** HTTP dates count whole seconds. Undefined for a malformed date, which must be ignored. */
function toSeconds(text: string | undefined): number | undefined {
  const instant = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(instant) ? undefined : Math.floor(instant / 1_000);
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
