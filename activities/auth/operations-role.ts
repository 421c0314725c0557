/**
 * The role of the queue `operations`. It rotates the keys that sign access tokens and keeps the schedule of rotations.
 * When `KEY_ENCRYPTION_KEY` begins with another key, it seals the private parts again. Caller: workers/, by the
 * manifest. One process is enough; more share the work.
 */
import type { ReadConfig, RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { ConfigError, environmentShape } from '../../platform/config.ts';
import { AUDIT_TRAIL, type AuditTrail, evenUnrecorded } from '../shared/audit.ts';
import { operationsRoleShape } from './operations-config.ts';
import { ensureRotationSchedule } from './rotation-schedule.ts';
import { SigningKeyMetrics } from './signing-key-metrics.ts';
import { createRotationActivities } from './signing-key-rotation-activities.ts';
import { SigningKeyRotationStore } from './signing-key-rotation-store.ts';
import { PUBLISHED_AHEAD_SECONDS } from './signing-key-times.ts';

const KEYS_EVERY_MS = 15_000;
/** Repeated, so that a Temporal that lost its storage gets the schedule back. */
const SCHEDULE_EVERY_MS = 60_000;

function checkConfig(readConfig: ReadConfig): void {
  const { ENVIRONMENT, KEY_PUBLISHED_AHEAD_SECONDS } = readConfig({ ...environmentShape, ...operationsRoleShape });
  if (ENVIRONMENT !== 'development' && KEY_PUBLISHED_AHEAD_SECONDS < PUBLISHED_AHEAD_SECONDS) {
    throw new ConfigError([`KEY_PUBLISHED_AHEAD_SECONDS: must be at least ${PUBLISHED_AHEAD_SECONDS}`]);
  }
}

export const operationsRole: RoleCode<WorkerBase, WorkerPart> = {
  checkConfig,
  create: async ({ log, mongo, temporal, registry, interfaces, readConfig }) => {
    const config = readConfig(operationsRoleShape);
    const trail = interfaces.get(AUDIT_TRAIL);
    const openKeys = (by: AuditTrail) =>
      new SigningKeyRotationStore({
        connection: mongo,
        encryptionKeys: config.KEY_ENCRYPTION_KEY,
        publishedAheadSeconds: config.KEY_PUBLISHED_AHEAD_SECONDS,
        audit: { trail: by, actor: { kind: 'PROCESS', id: 'operations-worker' } },
      });
    const [keys, withdrawals] = [openKeys(trail), openKeys(evenUnrecorded(trail))];
    const metrics = new SigningKeyMetrics(registry);
    const times = { cron: config.KEY_ROTATION_SCHEDULE, timeZone: config.TIME_ZONE };
    const keepKeys = async (): Promise<void> => {
      metrics.show(await keys.list());
      const sealed = await keys.resealKeys();
      if (sealed > 0) log.info({ keys: sealed }, 'sealed signing keys with the writing key');
    };
    return {
      activities: createRotationActivities({ keys, withdrawals, log }),
      repeated: [
        { name: 'signing-keys', everyMs: KEYS_EVERY_MS, run: keepKeys },
        { name: 'rotation-schedule', everyMs: SCHEDULE_EVERY_MS, run: () => ensureRotationSchedule(temporal, times) },
      ],
    };
  },
};
