/**
 * Carries out what an operator has decided on money that a draft owes back, and that its provider has refused. The draft is locked
 * meanwhile. Every step is repeatable, also beside another attempt. Caller: credit-activities.ts.
 */
import { workItemId } from '../../../platform/aggregate/work-item-id.ts';
import {
  type Credit,
  creditDecisionOwner,
  creditStatusOf,
  type DecisionState,
} from '../../../workflows/payments/rules/credit.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { LockedWork, OrderMoneyAccess } from '../../shared/orders.ts';
import { PAYMENTS_WORKER } from '../capture/capture-context.ts';
import type { CreditStore } from '../credit-store.ts';
import type { RefundedMoney } from '../refund-money.ts';

export interface CreditDecisionDependencies {
  readonly credits: Pick<CreditStore, 'listOfOrder' | 'noteDecisionStep'>;
  readonly orders: () => Pick<OrderMoneyAccess, 'lockOwed' | 'confirmDecided' | 'unlock'>;
  readonly money: Pick<RefundedMoney, 'settle' | 'sumRefused' | 'assertCountable'>;
}

export class CreditDecisions {
  readonly #dependencies: CreditDecisionDependencies;

  constructor(dependencies: CreditDecisionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns also before it is done, while another one holds the order, or another credit of it runs: the caller comes again. */
  async carryOut(credit: Credit, correlationId: string): Promise<void> {
    const work = { correlationId, clientId: PAYMENTS_WORKER, lockOwner: creditDecisionOwner(credit) };
    const held = credit.decision?.state === 'ASKED' ? await this.#hold(credit, work) : credit;
    const isReplaced = creditDecisionOwner(held) !== work.lockOwner;
    if (held.decision?.state === 'HELD' && !isReplaced) await this.#end(held, work);
    // Also of an attempt that comes late: its decision may have ended meanwhile, or another one was taken in its place.
    else if (isReplaced || held.decision?.state === 'REFUSED') await this.#unlock(held, work);
  }

  async #hold(credit: Credit, work: LockedWork): Promise<Credit> {
    const { organisationId, orderId, orderVersion, id: creditId, decision } = credit;
    const { credits, orders, money } = this.#dependencies;
    const lock = async () => {
      const owedMinor = await money.sumRefused(organisationId, creditId, work.correlationId);
      await orders().lockOwed(organisationId, orderId, { orderVersion, owedMinor }, work);
    };
    try {
      if (decision?.how === 'ELSEWHERE') await money.assertCountable(organisationId, creditId);
      await lock();
      // Each credit is written before it looks for the lock, so one of the two sees the other.
      const all = await credits.listOfOrder(organisationId, orderId);
      if (all.some((other) => creditStatusOf(other.credit) === 'CREATED')) return credit;
      // One may have been paid just before.
      await lock();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return error.code === 'ORDER_LOCKED' ? credit : await this.#refuse(credit, 'ASKED', work);
    }
    return await this.#note(credit, { from: 'ASKED', to: 'HELD' });
  }

  async #end(credit: Credit, work: LockedWork): Promise<void> {
    const { organisationId, orderId, orderVersion, id: creditId } = credit;
    const { orders, money } = this.#dependencies;
    const { correlationId } = work;
    const isGivenUp = credit.decision?.how === 'GIVEN_UP';
    try {
      if (isGivenUp) {
        const amountMinor = await money.sumRefused(organisationId, creditId, correlationId);
        const feeId = workItemId(work.lockOwner, 'fee');
        const draft = { orderVersion, givenUp: { feeId, amountMinor } };
        await orders().confirmDecided(organisationId, orderId, draft, work);
      } else {
        await money.settle(organisationId, creditId, 'ELSEWHERE', correlationId);
        await this.#confirmCounted(credit, work);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#refuse(credit, 'HELD', work);
      return;
    }
    await this.#note(credit, { from: 'HELD', to: 'DONE' });
  }

  /** A draft that cannot be confirmed any more, as its ticket was used meanwhile, waits for its caller: the money counts all the same. */
  async #confirmCounted(credit: Credit, work: LockedWork): Promise<void> {
    const { organisationId, orderId, orderVersion } = credit;
    try {
      await this.#dependencies.orders().confirmDecided(organisationId, orderId, { orderVersion }, work);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#unlock(credit, work);
    }
  }

  /** Noted first: an attempt that has gone on further keeps the lock. */
  async #refuse(credit: Credit, from: DecisionState, work: LockedWork): Promise<Credit> {
    const noted = await this.#note(credit, { from, to: 'REFUSED' });
    if (noted.decision?.state === 'REFUSED') await this.#unlock(noted, work);
    return noted;
  }

  async #unlock({ organisationId, orderId }: Credit, work: LockedWork): Promise<void> {
    await this.#dependencies.orders().unlock(organisationId, orderId, work);
  }

  async #note({ organisationId, id }: Credit, step: { from: DecisionState; to: DecisionState }): Promise<Credit> {
    return (await this.#dependencies.credits.noteDecisionStep(organisationId, id, step)).credit;
  }
}

function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status < 500;
}
