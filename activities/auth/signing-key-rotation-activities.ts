/**
 * Activities of the rotation of signing keys, on the queue `operations`. Temporal retries calls to an unavailable
 * server without end.
 */

import type { Logger } from '../../platform/log.ts';
import type { SigningKeyRecords } from '../../workflows/auth/activities.ts';
import type { SigningKeyRotationStore } from './signing-key-rotation-store.ts';

export interface RotationDependencies {
  readonly keys: SigningKeyRotationStore;
  /** The same keys, for withdrawals: they stop harm, and go on when the audit log cannot be written. */
  readonly withdrawals: SigningKeyRotationStore;
  readonly log: Logger;
}

export function createRotationActivities({ keys, withdrawals, log }: RotationDependencies): SigningKeyRecords {
  return {
    listKeys: async () => (await keys.list()).map(({ kid }) => kid),

    async publishNext({ rotationId, isWithdrawal = false }) {
      const { kid, signsFrom } = await (isWithdrawal ? withdrawals : keys).publishNext(rotationId);
      log.info({ kid, signsFrom }, 'the next signing key is published');
      return { kid, signsFromMs: signsFrom.getTime() };
    },

    async startSigning({ kid, atOnce }) {
      const outcome = await (atOnce ? withdrawals : keys).startSigning(kid, { atOnce });
      log.info({ kid, outcome }, 'the next signing key takes over');
      return outcome;
    },

    removeRetired: async () => ({ nextAtMs: (await keys.removeRetired())?.getTime() ?? null }),

    async withdrawNext({ kids }) {
      log.warn({ kids }, 'signing keys are withdrawn');
      await withdrawals.withdrawNext(kids);
    },

    withdrawRetired: ({ kids }) => withdrawals.withdrawRetired(kids),
  };
}
