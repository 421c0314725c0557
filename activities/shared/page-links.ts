/**
 * The links of payment pages: the variables that they are made of, and what payments ask for to send customers back there.
 * Provided by the area of the pages. Callers: manifests, compositions, the worker that calls payment providers.
 */
import { z } from 'zod';
import { keyRing } from '../../platform/config.ts';
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrderId, PaymentPageId } from '../../workflows/shared/ids.ts';

export const paymentPageShape = {
  /** Make the tokens in links: `keyId:base64 of 32 bytes`, comma-separated; the first makes new ones, all check. */
  PAYMENT_PAGE_KEYS: keyRing('PAYMENT_PAGE_KEYS'),
  /** Where customers reach the pages. A link is this address, the order's number and the token. */
  PAYMENT_PAGE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
};

export interface LinkedPlace {
  readonly orderId: OrderId;
  readonly pageId: PaymentPageId;
  /** Of the key that makes the link. */
  readonly keyId: string;
}

export interface PageLinks {
  /**
   * Where a provider's terminal sends the customer. A secret, the same in each call: computed for the provider, and stored
   * nowhere. `language`: ISO 639-3. Throws where the key is gone.
   */
  returnUrlOf(place: LinkedPlace, language: string): string;
}

export const PAGE_LINKS = interfaceKey<PageLinks>('page-links');
