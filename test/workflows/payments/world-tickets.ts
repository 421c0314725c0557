/** Tickets of the orders of a {@link MoneyWorld}, in the same database: issued without a signature, validated, withdrawn. */
import { OrderUseWriter } from '../../../activities/orders/order-use.ts';
import type { TicketAccess } from '../../../activities/shared/tickets.ts';
import { GroupWriter } from '../../../activities/tickets/group-writer.ts';
import { MailingStore } from '../../../activities/tickets/mailing-store.ts';
import { soldOf } from '../../../activities/tickets/sold-now.ts';
import { TicketAccessor } from '../../../activities/tickets/ticket-access.ts';
import { TICKET_GROUPS } from '../../../activities/tickets/ticket-group-document.ts';
import { TicketStore } from '../../../activities/tickets/ticket-store.ts';
import { TICKET_VALIDATIONS } from '../../../activities/tickets/ticket-validation-document.ts';
import { TicketValidations } from '../../../activities/tickets/ticket-validations.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { OrderId, OrderLineId } from '../../../workflows/shared/ids.ts';
import type { OrderFixture } from '../../activities/orders/order-fixture.ts';
import { OURS } from '../../support/sample-orders.ts';
import { workOf } from './money-world.ts';

type Effect = 'disable' | 'restore';

export class WorldTickets implements Pick<TicketAccess, 'disable' | 'restore'> {
  /** Called before and after the tickets of a line are written. */
  meddle: (when: 'before' | 'after', effect: Effect) => Promise<void> = async () => undefined;
  readonly #store: TicketStore;
  readonly #access: TicketAccessor;
  readonly #validations: TicketValidations;
  readonly #fixture: OrderFixture;

  constructor(fixture: OrderFixture) {
    const { connection, store: orders } = fixture.here;
    const now = () => fixture.now;
    this.#fixture = fixture;
    this.#store = new TicketStore({ connection, environment: 'dev', now });
    this.#access = new TicketAccessor(this.#store, new MailingStore({ connection }));
    const use = new OrderUseWriter(orders);
    this.#validations = new TicketValidations({ connection, store: this.#store, orders: () => use, now });
  }

  async open(): Promise<void> {
    const { connection } = this.#fixture.here;
    await TICKET_GROUPS.ensureIndexes(connection);
    await TICKET_VALIDATIONS.ensureIndexes(connection);
  }

  async reset(): Promise<void> {
    const { connection } = this.#fixture.here;
    await TICKET_GROUPS.open(connection).deleteMany({});
    await TICKET_VALIDATIONS.open(connection).deleteMany({});
    this.meddle = async () => undefined;
  }

  /** Of every line that is sold. */
  async issue(order: Order): Promise<void> {
    const unsigned = async () => {
      throw new Error('Nothing is signed');
    };
    const writer = new GroupWriter(this.#store, { sign: unsigned } as never);
    const wanted = { sold: soldOf(order, []), keys: [] };
    for (const line of wanted.sold.version.orderLines) await writer.create(line, wanted, workOf());
  }

  async statuses(orderId: OrderId): Promise<readonly string[]> {
    const found = await this.#store.listOfOrder(OURS, orderId);
    return found.flatMap(({ group }) => group.ticketDistributions.map(({ status }) => status)).sort();
  }

  /** An inspector has seen each ticket of the order, or of one line; told now, perhaps of earlier. */
  async validate(orderId: OrderId, validatedAt = this.#fixture.now, orderLineId?: OrderLineId): Promise<void> {
    for (const { group } of await this.#store.listOfOrder(OURS, orderId)) {
      if (orderLineId !== undefined && group.orderLineId !== orderLineId) continue;
      for (const { id } of group.ticketDistributions) {
        await this.#validations.record(id, { validatedAt, inspectorOrganisationId: OURS }, workOf());
      }
    }
  }

  async disable(...request: Parameters<TicketAccess['disable']>) {
    return await this.#meddled('disable', async () => await this.#access.disable(...request));
  }

  async restore(...request: Parameters<TicketAccess['restore']>): Promise<void> {
    await this.#meddled('restore', async () => await this.#access.restore(...request));
  }

  async #meddled<Answer>(effect: Effect, write: () => Promise<Answer>): Promise<Answer> {
    await this.meddle('before', effect);
    const answer = await write();
    await this.meddle('after', effect);
    return answer;
  }
}
