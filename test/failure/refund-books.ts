/**
 * What holds after the stories of a run of refunds: the money is right, what was refunded has no valid ticket and no seat, what was
 * not refunded has its ticket, and nothing is stuck. Used by refund-run.ts.
 */
import type { Connection } from 'mongoose';
import { ORDERS_COLLECTION, type OrderDocument } from '../../activities/orders/order-document.ts';
import { REFUNDS_COLLECTION, type RefundDocument } from '../../activities/refunds/refund-document.ts';
import { ARRANGEMENTS } from '../../activities/seating/seating-model.ts';
import { TICKET_GROUPS } from '../../activities/tickets/ticket-group-document.ts';
import { refundWorkflowId } from '../../workflows/refunds/messages.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import type { Distribution } from '../../workflows/tickets/rules/ticket-group.ts';
import { isLive } from '../../workflows/tickets/rules/ticket-states.ts';
import { until } from '../support/until.ts';
import { faultsOf } from './ledger-watch.ts';
import { amountOf, MoneyBooks } from './money-books.ts';
import type { ToldRefunds } from './refund-stories.ts';
import { findValidTickets } from './refunded-tickets.ts';

const STUCK_AFTER_MS = 300_000;

export class RefundBooks {
  readonly #connection: Connection;
  readonly #money: MoneyBooks;
  readonly #told: readonly ToldRefunds[];

  constructor(connection: Connection, told: readonly ToldRefunds[], simulator: string) {
    this.#connection = connection;
    this.#money = new MoneyBooks(connection, simulator);
    this.#told = told;
  }

  async refunds(): Promise<readonly RefundDocument[]> {
    return await REFUNDS_COLLECTION.open(this.#connection).find().toArray();
  }

  /** Waits until nothing is under way. Answers what is stuck five minutes after the last fault. */
  async settle(lastFaultAt: number): Promise<readonly string[]> {
    let open: readonly string[] = [];
    const isQuiet = async () => {
      open = [...(await this.#money.underWay()), ...(await this.#underWay())];
      return open.length === 0;
    };
    const timeoutMs = Math.max(0, lastFaultAt + STUCK_AFTER_MS - Date.now());
    await until(isQuiet, { timeoutMs, everyMs: 500, what: 'quiet' }).catch(() => undefined);
    return open.map((each) => `stuck: ${each}`);
  }

  async #underWay(): Promise<readonly string[]> {
    const refunds = await this.refunds();
    const groups = await TICKET_GROUPS.open(this.#connection)
      .find({ outbox: { $ne: [] } })
      .toArray();
    const orders = await this.#orders();
    return [
      ...refunds.filter(({ isRunning }) => isRunning).map(({ _id, status }) => `refund ${_id} is ${status}`),
      ...refunds.filter(({ pendingStart }) => pendingStart).map(({ _id }) => `refund ${_id} waits for its workflow`),
      ...[...refunds, ...groups].filter(({ outbox }) => outbox.length > 0).map(({ _id }) => `events of ${_id}`),
      ...orders.filter(({ pendingStart }) => pendingStart).map(({ _id }) => `order ${_id} waits for its delivery`),
      ...(await this.#missingTickets(orders)),
    ];
  }

  /** Each line that is left has one valid ticket for the travellers and legs that are left. */
  async #missingTickets(orders: readonly OrderDocument[]): Promise<readonly string[]> {
    const tickets = await this.#ticketsOfLines(orders);
    return orders.flatMap(({ _id, orderLines }) =>
      orderLines
        .filter(({ status }) => status === 'CONFIRMED')
        .flatMap(({ id, travellers, travelSpecification }) => {
          const valid = (tickets.get(id) ?? []).filter(isLive);
          const wanted = toText({ travellers, legs: travelSpecification.legs });
          return valid.length === 1 && valid.map(toText).every((text) => text === wanted)
            ? []
            : [`line ${id} of ${_id} has the tickets ${valid.map(toText)}, not ${wanted}`];
        }),
    );
  }

  async check(): Promise<readonly string[]> {
    const refunds = await this.refunds();
    const orders = await this.#orders();
    const ledger = await this.#money.ledger();
    const completed = refunds.filter(({ status }) => status === 'COMPLETED');
    return [
      ...(await this.#money.check()),
      ...ledger.flatMap(faultsOf),
      ...(await findValidTickets(this.#connection, completed)),
      ...(await this.#checkTold()),
      ...(await this.#checkLines(orders)),
      ...(await this.#checkTicketsFirst(completed, orders)),
    ];
  }

  /** The provider has paid each story what its answers said. */
  async #checkTold(): Promise<readonly string[]> {
    const payments = Map.groupBy(await this.#money.payments(), ({ orderId }) => String(orderId));
    const refunds = Map.groupBy(await this.refunds(), ({ orderId }) => String(orderId));
    const ledger = new Map((await this.#money.ledger()).map((entry) => [entry.reference, entry]));
    return this.#told.flatMap(({ orderId, story, backMinor, elsewhereMinor }) => {
      const own = (payments.get(orderId) ?? []).flatMap(({ _id, transactions }) =>
        transactions.flatMap(({ id }) => ledger.get(`${_id}/${id}`) ?? []),
      );
      const paidMinor = sumOf(own.flatMap((entry) => entry.refunds.map(amountOf)));
      const noted = (refunds.get(orderId) ?? []).filter(({ status }) => status === 'COMPLETED');
      const notedMinor = sumOf(noted.flatMap(({ operations }) => operations.map(({ refundMinor }) => refundMinor)));
      const seen = [paidMinor, notedMinor];
      const wanted = [backMinor - elsewhereMinor, backMinor];
      return `${seen}` === `${wanted}` ? [] : [`${story} ${orderId}: paid back and noted ${seen}, not ${wanted}`];
    });
  }

  /** A line that was refunded in full is cancelled, has no seat, and no valid ticket. */
  async #checkLines(orders: readonly OrderDocument[]): Promise<readonly string[]> {
    const tickets = await this.#ticketsOfLines(orders);
    const cancelled = orders.flatMap(({ orderLines }) => orderLines.filter(({ status }) => status === 'CANCELLED'));
    const ids = cancelled.map(({ id }) => id);
    const arrangements = ARRANGEMENTS.open(this.#connection);
    const seats = await arrangements.find({ orderLineId: { $in: ids }, status: { $in: ['HELD', 'CONFIRMED'] } });
    return [
      ...ids
        .filter((id) => (tickets.get(id) ?? []).some(isLive))
        .map((id) => `the line ${id} is cancelled and has a valid ticket`),
      ...(await seats.toArray()).map(({ _id, orderLineId }) => `the cancelled line ${orderLineId} has the seat ${_id}`),
    ];
  }

  /** A refund has disabled its tickets before any provider paid. */
  async #checkTicketsFirst(
    refunds: readonly RefundDocument[],
    orders: readonly OrderDocument[],
  ): Promise<readonly string[]> {
    const all = [...(await this.#ticketsOfLines(orders)).values()].flat();
    const disabled = Map.groupBy(all, ({ disabledBy }) => disabledBy);
    const movements = Map.groupBy(
      (await this.#money.ledger()).flatMap((entry) => entry.refunds),
      ({ idempotencyKey }) => idempotencyKey.split('-')[1],
    );
    return refunds.flatMap(({ _id: refundId, orderId, creditId }) => {
      const paid = movements.get(String(creditId)) ?? [];
      const firstAt = Math.min(...paid.map(({ at }) => new Date(at).getTime()));
      const own = disabled.get(refundWorkflowId({ orderId, refundId })) ?? [];
      const late = own.filter(({ revokedAt }) => (revokedAt?.getTime() ?? 0) > firstAt);
      return late.map(({ id }) => `the ticket ${id} was disabled after the money of the refund ${refundId} was paid`);
    });
  }

  async #orders(): Promise<readonly OrderDocument[]> {
    const ids = this.#told.map(({ orderId }) => orderId);
    return await ORDERS_COLLECTION.open(this.#connection)
      .find({ _id: { $in: ids } } as object)
      .toArray();
  }

  async #ticketsOfLines(orders: readonly OrderDocument[]): Promise<ReadonlyMap<string, readonly Distribution[]>> {
    const orderIds = orders.map(({ _id }) => _id);
    const groups = await TICKET_GROUPS.open(this.#connection)
      .find({ orderId: { $in: orderIds } })
      .toArray();
    return new Map(groups.map(({ orderLineId, ticketDistributions }) => [orderLineId, ticketDistributions]));
  }
}

function toText({
  travellers,
  legs,
}: {
  readonly travellers: readonly { readonly travellerId: string }[];
  readonly legs: readonly { readonly legId: string }[];
}): string {
  const names = [travellers.map(({ travellerId }) => travellerId), legs.map(({ legId }) => legId)];
  return names.map((each) => each.toSorted().join('+')).join(' on ');
}
