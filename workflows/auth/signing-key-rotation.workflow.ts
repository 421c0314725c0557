/**
 * Replaces the key that signs access tokens. It publishes the next one, lets it sign once every cache holds it, and
 * removes the old one once its last token has ended. No request fails. When keys can no longer be trusted (`withdraw`)
 * it waits for none of that.
 *
 * Started by the schedule `signing-key-rotation`, or by an operator; see `rotation-schedule.ts`. Two at once do the work of one.
 * The database holds the truth: the next rotation continues a lost one.
 */
import { log, setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { keys } from './activity-proxies.ts';
import { type RotationProgress, rotationProgressQuery, type SigningKeyRotationInput } from './messages.ts';
import { describeRotation } from './rules/rotation-progress.ts';

/** More than an auth process takes to follow, and than an API process waits before it fetches keys for an unknown one again. */
const SETTLING_MS = 15_000;
/** The workflow's clock and the one that decides may differ. */
const AGAIN_MS = 1_000;

export async function signingKeyRotation({
  withdraw = false,
}: SigningKeyRotationInput = {}): Promise<RotationProgress> {
  let progress: RotationProgress = { step: 'BEGUN' };
  setHandler(rotationProgressQuery, () => progress);
  const show = (next: RotationProgress): RotationProgress => {
    progress = next;
    setCurrentDetails(describeRotation(next));
    return next;
  };
  show(progress);
  const untrusted = withdraw ? await keys.listKeys() : [];
  if (withdraw) await keys.withdrawNext({ kids: untrusted });
  const { kid, signsFromMs } = await keys.publishNext({ rotationId: workflowInfo().runId, isWithdrawal: withdraw });
  if (!withdraw) {
    show({ step: 'PUBLISHED', kid, until: textOf(signsFromMs) });
    await sleepUntil(signsFromMs);
  }
  if (!(await letItSign(kid, withdraw))) {
    log.warn('A key was withdrawn before it signed', { kid });
    return show({ step: 'OVERTAKEN', kid });
  }
  show({ step: 'SIGNING', kid });
  if (withdraw) {
    await sleep(SETTLING_MS);
    await keys.withdrawRetired({ kids: untrusted });
  }
  await removeThoseBefore((untilMs) => show({ step: 'SIGNING', kid, until: textOf(untilMs) }));
  return show({ step: 'DONE', kid });
}

async function letItSign(kid: string, atOnce: boolean): Promise<boolean> {
  for (;;) {
    const outcome = await keys.startSigning({ kid, atOnce });
    if (outcome !== 'TOO_EARLY') return outcome === 'SIGNS';
    await sleep(AGAIN_MS);
  }
}

async function removeThoseBefore(showWait: (untilMs: number) => void): Promise<void> {
  for (;;) {
    const { nextAtMs } = await keys.removeRetired();
    if (nextAtMs === null) return;
    showWait(nextAtMs);
    await sleepUntil(nextAtMs);
  }
}

/** At least for a moment: an instant that has passed by this clock may not have by another. */
async function sleepUntil(instantMs: number): Promise<void> {
  await sleep(Math.max(AGAIN_MS, instantMs - Date.now()));
}

function textOf(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
