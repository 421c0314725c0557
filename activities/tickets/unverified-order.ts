/** An order whose tickets must not be signed: repeating does not help. The log and the operator get the faults. */
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { SaleFault } from '../../workflows/tickets/rules/verification.ts';

export class UnverifiedOrder extends Error {
  readonly orderId: OrderId;
  readonly faults: readonly SaleFault[];

  constructor(orderId: OrderId, faults: readonly SaleFault[]) {
    const named = faults.map(({ place, fault }) => `${fault} (${place})`).join(', ');
    super(`The tickets of order ${orderId} are not signed: ${named}`);
    this.name = 'UnverifiedOrder';
    this.orderId = orderId;
    this.faults = faults;
  }
}
