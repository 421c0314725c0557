/**
 * The answers of confirmations and imports, kept to be read again at the end of a run: a confirmed version never changes,
 * and `?version=n` answers it for ever. Used by order-run.ts.
 */
import { inTurns } from './in-turns.ts';
import type { FinalAnswer, PatientClient } from './patient-client.ts';

type Answered = FinalAnswer['json'];

export class ConfirmedAnswers {
  readonly #kept: Answered[] = [];

  keep({ json }: FinalAnswer): void {
    this.#kept.push(json);
  }

  get count(): number {
    return this.#kept.length;
  }

  async check(client: PatientClient): Promise<readonly string[]> {
    const faults = await inTurns(this.#kept, async (then) => {
      const { status, json } = await client.send(`/v1/orders/${then.id}?version=${then.version}`);
      if (status !== 200) return [`version ${then.version} of ${then.id} is answered ${status}`];
      const [was, is] = [JSON.stringify(soldOf(then)), JSON.stringify(soldOf(json))];
      return was === is ? [] : [`version ${then.version} of ${then.id} was ${was} and is ${is}`];
    });
    return faults.flat();
  }
}

/** All that belongs to the version. */
function soldOf(order: Answered): object {
  const { version, status, currency, totalAmount, totalTaxAmount, balance, lastConfirmedAt } = order;
  const { travellers, orderLines, fees, reservations } = order;
  return {
    ...{ version, status, currency, totalAmount, totalTaxAmount, balance, lastConfirmedAt },
    ...{ travellers, orderLines, fees, reservations },
  };
}
