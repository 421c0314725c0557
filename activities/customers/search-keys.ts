/**
 * Keyed hashes by which customers are found without their data being readable: HMAC-SHA-256 of organisation, field and value.
 * Callers: the stores of this folder; the limiter of logins, for names it must count but not keep. Without the key a stolen
 * database cannot be tested against, and hashes of two organisations never match.
 */
import { createHmac } from 'node:crypto';
import type { OrganisationId } from '../../workflows/shared/ids.ts';

export type SearchField =
  | 'email'
  | 'phone'
  | 'customerRef'
  | 'dateOfBirth'
  | 'surname'
  | 'firstName'
  | 'postCode'
  | 'cardSerial'
  | 'username';

/** 128 bits: no two values meet by chance, and the index stays small. */
const KEPT_BYTES = 16;

export class SearchKeys {
  readonly #key: Uint8Array;

  /** `key`: the 32 bytes of `CUSTOMER_SEARCH_KEY`. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** The same for values that differ in case, in outer blanks, or in how Unicode composes them. */
  hash(organisationId: OrganisationId, field: SearchField, value: string): string {
    const normal = value.normalize('NFC').trim().toLowerCase().normalize('NFC');
    const hash = createHmac('sha256', this.#key)
      .update(JSON.stringify([organisationId, field, normal]))
      .digest();
    return hash.subarray(0, KEPT_BYTES).toString('base64url');
  }

  /** As kept in `searchKeys` of a profile. */
  term(organisationId: OrganisationId, field: SearchField, value: string): string {
    return `${field}:${this.hash(organisationId, field, value)}`;
  }
}

/** A number as it is compared: with or without plus it is the same. */
export function phoneText({ countryCode, number }: { readonly countryCode: string; readonly number: string }): string {
  return `${countryCode.replace(/^\+/, '')} ${number}`;
}
