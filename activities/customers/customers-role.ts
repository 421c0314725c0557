/**
 * The role of the queue `sales-customers`. It runs the workflows of customers and their activities, the sweeps after
 * crashes, and the upkeep of the keys database. It collects the erasure steps of all areas. Caller: workers/, by the
 * manifest. Scale by adding processes.
 */
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { OrphanKeySweep, type OrphanKeySweepDependencies, rewrapKeys } from '../../platform/personal/key-sweep.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { RepeatedTask } from '../../platform/process/repeat.ts';
import { customerShape, customerStoreOptions } from './customer-config.ts';
import { CustomerMetrics } from './customer-metrics.ts';
import { CUSTOMER } from './customer-subject.ts';
import { readEndingFigures } from './ending-figures.ts';
import { createErasureActivities } from './erasure-activities.ts';
import { ProfileLifecycleStore } from './profile-lifecycle-store.ts';
import { endLateProfiles, type ProfileSweepDependencies, startLostErasures, sweepProfiles } from './profile-sweep.ts';
import { createTemporaryProfileActivities } from './temporary-profile-activities.ts';

const SWEEP_EVERY_MS = 5_000;
const LOST_EVERY_MS = 30_000;
const KEYS_EVERY_MS = 60_000;
const ORPHANS_EVERY_MS = 3_600_000;
const COUNT_EVERY_MS = 10_000;
/** By then either the profile's workflow or a sweep has ended it. */
const LATE_AFTER_MS = 30_000;

export const customersRole: RoleCode<WorkerBase, WorkerPart> = {
  create: async (base) => {
    const { log, mongo, temporal, areas } = base;
    const config = base.readConfig(customerShape);
    const keysConnection = await base.connectKeys(config.CUSTOMER_KEYS_MONGODB_URI);
    const databases = { connection: mongo, keysConnection, environment: base.eventEnvironment };
    const options = customerStoreOptions(config, databases);
    const profiles = new ProfileLifecycleStore(options);
    const metrics = new CustomerMetrics(base.registry);
    const steps = (await Promise.all(areas.map(async (area) => (await area.erasureSteps?.(base)) ?? []))).flat();
    const sweep = { profiles, temporal, log, onOverdue: (count: number) => metrics.overdue(count) };
    const { keys } = options;
    const listKept: OrphanKeySweepDependencies['listKept'] = (subjects) => profiles.listKept(subjects);
    return {
      activities: {
        ...createTemporaryProfileActivities({ profiles }),
        ...createErasureActivities({ profiles, steps, log, onErased: (erasure) => metrics.erased(erasure) }),
      },
      repeated: listTasks(base, metrics, sweep, { kind: CUSTOMER.kind, keys, listKept, log }),
    };
  },
};

function listTasks(
  { mongo }: WorkerBase,
  metrics: CustomerMetrics,
  sweep: ProfileSweepDependencies,
  keySweep: OrphanKeySweepDependencies & { readonly keys: Pick<SubjectKeys, 'rewrapKeys'> },
): readonly RepeatedTask[] {
  const orphans = new OrphanKeySweep(keySweep);
  const count = async () => metrics.show(await readEndingFigures(mongo, new Date(Date.now() - LATE_AFTER_MS)));
  return [
    { name: 'profile-sweep', everyMs: SWEEP_EVERY_MS, run: () => sweepProfiles(sweep) },
    { name: 'late-profiles', everyMs: SWEEP_EVERY_MS, run: () => endLateProfiles(sweep) },
    { name: 'lost-erasures', everyMs: LOST_EVERY_MS, run: () => startLostErasures(sweep) },
    { name: 'endings-counted', everyMs: COUNT_EVERY_MS, run: count },
    { name: 'key-wrapping', everyMs: KEYS_EVERY_MS, run: () => rewrapKeys(keySweep) },
    { name: 'orphan-keys', everyMs: ORPHANS_EVERY_MS, run: () => orphans.run() },
  ];
}
