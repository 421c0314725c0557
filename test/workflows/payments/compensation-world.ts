/** Refunds of money that no order can use, beside the world of payments: their store, their activities and what pages are told. */
import type { Connection } from 'mongoose';
import { OrderRefundWriter } from '../../../activities/orders/order-refunds.ts';
import type { OrderStore } from '../../../activities/orders/order-store.ts';
import { RefundedMoney, type RefundMoneyOptions } from '../../../activities/payments/refund-money.ts';
import { RefundedCompensations } from '../../../activities/refunds/compensations.ts';
import { createRefundActivities } from '../../../activities/refunds/refund-activities.ts';
import { REFUNDS_COLLECTION } from '../../../activities/refunds/refund-document.ts';
import { type StartedRefund, startRefund, wakeRefund } from '../../../activities/refunds/refund-start.ts';
import { RefundStore } from '../../../activities/refunds/refund-store.ts';
import type { OrderPayments } from '../../../activities/shared/order-payments.ts';
import type { ToldPage } from '../../../activities/shared/page-news.ts';
import type { Logger } from '../../../platform/log.ts';
import type { TemporalClient } from '../../../platform/temporal/temporal.ts';
import type { RefundActivities } from '../../../workflows/refunds/activities.ts';
import { refundWorkflowId } from '../../../workflows/refunds/messages.ts';
import type { Refund, Resolution } from '../../../workflows/refunds/rules/refund.ts';
import { resolveRefund } from '../../../workflows/refunds/rules/refund-life.ts';
import type { SettledCapture } from '../../../workflows/shared/payment-page-signals.ts';
import { until } from '../../support/until.ts';

export interface CompensationWorldOptions extends RefundMoneyOptions {
  readonly connection: Connection;
  readonly orderStore: OrderStore;
  readonly temporal: TemporalClient;
  readonly log: Logger;
  readonly now: () => Date;
  readonly ofOrders: () => OrderPayments;
}

export class CompensationWorld {
  readonly refunds: RefundStore;
  readonly compensations: RefundedCompensations;
  /** In the order in which they were told. */
  readonly told: (ToldPage & Pick<SettledCapture, 'outcome'>)[] = [];
  readonly #options: CompensationWorldOptions;

  constructor(options: CompensationWorldOptions) {
    this.#options = options;
    const { connection, temporal, log, now } = options;
    this.refunds = new RefundStore({ connection, environment: 'dev', now });
    const start = async (refund: StartedRefund) => await startRefund(temporal, refund);
    this.compensations = new RefundedCompensations({ refunds: this.refunds, start, log });
  }

  get activities(): RefundActivities {
    const { orderStore, connection, ofOrders } = this.#options;
    const money = new RefundedMoney(this.#options);
    const noTickets = async () => {
      throw new Error('A compensation asks nothing of tickets');
    };
    return createRefundActivities({
      refunds: this.refunds,
      orders: () => new OrderRefundWriter(orderStore, connection),
      tickets: () => ({ disable: noTickets, restore: noTickets, release: async () => {}, listUse: noTickets }),
      money: () => money,
      payments: ofOrders,
      pages: () => ({
        tellSettled: async (page, { outcome }) => {
          this.told.push({ ...page, outcome });
        },
      }),
    });
  }

  async open(): Promise<void> {
    await REFUNDS_COLLECTION.ensureIndexes(this.#options.connection);
  }

  async reset(): Promise<void> {
    await REFUNDS_COLLECTION.open(this.#options.connection).deleteMany({});
    this.told.length = 0;
  }

  /** The only one of the order, once it stands so. */
  async untilStatus({ organisationId, orderId }: Pick<Refund, 'organisationId' | 'orderId'>, status: Refund['status']) {
    const found = async () => (await this.refunds.listOfOrder(organisationId, orderId, { page: 1, perPage: 10 })).items;
    await until(async () => (await found()).some((refund) => refund.status === status), {
      what: `the refund ${status}`,
    });
    const [refund, ...others] = await found();
    if (!refund || others.length > 0) throw new Error(`The order has ${others.length + 1} refunds`);
    return refund;
  }

  /** As the operation of the API does. */
  async decide({ organisationId, id }: Refund, resolution: Resolution): Promise<void> {
    const work = { correlationId: 'c', clientId: 'support' };
    const decision = { resolution, reason: 'BANK_TRANSFER' };
    const stored = await this.refunds.change(organisationId, id, work, (before, now) =>
      resolveRefund(before, decision, now),
    );
    await wakeRefund(this.#options.temporal, { ...stored.refund, correlationId: stored.correlationId });
  }

  /** And waits for the end of the refund. */
  async resolve(refund: Refund, resolution: Resolution): Promise<void> {
    await this.decide(refund, resolution);
    const workflowId = refundWorkflowId({ orderId: refund.orderId, refundId: refund.id });
    await this.#options.temporal.client.workflow.getHandle(workflowId).result();
  }
}
