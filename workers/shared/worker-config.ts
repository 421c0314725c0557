/** The variables that every worker reads. Each worker adds its own. */
import { hostname } from 'node:os';
import { z } from 'zod';
import type { ArchiveLimits } from '../../netex/zip/index.ts';
import { DEFAULT_ARCHIVE_LIMITS as LIMITS } from '../../netex/zip/limits.ts';
import {
  environmentShape,
  fields,
  listenShape,
  mongoShape,
  objectStoreShape,
  temporalShape,
} from '../../platform/config.ts';
import { VERSIONING_MODES } from '../../platform/temporal/version-take-over.ts';

export const workerShape = {
  ...environmentShape,
  ...mongoShape,
  ...objectStoreShape,
  ...temporalShape,
  /** For health and metrics. */
  ...listenShape,
  /** File made by workers/build-bundle.ts. Its checksum tells operators which build a worker runs. */
  WORKFLOW_BUNDLE: z.string(),
  /** Who says which build gets the work; see version-take-over.ts. In development `at-start` unless given. */
  WORKER_VERSIONING: z.enum(VERSIONING_MODES).optional(),
  /** More than a worker that waits for work lets pass before it asks again: a minute. */
  WORKER_STRANDED_SECONDS: z.coerce.number().int().min(1).default(150),
  /** After SIGTERM: how long running tasks may take to end by themselves, then to end cancelled. */
  WORKER_GRACE_MS: fields.milliseconds.default(20_000),
  WORKER_FORCE_MS: fields.milliseconds.default(30_000),
};

/** A codespace is three lower-case letters; the stop register's decides which dataset all others refer to. */
export const stopRegisterShape = {
  STOP_REGISTER_CODESPACE: z
    .string()
    .regex(/^[a-z]{3}$/)
    .default('nsr'),
  STOP_REGISTER_XMLNS: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('NSR'),
};

/** `off` where nobody plans journeys: then nothing is built for it, and imports end without that step. */
export const plannerShape = { PLANNER: z.enum(['on', 'off']).default('on') };

const day = z.iso.date();

/** Of what the snapshots hold, and how long the build waits for further changes. */
export const plannerBuildShape = {
  PLANNER_QUIET_MS: fields.milliseconds.default(10_000),
  /** Service days outside are left out; none: every day that is published. */
  PLANNER_FROM: day.optional(),
  PLANNER_TO: day.optional(),
};

/**
 * When the private datasets are made anew, and which day it is then. Of an hour that the clocks leave out once a year, from
 * two to three in most of Europe, that night has none.
 */
export const refreshShape = {
  TIME_ZONE: fields.timeZone.default('Europe/Oslo'),
  REFRESH_TIME: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be hh:mm')
    .default('03:30'),
};

/** See netex/zip/limits.ts for the reason of each. */
export const archiveShape = {
  ARCHIVE_MAX_ENTRIES: z.coerce.number().int().positive().default(LIMITS.maxEntries),
  ARCHIVE_MAX_ENTRY_BYTES: fields.bytes.default(LIMITS.maxEntryBytes),
  ARCHIVE_MAX_TOTAL_BYTES: fields.bytes.default(LIMITS.maxTotalBytes),
  ARCHIVE_MAX_RATIO: z.coerce.number().positive().default(LIMITS.maxRatio),
};

export function archiveLimits(config: z.infer<z.ZodObject<typeof archiveShape>>): ArchiveLimits {
  return {
    ...LIMITS,
    maxEntries: config.ARCHIVE_MAX_ENTRIES,
    maxEntryBytes: config.ARCHIVE_MAX_ENTRY_BYTES,
    maxTotalBytes: config.ARCHIVE_MAX_TOTAL_BYTES,
    maxRatio: config.ARCHIVE_MAX_RATIO,
  };
}

/** How Temporal names this process in histories. */
export function workerIdentity(name: string): string {
  return `${name} ${process.pid}@${hostname()}`;
}
