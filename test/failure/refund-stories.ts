/**
 * Stories of refunds, told by several callers at once: whole lines and parts of them, several transactions, drafts that cancel
 * lines, refunds that overlap or are repeated, a provider that refuses. Each remembers what must have been paid back. Used by
 * refund-run.ts.
 */
import { randomUUID } from 'node:crypto';
import { minorOf, type Option, type ReadRefund, type RefundCalls, type Sale, type SoldOrder } from './refund-calls.ts';

export const REFUND_SCOPES = [
  ...['offers:search', 'orders:read', 'orders:write', 'orders:price', 'payments:read', 'payments:write'],
  ...['refunds:read', 'refunds:write', 'tickets:read', 'tickets:validate'],
];

export interface ToldRefunds extends SoldOrder {
  readonly story: string;
  /** In the smallest unit. */
  backMinor: number;
  /** Of it: paid by an operator in another way. */
  elsewhereMinor: number;
  /** That are given back in full, or in part. */
  readonly refundedLines: Set<string>;
}

const KINDS = [
  ...(['OVERLAP', 'LEGS', 'PART_REFUSED', 'DRAFTS', 'TRANSACTIONS', 'REPEAT', 'REFUSED', 'WHOLE'] as const),
  ...(['TRAVELLERS', 'LINES', 'FORGOTTEN', 'GIVEN_UP', 'OLDER', 'LEGS', 'TRANSACTIONS', 'LINES'] as const),
] as const;
type Kind = (typeof KINDS)[number];

const GOOD = '4111111111111111';
/** The provider refuses to refund it. */
const NO_REFUNDS = '4000000000005126';
const AT_ONCE = 8;
const REPEATS = 3;
/** What a refund of a line that another one has given back is answered. */
const OVERLAPPED = ['REFUND_IN_PROGRESS', 'REFUND_AMOUNT_EXCEEDED', 'ORDER_VERSION_MISMATCH', 'ORDER_LOCKED'];

export class RefundStories {
  readonly #calls: RefundCalls;
  readonly told: ToldRefunds[] = [];
  #begun = 0;

  constructor(calls: RefundCalls) {
    this.#calls = calls;
  }

  async tell(): Promise<void> {
    const kind = KINDS[this.#begun++ % KINDS.length] ?? 'WHOLE';
    try {
      await this.#tell(kind);
    } catch (error) {
      this.#calls.payments.faults.push(`${kind}: ${(error as Error).message}`);
    }
  }

  async #tell(kind: Kind): Promise<void> {
    switch (kind) {
      case 'WHOLE':
        return await this.#oneByOne(await this.#sell(kind, { product: 'SAVER', travellers: 1, hesitates: true }));
      case 'LINES':
        return await this.#oneByOne(await this.#sell(kind, { product: 'FLEX', travellers: 4 }));
      case 'TRANSACTIONS':
        return await this.#jointly(
          await this.#sell(kind, { product: 'FLEX', travellers: 1, cards: [GOOD, GOOD, GOOD] }),
        );
      case 'LEGS':
        return await this.#byLegs(
          await this.#sell(kind, { product: 'FLEX', travellers: 2, changes: true, hesitates: true }),
        );
      case 'TRAVELLERS':
        return await this.#byTravellers(await this.#sell(kind, { product: 'CABIN', travellers: 2 }));
      case 'DRAFTS':
        return await this.#byDrafts(await this.#sell(kind, { product: 'SAVER', travellers: 3 }));
      case 'OVERLAP':
        return await this.#overlapping(await this.#sell(kind, { product: 'FLEX', travellers: 4 }));
      case 'REPEAT':
        return await this.#repeated(await this.#sell(kind, { product: 'SAVER', travellers: 2 }));
      case 'FORGOTTEN':
        return await this.#forgotten(await this.#sell(kind, { product: 'FLEX', travellers: 2 }));
      case 'OLDER':
        return await this.#byOlderVersion(await this.#sell(kind, { product: 'SAVER', travellers: 2 }));
      case 'REFUSED':
        return await this.#refused(await this.#sell(kind, { product: 'FLEX', travellers: 1, cards: [NO_REFUNDS] }));
      case 'PART_REFUSED':
      case 'GIVEN_UP':
        return await this.#partRefused(
          await this.#sell(kind, { product: 'FLEX', travellers: 1, cards: [GOOD, NO_REFUNDS] }),
          kind === 'GIVEN_UP' ? 'GIVEN_UP' : 'CREDITED_ELSEWHERE',
        );
    }
  }

  async #sell(story: Kind, sale: Sale): Promise<ToldRefunds> {
    const sold = await this.#calls.sell(sale);
    const told = { ...sold, story, backMinor: 0, elsewhereMinor: 0, refundedLines: new Set<string>() };
    this.told.push(told);
    return told;
  }

  #note(told: ToldRefunds, refund: ReadRefund | undefined, expectedMinor?: number): void {
    if (refund?.status !== 'COMPLETED') throw new Error(`the refund of ${told.orderId} is ${refund?.status}`);
    const minor = minorOf(refund.refundAmount);
    if (expectedMinor !== undefined && minor !== expectedMinor) {
      throw new Error(`the refund of ${told.orderId} gave back ${minor}, not ${expectedMinor}`);
    }
    told.backMinor += minor;
    for (const id of refund.affectedOrderLineIds) told.refundedLines.add(id);
  }

  async #oneByOne(told: ToldRefunds): Promise<void> {
    for (;;) {
      const [option] = await this.#calls.options(told.orderId);
      if (!option) break;
      const refund = await this.#calls.refund(told.orderId, { refundOperations: [whole(option)] });
      this.#note(told, refund, minorOf(option.refundAmount));
    }
  }

  /** Several lines at once, whose money comes from several transactions. */
  async #jointly(told: ToldRefunds): Promise<void> {
    const options = await this.#calls.options(told.orderId);
    const refundOperations = options.slice(1).map(whole);
    this.#note(told, await this.#calls.refund(told.orderId, { refundOperations }));
    await this.#oneByOne(told);
    this.#assertAllBack(told);
  }

  /** Of each line first one leg, and then what is left. */
  async #byLegs(told: ToldRefunds): Promise<void> {
    const { orderLines, reservations } = await this.#calls.order(told.orderId);
    for (const { id } of orderLines as readonly { readonly id: string }[]) {
      const legIds = legsOf(reservations, id);
      const part = { ...(await this.#operation(told, id)), legIds: legIds.slice(-1) };
      this.#note(told, await this.#calls.refund(told.orderId, { refundOperations: [part] }));
      const rest = await this.#operation(told, id);
      this.#note(told, await this.#calls.refund(told.orderId, { refundOperations: [rest] }));
    }
    this.#assertAllBack(told);
  }

  async #byTravellers(told: ToldRefunds): Promise<void> {
    const { orderLines } = await this.#calls.order(told.orderId);
    const [line] = orderLines as readonly { id: string; travellers: readonly { travellerId: string }[] }[];
    if (line?.travellers.length !== 2) throw new Error(`${told.orderId} has no line of two travellers`);
    const { id, travellers } = line;
    const part = { ...(await this.#operation(told, id)), travellerIds: [travellers[0]?.travellerId] };
    const alone = await this.#calls.refund(told.orderId, { refundOperations: [part] }, ['REFUND_NOT_ALLOWED']);
    if (alone) throw new Error(`${told.orderId}: one traveller of a compartment was refunded`);
    const rest = await this.#operation(told, id);
    this.#note(told, await this.#calls.refund(told.orderId, { refundOperations: [rest] }));
    this.#assertAllBack(told);
  }

  /** Each round cancels a line in a draft, which the refund confirms. */
  async #byDrafts(told: ToldRefunds): Promise<void> {
    for (;;) {
      const [option] = await this.#calls.options(told.orderId);
      if (!option) break;
      await this.#calls.cancelLine(told.orderId, option.orderLineRef.id);
      const body = { refundOperations: [whole(option)], includesCancelledOrderLines: true };
      this.#note(told, await this.#calls.refund(told.orderId, body), minorOf(option.refundAmount));
    }
  }

  async #overlapping(told: ToldRefunds): Promise<void> {
    const options = (await this.#calls.options(told.orderId)).map(whole);
    const wishes = Array.from({ length: AT_ONCE }, (_, at) => [
      ...options.slice(at % options.length, (at % options.length) + 1 + (at % 2)),
    ]);
    const refunds = await Promise.all(
      wishes.map((refundOperations) => this.#calls.refund(told.orderId, { refundOperations }, OVERLAPPED)),
    );
    const done = refunds.filter((refund) => refund !== undefined);
    const lines = done.flatMap(({ affectedOrderLineIds }) => affectedOrderLineIds);
    if (new Set(lines).size !== lines.length) throw new Error(`${told.orderId} has a line that was refunded twice`);
    for (const refund of done) this.#note(told, refund);
    await this.#oneByOne(told);
    this.#assertAllBack(told);
  }

  async #repeated(told: ToldRefunds): Promise<void> {
    const [option] = await this.#calls.options(told.orderId);
    if (!option) throw new Error(`${told.orderId} has no option`);
    const body = { refundOperations: [whole(option)] };
    const refunds = await this.#calls.refundRepeatedly(told.orderId, body, randomUUID(), REPEATS);
    const ids = new Set(refunds.map(({ refundId }) => refundId));
    if (ids.size !== 1) throw new Error(`one key has made the refunds ${[...ids]}`);
    this.#note(told, refunds[0], minorOf(option.refundAmount));
  }

  /** Nobody waits for the answer, and perhaps the request never came. */
  async #forgotten(told: ToldRefunds): Promise<void> {
    const [option] = await this.#calls.options(told.orderId);
    if (!option) throw new Error(`${told.orderId} has no option`);
    await this.#calls.refundAndForget(told.orderId, { refundOperations: [whole(option)] });
    for (const refund of await this.#calls.untilAllEnded(told.orderId)) this.#note(told, refund);
    await this.#oneByOne(told);
  }

  async #byOlderVersion(told: ToldRefunds): Promise<void> {
    this.#note(told, await this.#calls.refundAll(told.orderId));
  }

  /** Nothing changes, however often it is tried. */
  async #refused(told: ToldRefunds): Promise<void> {
    const [option] = await this.#calls.options(told.orderId);
    if (!option) throw new Error(`${told.orderId} has no option`);
    const refund = await this.#calls.refund(told.orderId, { refundOperations: [whole(option)] }, ['REFUSED_BY_ISSUER']);
    if (refund && refund.status !== 'FAILED') throw new Error(`a provider that refuses has paid ${told.orderId}`);
    this.#calls.ended += refund ? 0 : 1;
    const [again] = await this.#calls.options(told.orderId);
    if (again?.refundAmount !== option.refundAmount) throw new Error(`${told.orderId} has lost its option`);
  }

  /** The provider pays one part and refuses the other; an operator decides. */
  async #partRefused(told: ToldRefunds, resolution: 'CREDITED_ELSEWHERE' | 'GIVEN_UP'): Promise<void> {
    const options = await this.#calls.options(told.orderId);
    const refund = await this.#calls.refund(told.orderId, { refundOperations: options.map(whole) });
    if (refund?.status !== 'NEEDS_ATTENTION')
      throw new Error(`${told.orderId} is not for an operator: ${refund?.status}`);
    const halfMinor = told.amountMinor / 2;
    const isElsewhere = resolution === 'CREDITED_ELSEWHERE';
    const resolved = await this.#calls.resolve(told.orderId, refund.refundId, resolution);
    this.#note(told, resolved, isElsewhere ? told.amountMinor : halfMinor);
    told.elsewhereMinor = isElsewhere ? halfMinor : 0;
  }

  async #operation({ orderId }: SoldOrder, lineId: string) {
    const option = (await this.#calls.options(orderId)).find(({ orderLineRef }) => orderLineRef.id === lineId);
    if (!option) throw new Error(`the line ${lineId} of ${orderId} has no option`);
    const { orderLineRef, refundRule } = option;
    return { orderLineRef, refundRule: { id: refundRule.id } };
  }

  #assertAllBack({ orderId, amountMinor, backMinor }: ToldRefunds): void {
    if (backMinor !== amountMinor) throw new Error(`${orderId} cost ${amountMinor}, and ${backMinor} were paid back`);
  }
}

function whole({ orderLineRef, refundRule, refundAmount }: Option) {
  return { orderLineRef, refundRule: { id: refundRule.id }, refundAmount };
}

function legsOf(reservations: readonly { orderLineId: string; legId: string }[], lineId: string): readonly string[] {
  return reservations.filter(({ orderLineId }) => orderLineId === lineId).map(({ legId }) => legId);
}
