/** The variables that the roles of this area read, each role those that it needs. Callers: area.ts, the roles, the API. */
import { z } from 'zod';
import type { ArchiveLimits } from '../../netex/zip/index.ts';
import { DEFAULT_ARCHIVE_LIMITS as LIMITS } from '../../netex/zip/limits.ts';
import { fields, publicKeys, signingKeys } from '../../platform/config.ts';

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

/**
 * `off` when there is no planner: then no snapshot is built, imports end without that step, and withdrawals signal
 * nothing.
 */
export const plannerShape = { PLANNER: z.enum(['on', 'off']).default('on') };

const day = z.iso.date();

/** The contents of snapshots, and how long a build waits for further changes. */
export const plannerBuildShape = {
  PLANNER_QUIET_MS: fields.milliseconds.default(10_000),
  /** Service days outside the period are left out; default: all published days. */
  PLANNER_FROM: day.optional(),
  PLANNER_TO: day.optional(),
  /** Private keys that sign snapshots: the first signs, all verify what has been built before. */
  PLANNER_SIGNING_KEYS: signingKeys('PLANNER_SIGNING_KEYS'),
};

/** Public halves of the keys that sign snapshots. */
export const readerShape = { PLANNER_PUBLIC_KEYS: publicKeys('PLANNER_PUBLIC_KEYS') };

/**
 * Time of the nightly refresh of private datasets, and the zone that decides the day. When the clocks skip an hour at
 * night (from two to three in most of Europe), no time within that hour exists. That night nothing is made.
 */
export const refreshShape = {
  TIME_ZONE: fields.timeZone.default('Europe/Oslo'),
  REFRESH_TIME: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be hh:mm')
    .default('03:30'),
};

/** netex/zip/limits.ts gives the reason for each. */
export const archiveShape = {
  ARCHIVE_MAX_ENTRIES: z.coerce.number().int().positive().default(LIMITS.maxEntries),
  /** Default: netex/zip/limits.ts; for the validation worker what its memory allows. */
  ARCHIVE_MAX_ENTRY_BYTES: fields.bytes.optional(),
  ARCHIVE_MAX_TOTAL_BYTES: fields.bytes.default(LIMITS.maxTotalBytes),
  ARCHIVE_MAX_RATIO: z.coerce.number().positive().default(LIMITS.maxRatio),
};

export const severityShape = {
  /** A JSON file: `{"profiles": {"flex": {"CODE": "WARNING"}}, "codespaces": {"abc": {"CODE": "ERROR"}}}`. */
  RULE_SEVERITIES: z.string().optional(),
};

/** Folders of the NeTEx schemas, as fetched by the set-up, and of their compiled form. */
export const schemaShape = {
  NETEX_XSD_DIR: z.string(),
  /**
   * Keeps compiled schemas, so that a restart does not compile them again. No other user may write there; default: not
   * kept.
   */
  NETEX_SCHEMA_IMAGES: z.string().optional(),
};

export const timetableRoleShape = {
  ...stopRegisterShape,
  ...archiveShape,
  ...refreshShape,
  ...severityShape,
  ...plannerShape,
};
/** Memory that the validation worker may use. Default: the limit of its container, else half of the machine's. */
export const memoryShape = { VALIDATION_MEMORY_BYTES: fields.bytes.optional() };

export const validationRoleShape = { ...stopRegisterShape, ...archiveShape, ...schemaShape, ...memoryShape };
export const plannerBuildRoleShape = { ...stopRegisterShape, ...archiveShape, ...plannerBuildShape };

export function archiveLimits(
  config: z.infer<z.ZodObject<typeof archiveShape>>,
  maxEntryBytes = LIMITS.maxEntryBytes,
): ArchiveLimits {
  return {
    ...LIMITS,
    maxEntries: config.ARCHIVE_MAX_ENTRIES,
    maxEntryBytes: config.ARCHIVE_MAX_ENTRY_BYTES ?? maxEntryBytes,
    maxTotalBytes: config.ARCHIVE_MAX_TOTAL_BYTES,
    maxRatio: config.ARCHIVE_MAX_RATIO,
  };
}
