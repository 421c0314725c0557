/** Why documents are not made, where trying again does not help. Caller: documents.ts. */
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { DocumentRefusal } from '../../../workflows/tickets/activities.ts';
import { fitsNoBarcode } from '../barcode-content.ts';
import type { Issued } from '../ticket-issuer.ts';
import { UnverifiedOrder } from '../unverified-order.ts';

/** Undefined: trying again may cure it. `faults` are for operators. */
export function refusalOf(error: unknown): (DocumentRefusal & { readonly faults: readonly string[] }) | undefined {
  if (error instanceof UnverifiedOrder) {
    const faults = error.faults.map(({ place, fault }) => `${fault} (${place})`);
    return { code: 'INVALID_STATE', detail: 'The order does not add up, so its tickets are not made.', faults };
  }
  if (fitsNoBarcode(error)) {
    const detail = 'A ticket of the order has a value that no barcode holds.';
    return { code: 'INVALID_STATE', detail, faults: [error.message] };
  }
  if (!(error instanceof ServiceError) || error.status >= 500) return undefined;
  return { code: error.code, detail: error.message, faults: [error.code] };
}

/**
 * Why a call does not get the tickets that it has asked for. Trying again helps later. A call that names no lines gets those of the
 * others while a refund runs.
 */
export function refusalOfLines(
  { groups, underRefund, unmade }: Pick<Issued, 'groups' | 'underRefund' | 'unmade'>,
  { isDrawn, areNamed }: { readonly isDrawn: boolean; readonly areNamed: boolean },
): DocumentRefusal | undefined {
  if (underRefund.length > 0 && (areNamed || groups.length === 0)) {
    return { code: 'ORDER_LOCKED', detail: `A refund may pay these lines back: ${underRefund.join(', ')}.` };
  }
  if (unmade.length === 0 && isDrawn) return undefined;
  return { code: 'UNAVAILABLE', detail: 'A ticket cannot be signed or drawn at the moment; try again.' };
}
