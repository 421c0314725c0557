/** Why documents are not made, where trying again does not help. Caller: documents.ts. */
import { PerError } from '../../../barcode/per/per-error.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { DocumentRefusal } from '../../../workflows/tickets/activities.ts';
import { TicketTooLargeError } from '../barcode-content.ts';
import { UnverifiedOrder } from '../unverified-order.ts';

/** Undefined: trying again may cure it. `faults` are for operators. */
export function refusalOf(error: unknown): (DocumentRefusal & { readonly faults: readonly string[] }) | undefined {
  if (error instanceof UnverifiedOrder) {
    const faults = error.faults.map(({ place, fault }) => `${fault} (${place})`);
    return { code: 'INVALID_STATE', detail: 'The order does not add up, so its tickets are not made.', faults };
  }
  if (error instanceof TicketTooLargeError || error instanceof PerError) {
    const detail = 'A ticket of the order has a value that no barcode holds.';
    return { code: 'INVALID_STATE', detail, faults: [error.message] };
  }
  if (!(error instanceof ServiceError) || error.status >= 500) return undefined;
  return { code: error.code, detail: error.message, faults: [error.code] };
}
