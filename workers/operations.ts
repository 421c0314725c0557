/**
 * Worker of the queue `operations`: rotates the keys that sign access tokens, keeps the schedule of that, and seals their
 * private parts anew when KEY_ENCRYPTION_KEY has got a new key.
 * Scale by adding processes; one is enough.
 */
import { z } from 'zod';
import { ensureRotationSchedule, rotationShape } from '../activities/auth/rotation-schedule.ts';
import { SigningKeyMetrics } from '../activities/auth/signing-key-metrics.ts';
import { createRotationActivities } from '../activities/auth/signing-key-rotation-activities.ts';
import { SigningKeyRotationStore } from '../activities/auth/signing-key-rotation-store.ts';
import { keyEncryptionShape } from '../activities/auth/signing-key-sealing.ts';
import { PUBLISHED_AHEAD_SECONDS } from '../activities/auth/signing-key-times.ts';
import { ConfigError, parseConfig } from '../platform/config.ts';
import { connectPatiently } from '../platform/process/connect.ts';
import { repeat } from '../platform/process/repeat.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { TemporalClient } from '../platform/temporal/temporal.ts';
import { OPERATIONS_QUEUE } from '../workflows/auth/messages.ts';
import { workerShape } from './shared/worker-config.ts';
import { startWorker, type WorkerBase, type WorkerPart } from './shared/worker-process.ts';

const KEYS_EVERY_MS = 15_000;
/** Asked for again and again: a Temporal that lost its storage gets it back. */
const SCHEDULE_EVERY_MS = 60_000;
const CACHED_WORKFLOWS = 20;
const ACTIVITIES_AT_ONCE = 5;

const shape = {
  ...workerShape,
  ...keyEncryptionShape,
  ...rotationShape,
  KEY_PUBLISHED_AHEAD_SECONDS: z.coerce.number().int().min(1).max(604_800).default(PUBLISHED_AHEAD_SECONDS),
};

await runProcess(async () => {
  const config = parseConfig(shape);
  const { ENVIRONMENT, KEY_PUBLISHED_AHEAD_SECONDS: publishedAheadSeconds } = config;
  if (ENVIRONMENT !== 'development' && publishedAheadSeconds < PUBLISHED_AHEAD_SECONDS) {
    throw new ConfigError([`KEY_PUBLISHED_AHEAD_SECONDS: must be at least ${PUBLISHED_AHEAD_SECONDS}`]);
  }

  const createPart = async ({ log, mongo, metrics, bundle, repeating }: WorkerBase): Promise<WorkerPart> => {
    const encryptionKeys = config.KEY_ENCRYPTION_KEY;
    const keys = new SigningKeyRotationStore({ connection: mongo, encryptionKeys, publishedAheadSeconds });
    await connectPatiently('mongodb', log, () => keys.ensureIndexes());
    const told = new SigningKeyMetrics(metrics.registry);
    const temporal = new TemporalClient(config);
    const times = { cron: config.KEY_ROTATION_SCHEDULE, timeZone: config.TIME_ZONE };
    const keepKeys = async (): Promise<void> => {
      told.show(await keys.list());
      const sealed = await keys.resealKeys();
      if (sealed > 0) log.info({ keys: sealed }, 'sealed signing keys anew');
    };
    const repeated = [
      repeat('signing-keys', KEYS_EVERY_MS, repeating, keepKeys),
      repeat('rotation-schedule', SCHEDULE_EVERY_MS, repeating, () => ensureRotationSchedule(temporal, times)),
    ];
    return {
      taskQueue: OPERATIONS_QUEUE,
      versioning: 'AUTO_UPGRADE',
      options: {
        workflowBundle: { code: bundle.code },
        activities: createRotationActivities({ keys, log }),
        maxCachedWorkflows: CACHED_WORKFLOWS,
        stickyQueueScheduleToStartTimeout: '1s',
        maxConcurrentActivityTaskExecutions: ACTIVITIES_AT_ONCE,
      },
      stop: [...repeated.map((repetition) => () => repetition.stop()), () => temporal.close()],
    };
  };

  return await startWorker('operations-worker', config, createPart);
});
