/**
 * The role of the queue `sales-customers`. It runs the workflows of customers and their activities, the sweeps after
 * crashes, and the upkeep of the keys database. It collects the erasure steps and the kinds of subjects of all areas.
 * Caller: workers/, by the manifest. Scale by adding processes.
 */
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { rewrapKeys } from '../../platform/personal/key-sweep.ts';
import { createOrphanKeyTasks } from '../../platform/personal/orphan-key-tasks.ts';
import type { RepeatedTask } from '../../platform/process/repeat.ts';
import { AUDIT_TRAIL } from '../shared/audit.ts';
import { customersRoleShape, masterKeysOf, openCustomerStores } from './customer-config.ts';
import { CustomerMetrics } from './customer-metrics.ts';
import { readEndingFigures } from './ending-figures.ts';
import { createErasureActivities } from './erasure-activities.ts';
import { ProfileLifecycleStore } from './profile-lifecycle-store.ts';
import { endLateProfiles, type ProfileSweepDependencies, startLostErasures, sweepProfiles } from './profile-sweep.ts';
import { createTemporaryProfileActivities } from './temporary-profile-activities.ts';

const SWEEP_EVERY_MS = 5_000;
const LOST_EVERY_MS = 30_000;
const KEYS_EVERY_MS = 60_000;
const COUNT_EVERY_MS = 10_000;
/** By then either the profile's workflow or a sweep has ended it. */
const LATE_AFTER_MS = 30_000;

export const customersRole: RoleCode<WorkerBase, WorkerPart> = {
  create: async (base) => {
    const { log, temporal, areas } = base;
    const config = base.readConfig(customersRoleShape);
    const keysConnection = await base.connectKeys(config.CUSTOMER_KEYS_MONGODB_URI);
    const options = await openCustomerStores(base);
    const profiles = new ProfileLifecycleStore(options);
    const metrics = new CustomerMetrics(base.registry);
    const steps = (await Promise.all(areas.map(async (area) => (await area.erasureSteps?.(base)) ?? []))).flat();
    const sweep = { profiles, temporal, log, onOverdue: (count: number) => metrics.overdue(count) };
    const { keys } = options;
    const trail = base.interfaces.get(AUDIT_TRAIL);
    const masterKeys = masterKeysOf(config, keysConnection, log, async (verb, id, act) => {
      const actor = { kind: 'PROCESS', id: 'sales-customers-worker' } as const;
      const resource = { type: 'customer-master-key', id };
      await trail.record({ action: `customer-master-key.${verb}`, actor, resource }, act);
    });
    const keepKeys = async () => {
      await masterKeys.takeIntoUse();
      await rewrapKeys({ keys, log });
      await masterKeys.review(config.CUSTOMER_MASTER_KEY_KEPT_DAYS);
    };
    return {
      activities: {
        ...createTemporaryProfileActivities({ profiles }),
        ...createErasureActivities({ profiles, steps, log, onErased: (erasure) => metrics.erased(erasure) }),
      },
      repeated: [
        ...listTasks(base, metrics, sweep),
        ...(await createOrphanKeyTasks(base, keys)),
        { name: 'key-wrapping', everyMs: KEYS_EVERY_MS, run: keepKeys },
      ],
    };
  },
};

function listTasks(
  { mongo }: WorkerBase,
  metrics: CustomerMetrics,
  sweep: ProfileSweepDependencies,
): readonly RepeatedTask[] {
  const count = async () => metrics.show(await readEndingFigures(mongo, new Date(Date.now() - LATE_AFTER_MS)));
  return [
    { name: 'profile-sweep', everyMs: SWEEP_EVERY_MS, run: () => sweepProfiles(sweep) },
    { name: 'late-profiles', everyMs: SWEEP_EVERY_MS, run: () => endLateProfiles(sweep) },
    { name: 'lost-erasures', everyMs: LOST_EVERY_MS, run: () => startLostErasures(sweep) },
    { name: 'endings-counted', everyMs: COUNT_EVERY_MS, run: count },
  ];
}
