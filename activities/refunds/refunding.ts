/**
 * Plans refunds: reads the order, the use of its tickets, the rules in force and the payments, and asks the rules of
 * workflows/refunds. Options, dry runs and refunds plan here. Callers: the operations of the API.
 */
import { isDeepStrictEqual } from 'node:util';
import { assertWritable } from '../../workflows/orders/rules/guards.ts';
import { linesNamed } from '../../workflows/orders/rules/lines.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { isRefund } from '../../workflows/orders/rules/refund-locks.ts';
import { type CreditPlan, planCredit } from '../../workflows/payments/rules/credit-plan.ts';
import type { Payment } from '../../workflows/payments/rules/payment.ts';
import { creditableOf, planRefundCredit } from '../../workflows/payments/rules/refund-credit.ts';
import type { LineUse } from '../../workflows/refunds/rules/line-shares.ts';
import type { PlannedOperation } from '../../workflows/refunds/rules/refund.ts';
import { totalRefundMinor } from '../../workflows/refunds/rules/refund-life.ts';
import { type RefundOption, refundOptions } from '../../workflows/refunds/rules/refund-options.ts';
import { type PlanRequest, planOperations, type RefundFacts } from '../../workflows/refunds/rules/refund-plan.ts';
import { performableTogether } from '../../workflows/refunds/rules/refund-sets.ts';
import type { OrderId, OrderLineId, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { DistributionChannel } from '../shared/catalogue.ts';
import type { FareReader } from '../shared/fares.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { RefundMoney } from '../shared/refund-money.ts';
import type { SoldOrders } from '../shared/sold-orders.ts';
import type { TicketAccess } from '../shared/tickets.ts';
import { inProgress, type Tenancy } from './refund-store.ts';

export interface RefundPlanningOptions {
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly sold: () => Pick<SoldOrders, 'findSold'>;
  readonly tickets: () => Pick<TicketAccess, 'listUse'>;
  readonly fares: () => Pick<FareReader, 'current'>;
  readonly money: () => Pick<RefundMoney, 'listPayments' | 'enterImported'>;
  readonly now: () => Date;
}

export interface RefundPlace {
  readonly tenancy: Tenancy;
  readonly orderId: OrderId;
  readonly channel: DistributionChannel;
  readonly correlationId: string;
}

export type CreditParts = CreditPlan['parts'];

export interface PlannedRefund {
  readonly order: Order;
  readonly operations: readonly PlannedOperation[];
  readonly parts: CreditParts;
}

export type PlannedOption = RefundOption & { readonly parts: CreditParts };

export interface PlannedOptions {
  readonly order: Order;
  /** That the options are of. */
  readonly orderVersion: number;
  readonly options: readonly PlannedOption[];
  /** Also those that no transaction can pay back. */
  readonly found: readonly RefundOption[];
  /** Options that one refund may name together, the largest set first. */
  readonly together: readonly (readonly PlannedOption[])[];
}

/** `orderVersion`: default the last confirmed one. */
export interface OptionsWanted {
  readonly orderVersion?: number;
  readonly orderLineIds?: readonly OrderLineId[];
}

interface Read {
  readonly facts: RefundFacts;
  readonly payments: readonly Payment[];
}

/** Writes on one order are rare. */
const READS = 5;

export class RefundPlanning {
  readonly #options: RefundPlanningOptions;

  constructor(options: RefundPlanningOptions) {
    this.#options = options;
  }

  /** Throws what the rules throw, and where no transaction can pay the money back. Writes nothing. */
  async plan(place: RefundPlace, request: PlanRequest): Promise<PlannedRefund> {
    const { facts, payments } = await this.#read(place);
    assertFree(facts.order);
    const operations = planOperations(facts, request, this.#options.now());
    return {
      order: facts.order,
      operations,
      parts: planRefundCredit(payments, totalRefundMinor({ operations }), place.channel),
    };
  }

  /** As `plan`, for a refund that is then written down: the payment of an imported order is entered, and has its number. */
  async planToRefund(place: RefundPlace, request: PlanRequest): Promise<PlannedRefund> {
    const { organisationId, id, confirmed } = await this.#options.orders().get(place.tenancy, place.orderId);
    if (confirmed) await this.#options.money().enterImported(organisationId, id, place.correlationId);
    return await this.plan(place, request);
  }

  /** Every option as a refund request. Empty where nothing can be refunded. Throws UNKNOWN_ORDER_LINE. */
  async options(place: RefundPlace, { orderVersion, orderLineIds }: OptionsWanted): Promise<PlannedOptions> {
    const { facts, payments } = await this.#read(place);
    const { order } = facts;
    linesNamed(order, orderLineIds ?? []);
    const isOfVersion = await this.#linesOf(order, orderVersion);
    const groups = place.channel.refundPaymentTypeGroups;
    const found = refundOptions(facts, orderLineIds ? { orderLineIds } : {}, this.#options.now()).filter(isOfVersion);
    const creditableMinor = creditableOf(payments, place.channel);
    const payable = found
      .filter(({ refundMinor }) => refundMinor <= creditableMinor)
      .map((option) => ({ ...option, parts: planCredit(payments, option.refundMinor, { groups }).parts }));
    const options = creditableMinor === 0 ? [] : payable;
    const version = orderVersion ?? order.confirmed?.version ?? order.version;
    return { order, orderVersion: version, options, found, together: performableTogether(options, creditableMinor) };
  }

  /**
   * What was sold by the version and has not changed since: that alone can still be refunded of it. Throws INVALID_STATE for the
   * version of an open draft, and ORDER_VERSION_MISMATCH for one that was never confirmed.
   */
  async #linesOf(
    { organisationId, id, status, version, confirmed }: Order,
    wanted: number | undefined,
  ): Promise<(line: Pick<PlannedOperation, 'orderLineId' | 'orderLineVersion'>) => boolean> {
    if (wanted === undefined || wanted === confirmed?.version) return () => true;
    if (status === 'DRAFT' && wanted === version) {
      throw new ServiceError('INVALID_STATE', 'Options are computed on a confirmed version, and this one is a draft.');
    }
    const sold = await this.#options.sold().findSold(organisationId, id, wanted);
    if (!sold) {
      const now = confirmed ? `its last confirmed version is ${confirmed.version}` : 'it was never confirmed';
      throw new ServiceError('ORDER_VERSION_MISMATCH', `The order has no confirmed version ${wanted}: ${now}.`);
    }
    const lines = new Map(sold.version.orderLines.map((line) => [line.id, line]));
    return ({ orderLineId, orderLineVersion }) => {
      const line = lines.get(orderLineId);
      return line?.status === 'CONFIRMED' && line.version === orderLineVersion;
    };
  }

  /** Money and order of one moment. Throws UNAVAILABLE where the order changes again and again. */
  async #read(place: RefundPlace): Promise<Read> {
    for (let tries = 0; tries < READS; tries += 1) {
      const read = await this.#tryToRead(place);
      if (read) return read;
    }
    throw new ServiceError('UNAVAILABLE', 'The order is being changed. Send the request again.', {
      headers: { 'Retry-After': '2' },
    });
  }

  /** Undefined where the order has changed meanwhile: a refund that ended between the reads has left less than the payments say. */
  async #tryToRead({ tenancy, orderId }: RefundPlace): Promise<Read | undefined> {
    const { orders, tickets, fares, money } = this.#options;
    const found = await orders().get(tenancy, orderId);
    const { organisationId } = found;
    const orderLineIds = found.orderLines.map(({ id }) => id);
    const [used, book, payments] = await Promise.all([
      tickets().listUse({ organisationId, orderId, orderLineIds }),
      fares().current(),
      found.confirmed ? money().listPayments(organisationId, orderId) : [],
    ]);
    const order = await orders().get(tenancy, orderId);
    if (!isDeepStrictEqual(order, found)) return undefined;
    const uses = new Map(used.map(({ orderLineId, ...use }): [OrderLineId, LineUse] => [orderLineId, use]));
    return { facts: { order, book, products: book.products, uses }, payments };
  }
}

/** Throws REFUND_IN_PROGRESS, ORDER_LOCKED. */
export function assertFree(order: Order): void {
  if (order.lock && isRefund(order.lock.owner)) throw inProgress();
  if (order.lock) assertWritable(order, {});
}

export function tenancyOf({
  scopes,
  organisationId,
}: {
  readonly scopes: ReadonlySet<string>;
  readonly organisationId: OrganisationId;
}): Tenancy {
  return scopes.has('organisation:any') ? 'ANY' : organisationId;
}
