/** The variables of processes that seal or open the secrets of webhooks. Callers: the manifest, the API's composition. */
import { z } from 'zod';
import { keyRing } from '../../../platform/config.ts';

export const webhookKeysShape = {
  /** Seal the secrets of webhooks: `keyId:base64 of 32 bytes`, comma-separated; the first writes, all read. */
  WEBHOOK_KEYS: keyRing('WEBHOOK_KEYS'),
};

export const webhookJobShape = {
  ...webhookKeysShape,
  /** Replaces `Service` in the header with the signature. */
  HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be the start of a header name')
    .default('Service'),
};
