/** The stores of tickets beside those of orders, on real databases, in two processes, with a clock that tests set. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { OrderUseWriter } from '../../../activities/orders/order-use.ts';
import type { ReachableCustomer } from '../../../activities/shared/customers.ts';
import type { OrderAccess } from '../../../activities/shared/orders.ts';
import { RevokedTickets } from '../../../activities/tickets/inspection/revoked-tickets.ts';
import { MailingStore } from '../../../activities/tickets/mailing-store.ts';
import { SealedBarcodes } from '../../../activities/tickets/sealed-barcodes.ts';
import type { TicketKeyFacts, TicketSigner } from '../../../activities/tickets/signing/ticket-signer.ts';
import { TicketAccessor } from '../../../activities/tickets/ticket-access.ts';
import { TICKET_GROUPS, type TicketGroupCollection } from '../../../activities/tickets/ticket-group-document.ts';
import { TicketIssuer } from '../../../activities/tickets/ticket-issuer.ts';
import { TicketRevocations } from '../../../activities/tickets/ticket-revocations.ts';
import { TicketSearch } from '../../../activities/tickets/ticket-search.ts';
import { TicketSigning } from '../../../activities/tickets/ticket-signing.ts';
import { TicketStore } from '../../../activities/tickets/ticket-store.ts';
import type { StoredGroup } from '../../../activities/tickets/ticket-types.ts';
import { TicketUpdates, type TicketUpdatesOptions } from '../../../activities/tickets/ticket-updates.ts';
import { TICKET_VALIDATIONS } from '../../../activities/tickets/ticket-validation-document.ts';
import { TicketValidations } from '../../../activities/tickets/ticket-validations.ts';
import type { OutboxEvent } from '../../../platform/events/outbox.ts';
import { addLines, type NewLine } from '../../../workflows/orders/rules/lines.ts';
import type { Order, OrderTraveller, Reservation } from '../../../workflows/orders/rules/order.ts';
import type { CustomerNumber, OrderId, TicketGroupId } from '../../../workflows/shared/ids.ts';
import { later, NOW, OURS, sampleLine, sampleTraveller } from '../../support/sample-orders.ts';
import { SINGLE } from '../../support/sample-tickets.ts';
import { OrderFixture, type Orders, request } from '../orders/order-fixture.ts';

export const ANNA = '1000000001' as CustomerNumber;
export const BERIT = '1000000009' as CustomerNumber;
const ISSUER = 9_901;

export interface Tickets {
  readonly store: TicketStore;
  readonly issuer: TicketIssuer;
  /** Which reads orders in another way. */
  readonly issuerReading: (orders: Pick<OrderAccess, 'get'>) => TicketIssuer;
  readonly updates: TicketUpdates;
  /** With a store that does more. */
  readonly updatesOn: (store: TicketUpdatesOptions['store']) => TicketUpdates;
  readonly validations: TicketValidations;
  readonly access: TicketAccessor;
  readonly search: TicketSearch;
  readonly revocations: TicketRevocations;
  readonly revoked: RevokedTickets;
  readonly barcodes: SealedBarcodes;
  readonly collection: TicketGroupCollection;
}

export interface SaleWish {
  readonly line?: Partial<NewLine>;
  readonly travellers?: readonly OrderTraveller[];
  readonly reservations?: readonly Reservation[];
  readonly contact?: CustomerNumber;
  /** Minutes from now to the start of validity. */
  readonly startsIn?: number;
}

export class TicketFixture {
  here!: Tickets;
  there!: Tickets;
  readonly orders: OrderFixture;
  readonly keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly customers = new Map<CustomerNumber, ReachableCustomer>();
  /** That sign tickets, the current one last. */
  signingKeys: readonly TicketKeyFacts[] = [];
  /** Called before each signature. */
  beforeSigning: () => Promise<void> = async () => undefined;

  constructor(name: string) {
    this.orders = new OrderFixture(name);
  }

  async open(): Promise<void> {
    await this.orders.open();
    const { here, there } = this.orders;
    [this.here, this.there] = [this.#connect(here), this.#connect(there)];
    await TICKET_GROUPS.ensureIndexes(here.connection);
    await TICKET_VALIDATIONS.ensureIndexes(here.connection);
  }

  async clear(): Promise<void> {
    await this.orders.clear();
    this.customers.clear();
    this.customers.set(ANNA, { firstName: 'Anna', surname: 'Ødegård', language: 'nno' });
    this.signingKeys = [this.#signingKey(7)];
    this.beforeSigning = async () => undefined;
    await TICKET_GROUPS.open(this.orders.here.connection).deleteMany({});
    await TICKET_VALIDATIONS.open(this.orders.here.connection).deleteMany({});
  }

  async close(): Promise<void> {
    await this.orders.close();
  }

  get now(): Date {
    return this.orders.now;
  }

  /** A confirmed and paid order with one line for each traveller. */
  async sell({
    travellers = [sampleTraveller({ customerNumber: ANNA })],
    startsIn = 60,
    ...wish
  }: SaleWish = {}): Promise<Order> {
    const { contact = ANNA, reservations = [] } = wish;
    const { order } = await this.orders.create({ travellers, contact });
    const lines = travellers.map((traveller): NewLine => {
      const line = sampleLine({ traveller, transferable: true, ...wish.line });
      const validity = { startOfValidity: later(startsIn, NOW), endOfValidity: later(startsIn + 120, NOW) };
      return { ...line, travelSpecification: { ...line.travelSpecification, ...validity } };
    });
    await this.orders.change(order.id, (before, now) => addLines(before, { lines, reservations }, now));
    return await this.confirm(order.id);
  }

  async confirm(orderId: OrderId): Promise<Order> {
    await this.orders.pay(orderId);
    return (await this.orders.confirm(orderId)).order;
  }

  async issue(order: Pick<Order, 'id'>, from: Tickets = this.here): Promise<readonly StoredGroup[]> {
    const place = { organisationId: OURS, orderId: order.id };
    return (await from.issuer.issue(place, {}, work())).groups;
  }

  async outbox(groupId: TicketGroupId): Promise<readonly OutboxEvent[]> {
    return (await this.here.collection.findOne({ _id: String(groupId) }))?.outbox ?? [];
  }

  #connect({ connection, keys, store: orders, access: orderAccess }: Orders): Tickets {
    const now = () => this.now;
    const store = new TicketStore({ connection, environment: 'dev', now });
    const content = { fareProducts: [SINGLE], timeZone: 'Europe/Oslo' };
    const catalogue = {
      current: async () => ({ version: 1, content }) as never,
      findOrganisation: async () => ({ id: OURS, name: 'Samferd' }),
      findChannel: async () => undefined,
    };
    const customers = {
      listReachable: async () => this.customers,
      listExisting: async (_organisation: unknown, numbers: readonly CustomerNumber[]) =>
        new Set(numbers.filter((number) => this.customers.has(number))),
    };
    const signing = new TicketSigning({ keys, customers, catalogue, signer: this.#signer(), isProduction: false, now });
    const use = new OrderUseWriter(orders);
    const updatesOn = (its: TicketUpdatesOptions['store']) =>
      new TicketUpdates({ store: its, catalogue, customers, orders: () => use });
    return {
      store,
      issuer: new TicketIssuer({ store, orders: orderAccess, catalogue, signing }),
      issuerReading: (read: Pick<OrderAccess, 'get'>) => new TicketIssuer({ store, orders: read, catalogue, signing }),
      updates: updatesOn(store),
      updatesOn,
      validations: new TicketValidations({ connection, store, orders: () => use, now }),
      access: new TicketAccessor(store, new MailingStore({ connection, now })),
      search: new TicketSearch(connection),
      revocations: new TicketRevocations(connection),
      revoked: new RevokedTickets(connection),
      barcodes: new SealedBarcodes(keys),
      collection: TICKET_GROUPS.open(connection),
    };
  }

  /** As an operator does: the key ends, and the next one signs. */
  withdrawKey(keyId: number): void {
    const ended = this.signingKeys.map((key) => (key.keyId === keyId ? { ...key, validTo: this.now } : key));
    this.signingKeys = [...ended, this.#signingKey(keyId + 1)];
  }

  #signingKey(keyId: number): TicketKeyFacts {
    const publicKeyDer = this.keyPair.publicKey.export({ format: 'der', type: 'spki' });
    return { issuerCode: ISSUER, keyId, publicKeyDer, validFrom: NOW, validTo: later(60 * 24 * 365) };
  }

  #signer(): TicketSigner {
    const fixture = this;
    return {
      issuerCode: ISSUER,
      current: () => {
        const { keyId, validTo } = fixture.signingKeys.at(-1) as TicketKeyFacts;
        return {
          keyId,
          validTo,
          sign: async (bytes) => {
            await fixture.beforeSigning();
            return sign('sha256', bytes, fixture.keyPair.privateKey);
          },
        };
      },
      get published() {
        return fixture.signingKeys;
      },
    };
  }
}

/** Each call is another work. */
export function work() {
  return request();
}
