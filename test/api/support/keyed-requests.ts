/** The idempotency of a test server, with a random key for fingerprints and answers. */
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { IdempotencyParts } from '../../../api/shared/idempotency.ts';
import { AnswerMac } from '../../../platform/idempotency/answer-mac.ts';
import { IdempotencyStore } from '../../../platform/idempotency/idempotency-store.ts';
import { RequestFingerprints } from '../../../platform/idempotency/request-fingerprints.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';

/** `now`: of the store, in milliseconds since 1970. */
export function keyedRequests(connection: Connection, now?: () => number): IdempotencyParts {
  const keys = fingerprintKeys('test');
  return {
    store: new IdempotencyStore(connection, now),
    fingerprints: new RequestFingerprints(keys),
    answerMac: new AnswerMac(keys),
  };
}

/** New keys with these ids, the writing one first. */
export function fingerprintKeys(...keyIds: readonly string[]) {
  const entries = keyIds.map((keyId) => `${keyId}:${randomBytes(32).toString('base64')}`);
  return parseKeyRing(entries.join(','), 'IDEMPOTENCY_KEYS');
}
