/** Seals and opens the free texts of an order with its own key. Caller: the store. */

import type { Sealing } from '../../platform/personal/sealing.ts';
import type { NewDataKey, SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { Fee, Order, SealedText } from '../../workflows/orders/rules/order.ts';
import type { OrderDocument } from './order-document.ts';
import { keyOf, ownerOf } from './order-subject.ts';
import type { OrderTexts, SealText, TextPlace } from './order-types.ts';

export const NO_TEXTS: OrderTexts = { feeReasons: new Map() };

/** The key to seal with: an order gets one with its first text, and another after an erasure. */
export async function openToSeal(keys: SubjectKeys | undefined, document: OrderDocument): Promise<NewDataKey> {
  if (!keys) throw new Error('This process has no keys to seal texts with');
  const { keyId } = document;
  const sealing = keyId === undefined ? undefined : await keys.find(keyOf({ ...document, keyId }));
  if (keyId !== undefined && sealing) return { keyId, sealing };
  return await keys.findOrCreate(ownerOf(document));
}

export function sealWith({ sealing }: Pick<NewDataKey, 'sealing'>): SealText {
  return (place, text) => sealing.seal(place, text);
}

/** One read of a key, for an order that has texts. */
export async function readTexts(keys: SubjectKeys | undefined, document: OrderDocument): Promise<OrderTexts> {
  const { keyId } = document;
  if (keyId === undefined || !keys) return NO_TEXTS;
  return openTexts(document, await keys.find(keyOf({ ...document, keyId })));
}

/** A text that was sealed with a key that is gone is left out. */
export function openTexts(
  order: Pick<Order, 'fees' | 'causeDescription' | 'cancelReason'>,
  sealing: Sealing | undefined,
): OrderTexts {
  if (!sealing) return NO_TEXTS;
  const open = (place: TextPlace, sealed: SealedText | undefined): string | undefined => {
    if (!sealed) return undefined;
    try {
      return sealing.open<string>(place, sealed);
    } catch {
      // Sealed before an erasure, with the key that was destroyed then.
      return undefined;
    }
  };
  const causeDescription = open('cause', order.causeDescription);
  const cancelReason = open('cancel-reason', order.cancelReason);
  return {
    ...(causeDescription !== undefined && { causeDescription }),
    ...(cancelReason !== undefined && { cancelReason }),
    feeReasons: new Map(order.fees.flatMap((fee) => reasonOf(fee, open))),
  };
}

function reasonOf(
  { id, reason }: Fee,
  open: (place: TextPlace, sealed: SealedText | undefined) => string | undefined,
): readonly (readonly [string, string])[] {
  const text = open(`fee/${id}`, reason);
  return text === undefined ? [] : [[id, text]];
}
