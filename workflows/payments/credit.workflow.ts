/**
 * Pays money back: every part of one credit, until the outcome of each is known. The documents hold the truth, and each call
 * of a provider has the key of its part, so a run that begins again continues a lost one.
 *
 * Started by the process that made the credit, and by the sweep.
 */
import { log, sleep, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { continueOnCurrentBuild } from '../shared/continue-on-current-build.ts';
import { stateAttribute } from '../shared/search-attributes.ts';
import { credits } from './activity-proxies.ts';
import type { CreditInput, CreditResult } from './messages.ts';
import { pollDelayMs } from './rules/poll-pace.ts';

export async function credit(input: CreditInput): Promise<CreditResult> {
  for (let round = 0; ; round += 1) {
    const status = await credits.payBack(input);
    if (status !== 'CREATED') {
      upsertSearchAttributes([stateAttribute(status)]);
      log.info('A credit is final', { creditId: input.creditId, status });
      return { status };
    }
    if (workflowInfo().continueAsNewSuggested) await continueOnCurrentBuild<typeof credit>(input);
    await sleep(pollDelayMs(round));
  }
}
