/**
 * What `profileErasure` asks of the world: the profile's own steps, local activities of one write or read each, and the steps
 * that areas have registered, with heartbeats. All on the queue `sales-customers`. Each is safe to repeat.
 */

import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { Logger } from '../../platform/log.ts';
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { AreaInput, ErasureActivities, ErasureRecords } from '../../workflows/customers/activities.ts';
import type { ProfileLifecycleStore } from './profile-lifecycle-store.ts';

export interface ErasureDependencies {
  readonly profiles: Pick<
    ProfileLifecycleStore,
    'expiryOf' | 'beginErasing' | 'destroyKey' | 'removeContent' | 'verify' | 'markErased'
  >;
  /** Their names are unique. */
  readonly steps: readonly ErasureStep[];
  readonly log: Logger;
  /** Told of every profile whose erasure has ended. */
  readonly onErased?: (erasure: { readonly lagSeconds: number }) => void;
  readonly now?: () => Date;
}

export function createErasureActivities(dependencies: ErasureDependencies): ErasureRecords & ErasureActivities {
  const { profiles, log, onErased, now = () => new Date() } = dependencies;
  const steps = stepsByName(dependencies.steps);
  const stepOf = ({ area }: AreaInput): ErasureStep => {
    const step = steps.get(area);
    if (!step) throw new Error(`This worker does not know the erasure step ${area}`);
    return step;
  };
  return {
    async blockProfile({ customerNumber }) {
      const { state } = await profiles.expiryOf(customerNumber);
      if (state === 'TEMPORARY' || state === 'PERMANENT') return 'ACTIVE';
      return (await profiles.beginErasing(customerNumber)) === 'ERASED' ? 'GONE' : 'BLOCKED';
    },

    destroyKey: ({ customerNumber }) => profiles.destroyKey(customerNumber),

    removeContent: ({ customerNumber }) => profiles.removeContent(customerNumber),

    listErasureAreas: async () => [...steps.keys()],

    findLeftovers: ({ customerNumber }) => profiles.verify(customerNumber),

    async markErased({ customerNumber, organisationId, dueAtMs }) {
      const begunAt = await profiles.markErased(customerNumber);
      if (dueAtMs === undefined) return;
      // The workflow may have begun long after the deletion, or the date.
      const sinceMs = Math.min(dueAtMs, begunAt?.getTime() ?? dueAtMs);
      const lagSeconds = Math.max(0, now().getTime() - sinceMs) / 1_000;
      onErased?.({ lagSeconds });
      log.info({ customerNumber, organisationId, lagSeconds }, 'erased a profile');
    },

    eraseArea: (input) => withHeartbeat(() => stepOf(input).erase(input.organisationId, input.customerNumber)),

    isAreaErased: (input) => withHeartbeat(() => stepOf(input).isErased(input.organisationId, input.customerNumber)),
  };
}

function stepsByName(steps: readonly ErasureStep[]): ReadonlyMap<string, ErasureStep> {
  const byName = new Map(steps.map((step) => [step.name, step]));
  if (byName.size !== steps.length) throw new Error('Two erasure steps have one name');
  return byName;
}
