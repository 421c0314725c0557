/**
 * Worker of the queue `sales-customers`: runs the workflows of customers and their steps, and the sweeps that tell workflows
 * what crashes have left untold and keep the keys database in order. Here the erasure steps of all areas come together.
 * Scale by adding processes.
 */
import { customerShape, customerStoreOptions } from '../activities/customers/customer-config.ts';
import { CustomerMetrics } from '../activities/customers/customer-metrics.ts';
import { readEndingStanding } from '../activities/customers/ending-standing.ts';
import { createErasureActivities } from '../activities/customers/erasure-activities.ts';
import { storedAnswersStep } from '../activities/customers/erasure-step-answers.ts';
import { type KeySweepDependencies, OrphanKeySweep, rewrapKeys } from '../activities/customers/key-sweep.ts';
import { ProfileLifecycleStore } from '../activities/customers/profile-lifecycle-store.ts';
import { ProfileStore } from '../activities/customers/profile-store.ts';
import {
  endLateProfiles,
  type ProfileSweepDependencies,
  startLostErasures,
  sweepProfiles,
} from '../activities/customers/profile-sweep.ts';
import { createTemporaryProfileActivities } from '../activities/customers/temporary-profile-activities.ts';
import { parseConfig } from '../platform/config.ts';
import type { ErasureStep } from '../platform/erasure/erasure-step.ts';
import { eventEnvironment } from '../platform/events/outbox.ts';
import { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { connectMongo } from '../platform/mongo/mongo.ts';
import { connectPatiently } from '../platform/process/connect.ts';
import { repeat } from '../platform/process/repeat.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { TemporalClient } from '../platform/temporal/temporal.ts';
import { SALES_CUSTOMERS_QUEUE } from '../workflows/customers/messages.ts';
import { workerShape } from './shared/worker-config.ts';
import { startWorker, type WorkerBase, type WorkerPart } from './shared/worker-process.ts';

const SWEEP_EVERY_MS = 5_000;
const LOST_EVERY_MS = 30_000;
const KEYS_EVERY_MS = 60_000;
const ORPHANS_EVERY_MS = 3_600_000;
const COUNT_EVERY_MS = 10_000;
/** By then either the profile's workflow or a sweep has come to it. */
const LATE_AFTER_MS = 30_000;
/** Most sleep for months: what is not cached is read again when it wakes. */
const CACHED_WORKFLOWS = 500;
const AREA_STEPS_AT_ONCE = 20;
const DATABASE_STEPS_AT_ONCE = 50;

await runProcess(async () => {
  const config = parseConfig({ ...workerShape, ...customerShape });

  const createPart = async ({ log, mongo, metrics, bundle, repeating }: WorkerBase): Promise<WorkerPart> => {
    const keysConnection = await connectPatiently('keys', log, () => connectMongo(config.CUSTOMER_KEYS_MONGODB_URI));
    const environment = eventEnvironment(config.ENVIRONMENT);
    const options = customerStoreOptions(config, { connection: mongo, keysConnection, environment });
    const { keys } = options;
    const [profiles, answers] = [new ProfileLifecycleStore(options), new IdempotencyStore(mongo)];
    await connectPatiently('mongodb', log, async () => {
      await keys.ensureIndexes();
      await new ProfileStore(options).ensureIndexes();
      await answers.ensureIndexes();
    });
    const told = new CustomerMetrics(metrics.registry);
    const temporal = new TemporalClient(config);
    const sweep: ProfileSweepDependencies = { profiles, temporal, log, onOverdue: (count) => told.overdue(count) };
    const keySweep: KeySweepDependencies = { keys, profiles, log };
    const orphans = new OrphanKeySweep(keySweep);
    /** Areas that come to keep what tells who a customer is add theirs. */
    const steps: readonly ErasureStep[] = [storedAnswersStep(answers)];
    const repeated = [
      repeat('sweep', SWEEP_EVERY_MS, repeating, () => sweepProfiles(sweep)),
      repeat('late-profiles', SWEEP_EVERY_MS, repeating, () => endLateProfiles(sweep)),
      repeat('lost-erasures', LOST_EVERY_MS, repeating, () => startLostErasures(sweep)),
      repeat('endings-counted', COUNT_EVERY_MS, repeating, async () =>
        told.show(await readEndingStanding(mongo, new Date(Date.now() - LATE_AFTER_MS))),
      ),
      repeat('key-wrapping', KEYS_EVERY_MS, repeating, () => rewrapKeys(keySweep)),
      repeat('orphan-keys', ORPHANS_EVERY_MS, repeating, () => orphans.run()),
    ];
    return {
      taskQueue: SALES_CUSTOMERS_QUEUE,
      versioning: 'AUTO_UPGRADE',
      options: {
        workflowBundle: { code: bundle.code },
        activities: {
          ...createTemporaryProfileActivities({ profiles }),
          ...createErasureActivities({ profiles, steps, log, onErased: (erasure) => told.erased(erasure) }),
        },
        maxCachedWorkflows: CACHED_WORKFLOWS,
        stickyQueueScheduleToStartTimeout: '1s',
        maxConcurrentActivityTaskExecutions: AREA_STEPS_AT_ONCE,
        maxConcurrentLocalActivityExecutions: DATABASE_STEPS_AT_ONCE,
        maxHeartbeatThrottleInterval: '1s',
      },
      checks: { customerKeys: async () => keysConnection.db?.command({ ping: 1 }, { timeoutMS: 2_000 }) },
      stop: [
        ...repeated.map((repetition) => () => repetition.stop()),
        () => temporal.close(),
        () => keysConnection.close(),
      ],
    };
  };

  return await startWorker('sales-customers-worker', config, createPart);
});
