/** Why documents are not made, where trying again does not help. Caller: documents.ts. */
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { DocumentRefusal } from '../../../workflows/tickets/activities.ts';
import { UnverifiedOrder } from '../unverified-order.ts';

/** Undefined: trying again may cure it. `faults` are for operators. */
export function refusalOf(error: unknown): (DocumentRefusal & { readonly faults: readonly string[] }) | undefined {
  if (error instanceof UnverifiedOrder) {
    const faults = error.faults.map(({ place, fault }) => `${fault} (${place})`);
    return { code: 'INVALID_STATE', detail: 'The order does not add up, so its tickets are not made.', faults };
  }
  if (!(error instanceof ServiceError) || error.status >= 500) return undefined;
  return { code: error.code, detail: error.message, faults: [error.code] };
}
