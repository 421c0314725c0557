/**
 * The activities of `profileErasure`. The profile's own steps are local activities of one write or read each; the steps
 * that areas have registered send heartbeats. All run on the queue `sales-customers`, and each is safe to repeat.
 */

import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { Logger } from '../../platform/log.ts';
import { withHeartbeat } from '../../platform/temporal/heartbeat.ts';
import type { AreaInput, ErasureActivities, ErasureRecords } from '../../workflows/customers/activities.ts';
import { CUSTOMER } from '../shared/customer-kind.ts';
import type { ProfileLifecycleStore } from './profile-lifecycle-store.ts';

export interface ErasureDependencies {
  readonly profiles: Pick<
    ProfileLifecycleStore,
    'expiryOf' | 'beginErasing' | 'destroyKey' | 'removeContent' | 'verify' | 'markErased'
  >;
  /** Their names are unique. */
  readonly steps: readonly ErasureStep[];
  readonly log: Logger;
  /** Called for every profile whose erasure has ended. */
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
  const subjectOf = ({ customerNumber }: AreaInput) => CUSTOMER.subjectOf(customerNumber);
  return {
    async blockProfile({ organisationId, customerNumber }) {
      const { state } = await profiles.expiryOf(organisationId, customerNumber);
      if (state === 'TEMPORARY' || state === 'PERMANENT') return 'ACTIVE';
      return (await profiles.beginErasing(organisationId, customerNumber)) === 'ERASED' ? 'GONE' : 'BLOCKED';
    },

    destroyKey: ({ organisationId, customerNumber }) => profiles.destroyKey(organisationId, customerNumber),

    removeContent: ({ organisationId, customerNumber }) => profiles.removeContent(organisationId, customerNumber),

    listErasureAreas: async () => [...steps.keys()],

    findLeftovers: ({ organisationId, customerNumber }) => profiles.verify(organisationId, customerNumber),

    async markErased({ customerNumber, organisationId, dueAtMs }) {
      const begunAt = await profiles.markErased(organisationId, customerNumber);
      if (dueAtMs === undefined) return;
      // The workflow may have begun long after the deletion or the date.
      const sinceMs = Math.min(dueAtMs, begunAt?.getTime() ?? dueAtMs);
      const lagSeconds = Math.max(0, now().getTime() - sinceMs) / 1_000;
      onErased?.({ lagSeconds });
      log.info({ customerNumber, organisationId, lagSeconds }, 'erased a profile');
    },

    eraseArea: (input) => withHeartbeat(() => stepOf(input).erase(input.organisationId, subjectOf(input))),

    isAreaErased: (input) => withHeartbeat(() => stepOf(input).isErased(input.organisationId, subjectOf(input))),
  };
}

function stepsByName(steps: readonly ErasureStep[]): ReadonlyMap<string, ErasureStep> {
  const byName = new Map(steps.map((step) => [step.name, step]));
  if (byName.size !== steps.length) throw new Error('Two erasure steps have one name');
  return byName;
}
