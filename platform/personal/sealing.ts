/**
 * Seals personal data with the data key of one subject. The seal is bound to that subject, its organisation and the
 * data's place, so that it opens nowhere else. Serves members of documents (JSON), stored answers and objects (bytes).
 * Callers: the stores of areas. Holds a data key in memory, so it lives no longer than a request.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '../keys/aes-gcm.ts';
import type { OwnedSubject } from './subject-id.ts';

const FINGERPRINT_KEY_BYTES = 32;

export class Sealing {
  readonly #key: Uint8Array;
  readonly #owner: string;

  constructor(dataKey: Uint8Array, { organisationId, subject }: OwnedSubject) {
    this.#key = dataKey;
    this.#owner = `${organisationId}/${subject}`;
  }

  /** Seals JSON. `purpose` names the data and its place, as `profile` or `preferences/seat`. */
  seal(purpose: string, value: unknown): Buffer {
    return this.sealBytes(purpose, Buffer.from(JSON.stringify(value)));
  }

  /** Throws where it was not sealed for this subject, organisation and purpose. */
  open<T>(purpose: string, sealed: Uint8Array): T {
    return JSON.parse(this.openBytes(purpose, sealed).toString()) as T;
  }

  /**
   * Seals bytes in memory; the result is 28 bytes longer. The `purpose` of an object is its key in the object store.
   */
  sealBytes(purpose: string, plain: Uint8Array): Buffer {
    return sealBytes(this.#key, plain, this.#place(purpose));
  }

  /** Throws where they were not sealed for this subject, organisation and purpose. */
  openBytes(purpose: string, sealed: Uint8Array): Buffer {
    return openBytes(this.#key, sealed, this.#place(purpose));
  }

  /**
   * Tells whether two values of one purpose are the same, where the first is not kept. It reveals nothing once the key is destroyed.
   */
  fingerprint(purpose: string, plain: string): string {
    const key = hkdfSync('sha256', this.#key, '', 'fingerprint', FINGERPRINT_KEY_BYTES);
    return createHmac('sha256', Buffer.from(key))
      .update(`${this.#place(purpose)}/${plain}`)
      .digest('base64url');
  }

  #place(purpose: string): string {
    return `${this.#owner}/${purpose}`;
  }
}
