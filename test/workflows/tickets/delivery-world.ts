/**
 * Deliveries on real databases, an object store and a mail server, with workflows on a real Temporal server or on one that skips
 * time. Orders, payments and receipts are the real ones; customers and the catalogue are given. Activities can fail before or after
 * their effect.
 */
import '../../support/quiet-temporal.ts';
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { z } from 'zod';
import { OrderUseWriter } from '../../../activities/orders/order-use.ts';
import { StoredSoldOrders } from '../../../activities/orders/sold-orders.ts';
import { PaidVersions } from '../../../activities/payments/version-money.ts';
import { RECEIPT_DOCUMENTS } from '../../../activities/receipts/receipt-document.ts';
import { provideReceipts } from '../../../activities/receipts/receipts-parts.ts';
import { CATALOGUE, type CatalogueContent, type CatalogueReader } from '../../../activities/shared/catalogue.ts';
import { CUSTOMERS, type CustomerReader, type ReachableCustomer } from '../../../activities/shared/customers.ts';
import type { MailSlots } from '../../../activities/shared/mail-slots.ts';
import { RECEIPTS } from '../../../activities/shared/receipts.ts';
import { SOLD_ORDERS } from '../../../activities/shared/sold-orders.ts';
import { VERSION_MONEY } from '../../../activities/shared/version-money.ts';
import { makeDelivery } from '../../../activities/tickets/delivery/delivery-parts.ts';
import { DeliverySweep } from '../../../activities/tickets/delivery/delivery-sweep.ts';
import { DeliveryWorkflows } from '../../../activities/tickets/delivery/delivery-workflows.ts';
import { createOrderFollower } from '../../../activities/tickets/delivery/order-follower.ts';
import { TICKET_MAILS } from '../../../activities/tickets/mail-document.ts';
import { PendingReissues } from '../../../activities/tickets/pending-reissues.ts';
import { NoTicketKeyError, type TicketSigner } from '../../../activities/tickets/signing/ticket-signer.ts';
import { TICKET_GROUPS } from '../../../activities/tickets/ticket-group-document.ts';
import { TicketUpdates } from '../../../activities/tickets/ticket-updates.ts';
import { Interfaces } from '../../../platform/interfaces.ts';
import { mailShape } from '../../../platform/mail/mail-config.ts';
import { type MailTimes, openMailer } from '../../../platform/mail/smtp-mailer.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import { createDataConverter, type TemporalClient } from '../../../platform/temporal/temporal.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { SALES_DOCUMENTS_QUEUE } from '../../../workflows/shared/documents-queue.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import type { DocumentActivities, MailActivities } from '../../../workflows/tickets/activities.ts';
import { deliveryWorkflowId, reissueWorkflowId } from '../../../workflows/tickets/messages.ts';
import type { Distribution } from '../../../workflows/tickets/rules/ticket-group.ts';
import { MARKET } from '../../api/orders/small-market.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { MailGate } from '../../support/mail-gate.ts';
import { OURS, sampleLine, sampleTraveller } from '../../support/sample-orders.ts';
import { SINGLE } from '../../support/sample-tickets.ts';
import { useObjectStore } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';
import { type Fault, MoneyWorld } from '../payments/money-world.ts';

type Activities = DocumentActivities & MailActivities;

export const ANNA = '1000000001' as CustomerNumber;
export const BERIT = '1000000009' as CustomerNumber;
const CHANNELS = ['SVC:DistributionChannel:Web', 'SVC:DistributionChannel:PaymentPage'];
/** A server that hangs is given up soon; one that answers has time on a busy machine. */
const TIMES = { connectMs: 4_000, greetMs: 4_000, silentMs: 4_000, mailMs: 15_000 };
const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const DAY_MS = 86_400_000;

export interface WorldOptions {
  readonly skipping?: boolean;
  readonly times?: MailTimes;
  readonly slots?: MailSlots;
  readonly activitiesAtOnce?: number;
}

export class DeliveryWorld {
  readonly money: MoneyWorld;
  readonly gate: MailGate;
  readonly customers = new Map<CustomerNumber, ReachableCustomer>();
  autoDistribute = true;
  ran: string[] = [];
  /** Orders whose documents cannot be made. */
  readonly blocked = new Set<string>();
  /** Pages that have ended without their tickets, and those that were told that all was sent. */
  readonly lacking = new Set<string>();
  told: string[] = [];
  /** Else no ticket can be signed, as without a key. */
  canSign = true;
  readonly objects: ObjectStore;
  readonly parts: ReturnType<typeof makeDelivery>;
  readonly calls: DeliveryWorkflows;
  readonly updates: TicketUpdates;
  readonly #activitiesAtOnce: number;
  readonly #faults = new Map<string, number>();
  #stopWorker: () => Promise<void> = async () => {};

  static async open(name: string, options: WorldOptions = {}): Promise<DeliveryWorld> {
    const [money, gate, access] = await Promise.all([
      MoneyWorld.open(name, options),
      MailGate.open(),
      useObjectStore(),
    ]);
    const world = new DeliveryWorld(money, gate, ObjectStore.connect(access), options);
    const { connection } = money.fixture.here;
    const definitions = [TICKET_GROUPS, TICKET_MAILS, RECEIPT_DOCUMENTS];
    await Promise.all(definitions.map((each) => each.ensureIndexes(connection)));
    await world.startWorker();
    await world.reset();
    return world;
  }

  private constructor(
    money: MoneyWorld,
    gate: MailGate,
    objects: ObjectStore,
    { times = TIMES, slots, activitiesAtOnce = 100 }: WorldOptions,
  ) {
    this.money = money;
    this.gate = gate;
    this.objects = objects;
    this.#activitiesAtOnce = activitiesAtOnce;
    const { connection, keys, access: orders, options } = money.fixture.here;
    const now = () => money.fixture.now;
    const { catalogue, customers } = this.#given();
    const interfaces = this.#interfaces(catalogue, customers);
    const config = z
      .object({ ...mailShape })
      .parse({ MAIL_SERVER: gate.url, MAIL_FROM: 'Samferd <tickets@example.org>' });
    const mailer = openMailer({ ...config, ENVIRONMENT: 'development' }, times);
    const use = () => new OrderUseWriter(money.fixture.here.store);
    this.parts = makeDelivery({
      ...{ connection, environment: 'dev', keys, objects, orders, use, customers, catalogue, mailer, now },
      ...{
        receipts: () => interfaces.get(RECEIPTS),
        pages: () => ({
          lacksDelivery: async ({ pageId }) => this.lacking.has(pageId),
          tellDelivered: async ({ pageId }) => void this.told.push(pageId),
        }),
        signer: signer(() => this.canSign),
        log: options.log,
        ...(slots && { slots }),
      },
    });
    this.updates = new TicketUpdates({ store: this.parts.tickets, catalogue, customers, orders: use });
    const temporal = () => money.server.temporal;
    const read = { orders: () => orders, customers: () => customers, signingKeys: { list: async () => [] } };
    const { mailings, tickets } = this.parts;
    this.calls = new DeliveryWorkflows({ temporal, mailings, tickets, keys, ...read });
  }

  async reset(): Promise<void> {
    await this.money.reset();
    const { connection } = this.money.fixture.here;
    for (const each of [TICKET_GROUPS, TICKET_MAILS, RECEIPT_DOCUMENTS])
      await each.open(connection as never).deleteMany({});
    this.gate.empty();
    this.customers.clear();
    this.customers.set(ANNA, { firstName: 'Anna', surname: 'Ødegård', email: 'anna@example.org', language: 'nob' });
    this.autoDistribute = true;
    this.#faults.clear();
    this.blocked.clear();
    this.canSign = true;
    this.ran = [];
    this.lacking.clear();
    this.told = [];
  }

  breakOn(name: keyof Activities, when: Fault, times = 1): void {
    this.#faults.set(`${name} ${when}`, times);
  }

  /** A draft with one line for each traveller; they belong to the contact where they have no customer. */
  async draft(
    customers: readonly (CustomerNumber | undefined)[] = [undefined],
    contact: CustomerNumber = ANNA,
  ): Promise<Order> {
    const { fixture } = this.money;
    const travellers = customers.map((customerNumber) =>
      sampleTraveller(customerNumber === undefined ? {} : { customerNumber }),
    );
    const { order } = await fixture.create({ travellers, contact });
    const lines = travellers.map((traveller) => {
      const line = sampleLine({ traveller, transferable: true });
      const startOfValidity = new Date(fixture.now.getTime() + DAY_MS);
      const endOfValidity = new Date(startOfValidity.getTime() + DAY_MS / 12);
      return { ...line, travelSpecification: { ...line.travelSpecification, startOfValidity, endOfValidity } };
    });
    return (await fixture.change(order.id, (before, now) => addLines(before, { lines, reservations: [] }, now))).order;
  }

  /** Confirmed and paid elsewhere, so it has no receipt. */
  async sold(...wish: Parameters<DeliveryWorld['draft']>): Promise<Order> {
    const { id } = await this.draft(...wish);
    await this.money.fixture.pay(id);
    return (await this.money.fixture.confirm(id)).order;
  }

  /** As the events worker does, from the first event on. */
  async follow({ id }: Pick<Order, 'id'>): Promise<void> {
    await createOrderFollower(this.parts.mailings)(await this.money.fixture.events(id));
  }

  sweep(temporal: TemporalClient = this.money.server.temporal): DeliverySweep {
    const { fixture } = this.money;
    const { connection, options } = fixture.here;
    const reissues = new PendingReissues(connection);
    return new DeliverySweep({ mailings: this.parts.mailings, reissues, temporal, log: options.log });
  }

  async start(order: Order): Promise<void> {
    await this.follow(order);
    await this.sweep().startPending();
  }

  async ended(order: Pick<Order, 'id' | 'version'>) {
    return (await this.handle(order).result()) as { outcome: string };
  }

  handle({ id: orderId, version: orderVersion }: Pick<Order, 'id' | 'version'>) {
    return this.money.server.temporal.client.workflow.getHandle(deliveryWorkflowId({ orderId, orderVersion }));
  }

  /** The order's first group, by a call that has written the successors down. Answers the workflow's handle. */
  async transferred({ id: orderId }: Pick<Order, 'id'>, toCustomerNumber: CustomerNumber) {
    const [stored] = await this.parts.tickets.listOfOrder(OURS, orderId);
    const groupIds = stored ? [stored.group.id] : [];
    const work = { workId: randomUUID(), correlationId: 'c', clientId: 'partner' };
    await this.updates.transferHolder(OURS, { groupIds, toCustomerNumber }, work);
    const [changed] = await this.parts.tickets.listOfOrder(OURS, orderId);
    const { id: groupId, reissues: number } = changed?.group ?? assert.fail();
    const start = () => this.calls.startReissue({ organisationId: OURS, orderId, groupId, number }, work);
    const handle = this.money.server.temporal.client.workflow.getHandle(reissueWorkflowId({ groupId, number }));
    return { start, handle };
  }

  /** The price of a line and what was paid for it differ, as after a fault of ours. */
  async spoil({ id }: Pick<Order, 'id'>): Promise<void> {
    const { collection } = this.money.fixture.here;
    const raised = { $inc: { 'orderLines.0.price.amountMinor': 1, 'confirmed.orderLines.0.price.amountMinor': 1 } };
    await collection.updateOne({ _id: id }, raised as never);
  }

  /** Its first line ends before it begins, as after a fault of ours. The money adds up. */
  async spoilValidity({ id }: Pick<Order, 'id'>): Promise<void> {
    const { collection } = this.money.fixture.here;
    const at = 'orderLines.0.travelSpecification.endOfValidity';
    const early = { [at]: new Date(0), [`confirmed.${at}`]: new Date(0) };
    await collection.updateOne({ _id: id }, { $set: early } as never);
  }

  /** As if it was paid on this page. Without one its page is closed. */
  async paidOn({ id }: Pick<Order, 'id'>, paymentPageId?: string): Promise<void> {
    const change = paymentPageId === undefined ? { $unset: { paymentPageId: 1 } } : { $set: { paymentPageId } };
    await this.money.fixture.here.collection.updateOne({ _id: id }, change as never);
  }

  async tickets({ id }: Pick<Order, 'id'>): Promise<readonly Distribution[]> {
    const stored = await this.parts.tickets.listOfOrder(OURS, id);
    return stored.flatMap(({ group }) => group.ticketDistributions);
  }

  async statuses(order: Pick<Order, 'id'>): Promise<readonly string[]> {
    return (await this.tickets(order)).map(({ status }) => status);
  }

  async untilStatus(order: Pick<Order, 'id'>, status: string): Promise<void> {
    const are = async () => {
      const all = await this.statuses(order);
      return all.length > 0 && all.every((each) => each === status);
    };
    await until(are, { what: `tickets ${status}` });
  }

  async untilTried(order: Pick<Order, 'id'>, attempts: number): Promise<void> {
    const isTried = async () => {
      const [ticket] = await this.tickets(order);
      return (ticket?.distributionDetails.attempts ?? 0) >= attempts;
    };
    await until(isTried, { what: `${attempts} attempts` });
  }

  /** No activity runs any more: one that outlives its workflow would end the skipping of time. */
  async untilResting(order: Pick<Order, 'id' | 'version'>): Promise<void> {
    const isResting = async () => {
      const { events } = await this.handle(order).fetchHistory();
      return events?.some(({ timerStartedEventAttributes: timer }) => timer) ?? false;
    };
    await until(isResting, { what: 'the pause before the next attempt' });
  }

  async untilCancelled(order: Pick<Order, 'id' | 'version'>): Promise<void> {
    const isCancelled = async () => (await this.handle(order).describe()).status.name === 'CANCELLED';
    await until(isCancelled, { what: 'the cancelled workflow' });
  }

  async close(): Promise<void> {
    await this.stopWorker();
    this.gate.close();
    await this.money.close();
  }

  async startWorker(): Promise<void> {
    const worker = await Worker.create({
      connection: this.money.server.native,
      taskQueue: SALES_DOCUMENTS_QUEUE,
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      workflowBundle: { code: (await useWorkflowBundle()).code },
      maxConcurrentActivityTaskExecutions: this.#activitiesAtOnce,
      activities: this.#disturbed(this.parts.activities),
    });
    const running = worker.run();
    this.#stopWorker = async () => {
      worker.shutdown();
      await running;
    };
  }

  async stopWorker(): Promise<void> {
    await this.#stopWorker();
    this.#stopWorker = async () => {};
  }

  #given(): { catalogue: CatalogueReader; customers: CustomerReader } {
    const content = (): CatalogueContent => ({
      ...MARKET,
      organisations: [{ id: OURS, name: 'Samferd' }],
      fareProducts: [SINGLE],
      distributionChannels: CHANNELS.map((id) => ({
        ...(MARKET.distributionChannels[0] as CatalogueContent['distributionChannels'][number]),
        ...{ id, autoDistribute: this.autoDistribute },
      })),
    });
    const of = (numbers: readonly CustomerNumber[]) =>
      [...this.customers].filter(([number]) => numbers.includes(number));
    const catalogue = {
      current: async () => ({ version: 1, content: content() }),
      lately: async () => ({ version: 1, content: content() }),
      findOrganisation: async (id: unknown) => content().organisations.find((each) => each.id === id),
      findChannel: async (id: string) => content().distributionChannels.find((each) => each.id === id),
    };
    const customers: CustomerReader = {
      listExisting: async (_, numbers) => new Set(of(numbers).map(([number]) => number)),
      listWithEmail: async (_, numbers) =>
        new Set(of(numbers).flatMap(([number, { email }]) => (email === undefined ? [] : [number]))),
      listReachable: async (_, numbers) => new Map(of(numbers)),
      findLanguage: async (_, number) => this.customers.get(number)?.language,
    };
    return { catalogue: catalogue as unknown as CatalogueReader, customers };
  }

  #interfaces(catalogue: CatalogueReader, customers: CustomerReader): Interfaces {
    const { gate } = this;
    const { payments, credits, fixture } = this.money;
    const interfaces = new Interfaces();
    interfaces.provide(CATALOGUE, catalogue);
    interfaces.provide(CUSTOMERS, customers);
    interfaces.provide(SOLD_ORDERS, new StoredSoldOrders(fixture.here.connection));
    interfaces.provide(VERSION_MONEY, new PaidVersions({ payments, credits }));
    const env = { MAIL_SERVER: gate.url, MAIL_FROM: 'Samferd <receipts@example.org>', ENVIRONMENT: 'development' };
    const readConfig = (shape: z.ZodRawShape) => z.object(shape).parse(env);
    provideReceipts({ mongo: fixture.here.connection, readConfig, interfaces } as never, interfaces);
    return interfaces;
  }

  #disturbed(activities: Activities): Activities {
    const names = Object.keys(activities) as (keyof Activities)[];
    const disturbed = names.map((name) => {
      const run = async (input: never) => {
        await this.money.setClock();
        this.ran.push(name);
        const { orderId } = input as { readonly orderId: string };
        if (name === 'issueDocuments' && this.blocked.has(orderId)) throw new Error('its documents cannot be made');
        this.#throwNext(`${name} before`);
        const answer = await activities[name](input);
        this.#throwNext(`${name} after`);
        return answer;
      };
      return [name, run] as const;
    });
    return Object.fromEntries(disturbed) as unknown as Activities;
  }

  #throwNext(point: string): void {
    const left = this.#faults.get(point) ?? 0;
    if (left === 0) return;
    this.#faults.set(point, left - 1);
    throw new Error(`died: ${point}`);
  }
}

function signer(canSign: () => boolean): TicketSigner {
  const key = {
    keyId: 7,
    validTo: new Date('2100-01-01T00:00:00Z'),
    sign: async (bytes: Uint8Array) => sign('sha256', bytes, KEY.privateKey),
  };
  const current = () => {
    if (canSign()) return key;
    throw new NoTicketKeyError();
  };
  return { issuerCode: 9_901, current, published: [] };
}
