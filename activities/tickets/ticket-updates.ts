/**
 * Reissues that callers ask for: another start of validity, another holder. The old ticket is replaced by the same write; the
 * workflow `reissue` signs the successor and sends it. All groups are checked before the first is written, and a repeat of the same
 * request goes on where it stopped. A group that another call changes between the check and the write is refused then, while those
 * before it are changed: a ticket that is replaced and revoked cannot be taken back. Callers: the handlers of the API.
 */
import type { CustomerNumber, TicketGroupId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { moveValidity, transferHolder } from '../../workflows/tickets/rules/reissuing.ts';
import type { CatalogueReader } from '../shared/catalogue.ts';
import type { CustomerReader } from '../shared/customers.ts';
import { type MovedStartOrders, reportMovedStart } from './report-moved-start.ts';
import type { TicketStore } from './ticket-store.ts';
import type { Decide, StoredGroup, Tenancy, TicketWork } from './ticket-types.ts';

export interface WantedValidity {
  readonly groupId: TicketGroupId;
  readonly startOfValidity: Date;
}

export interface WantedTransfer {
  readonly groupIds: readonly TicketGroupId[];
  readonly toCustomerNumber: CustomerNumber;
}

export interface TicketUpdatesOptions {
  readonly store: Pick<TicketStore, 'get' | 'isDone' | 'change' | 'now'>;
  readonly catalogue: Pick<CatalogueReader, 'current'>;
  readonly customers: Pick<CustomerReader, 'listExisting'>;
  readonly orders: () => MovedStartOrders;
}

type UpdateWork = TicketWork & { readonly workId: string; readonly clientId: string };

export class TicketUpdates {
  readonly #options: TicketUpdatesOptions;

  constructor(options: TicketUpdatesOptions) {
    this.#options = options;
  }

  /** Throws NOT_FOUND, TICKET_ALREADY_USED, INVALID_STATE, VALIDITY_OUT_OF_RANGE. Nothing is written then, unless another call has changed a group meanwhile. */
  async updateValidities(tenancy: Tenancy, updates: readonly WantedValidity[], work: UpdateWork) {
    const { content } = await this.#options.catalogue.current();
    const fares = content.fareProducts.filter((product) => product.kind === 'PREASSIGNED');
    const products = new Map(fares.map((product) => [product.id, product]));
    const { timeZone } = content;
    const starts = new Map(updates.map(({ groupId, startOfValidity }) => [groupId, startOfValidity]));
    const changed = await this.#changeAll(tenancy, [...starts.keys()], work, ({ group }, now, newId) => {
      const startOfValidity = starts.get(group.id) as Date;
      return moveValidity(group, { startOfValidity, products, timeZone, newId }, now);
    });
    for (const { group } of changed) await reportMovedStart(this.#options.orders(), group, work);
    return changed;
  }

  /** Throws NOT_FOUND, UNKNOWN_CUSTOMER, NOT_TRANSFERABLE, TICKET_ALREADY_USED, INVALID_STATE. Nothing is written then, as above. */
  async transferHolder(tenancy: Tenancy, { groupIds, toCustomerNumber }: WantedTransfer, work: UpdateWork) {
    const owners: StoredGroup[] = [];
    for (const id of groupIds) {
      await namingGroup(id, [], async () => {
        owners.push(await this.#options.store.get(tenancy, id));
      });
    }
    for (const organisationId of new Set(owners.map(({ group }) => group.organisationId))) {
      const existing = await this.#options.customers.listExisting(organisationId, [toCustomerNumber]);
      if (!existing.has(toCustomerNumber)) throw unknownCustomer(toCustomerNumber);
    }
    return await this.#changeAll(tenancy, [...new Set(groupIds)], work, ({ group }, now, newId) =>
      transferHolder(group, { toCustomerNumber, newId }, now),
    );
  }

  async #changeAll(
    tenancy: Tenancy,
    groupIds: readonly TicketGroupId[],
    work: UpdateWork,
    decide: Decide,
  ): Promise<readonly StoredGroup[]> {
    const { store } = this.#options;
    for (const groupId of groupIds) {
      await namingGroup(groupId, [], async () => {
        const stored = await store.get(tenancy, groupId);
        // What this request has written before would be refused now.
        if (!(await store.isDone(tenancy, groupId, work))) decide(stored, store.now, () => 0 as never);
      });
    }
    const changed: StoredGroup[] = [];
    for (const groupId of groupIds) {
      await namingGroup(groupId, changed, async () => {
        changed.push(await store.change(tenancy, groupId, work, decide));
      });
    }
    return changed;
  }
}

/** A request changes many groups: its refusal says which one, and which are changed already. */
async function namingGroup(
  groupId: TicketGroupId,
  changed: readonly StoredGroup[],
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const ids = changed.map(({ group }) => group.id).join(', ');
    const already = ids === '' ? '' : ` Changed already: ${ids}.`;
    const { headers, errors } = error;
    const options = { cause: error, headers, ...(errors && { errors }) };
    throw new ServiceError(error.code, `Ticket distribution group ${groupId}: ${error.message}${already}`, options);
  }
}

function unknownCustomer(customerNumber: CustomerNumber): ServiceError {
  const detail = `There is no customer ${customerNumber}.`;
  return new ServiceError('UNKNOWN_CUSTOMER', detail, {
    errors: [{ pointer: '/toCustomerId', code: 'UNKNOWN_CUSTOMER', detail }],
  });
}
