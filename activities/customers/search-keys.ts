/**
 * Keyed hashes that find customers without readable data: HMAC-SHA-256 of organisation, field and value. Callers: the
 * stores of this folder; the limiter of log-ins, for names that it counts but must not store. Without the key a stolen
 * database cannot be tested against, and hashes of two organisations never match.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { OrganisationId } from '../../workflows/shared/ids.ts';

export type SearchField =
  | 'email'
  | 'phone'
  | 'customerRef'
  | 'exactCustomerRef'
  | 'dateOfBirth'
  | 'surname'
  | 'firstName'
  | 'name'
  | 'postCode'
  | 'cardSerial'
  | 'username'
  | 'endUserAddress';

/** 128 bits: collisions by chance do not occur, and the index stays small. */
const KEPT_BYTES = 16;

export class SearchKeys {
  readonly #key: KeyObject;

  /** `key`: the 32 bytes of `CUSTOMER_SEARCH_KEY`. */
  constructor(key: Uint8Array) {
    // Node takes a key object five times as fast as bytes.
    this.#key = createSecretKey(key);
  }

  /**
   * The same hash for texts that differ in case, outer white space or Unicode composition. A value may have several
   * texts.
   */
  hash(organisationId: OrganisationId, field: SearchField, ...texts: readonly string[]): string {
    return this.#hash(organisationId, field, texts.map(normalise));
  }

  /** Identifies a profile: references that differ in case are two. */
  referenceHash(organisationId: OrganisationId, customerRef: string): string {
    return this.#hash(organisationId, 'exactCustomerRef', [customerRef]);
  }

  /** The form in `searchKeys` of a profile. */
  term(organisationId: OrganisationId, field: SearchField, ...texts: readonly string[]): string {
    return `${field}:${this.hash(organisationId, field, ...texts)}`;
  }

  #hash(organisationId: OrganisationId, field: SearchField, texts: readonly string[]): string {
    const value = JSON.stringify([organisationId, field, ...texts]);
    const hash = createHmac('sha256', this.#key).update(value).digest();
    return hash.subarray(0, KEPT_BYTES).toString('base64url');
  }
}

/** A criterion of a profile or a search: field, and the texts of its value. Undefined members give none. */
export type SearchTerm = readonly [SearchField, ...string[]];

export interface SearchableTexts extends Partial<Record<(typeof PLAIN_FIELDS)[number], string | undefined>> {
  readonly phone?: { readonly countryCode: string; readonly number: string } | undefined;
}

const PLAIN_FIELDS = ['email', 'customerRef', 'dateOfBirth', 'postCode', 'surname', 'firstName'] as const;

/** Ordered by selectivity. Both names together are one more term, since each alone is common. */
export function searchTerms({ phone, ...texts }: SearchableTexts): SearchTerm[] {
  const { firstName, surname } = texts;
  const [email, ...others] = PLAIN_FIELDS.map((field): SearchTerm[] => {
    const text = texts[field];
    return text === undefined ? [] : [[field, text]];
  });
  return [
    ...(email ?? []),
    ...(phone ? [['phone', phone.countryCode.replace(/^\+/, ''), phone.number] as const] : []),
    ...(firstName !== undefined && surname !== undefined ? [['name', firstName, surname] as const] : []),
    ...others.flat(),
  ];
}

function normalise(text: string): string {
  return text.normalize('NFC').trim().toLowerCase().normalize('NFC');
}
