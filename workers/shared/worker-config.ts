/** The variables that worker processes read. Each role adds its own in its manifest. */
import { z } from 'zod';
import type { Area, WorkerRole } from '../../platform/area.ts';
import {
  environmentShape,
  fields,
  listenShape,
  mongoShape,
  objectStoreShape,
  temporalShape,
} from '../../platform/config.ts';
import { usesObjects } from '../../platform/privileges/process-privileges.ts';
import { VERSIONING_MODES } from '../../platform/temporal/version-take-over.ts';

/** Variables of every role; a role without a task queue needs no others. */
export const roleShape = {
  ...environmentShape,
  ...mongoShape,
  /** Listen address of health and metrics. */
  ...listenShape,
};

/** Variables of roles with a task queue. */
export const queueShape = {
  ...temporalShape,
  /** File made by workers/build-bundle.ts. Its checksum shows operators which build a worker runs. */
  WORKFLOW_BUNDLE: z.string(),
  /** How builds take over; see version-take-over.ts. The default in development is `at-start`. */
  WORKER_VERSIONING: z.enum(VERSIONING_MODES).optional(),
  /** Longer than the minute after which a waiting worker polls again. */
  WORKER_STRANDED_SECONDS: z.coerce.number().int().min(1).default(150),
  /** After SIGTERM: time for running tasks to end by themselves, and then again to end cancelled. */
  WORKER_GRACE_MS: fields.milliseconds.default(20_000),
  WORKER_FORCE_MS: fields.milliseconds.default(30_000),
};

/** Variables of roles that read or write objects. */
export const objectsShape = objectStoreShape;

export type QueueConfig = z.infer<z.ZodObject<typeof roleShape & typeof queueShape>>;

/** All variables that a process of these roles reads. */
export function shapeOf(roles: readonly WorkerRole[], areas: readonly Area[]): z.ZodRawShape {
  const hasQueue = roles.some(({ queue }) => queue !== undefined);
  const own = Object.assign({}, ...roles.map(({ config }) => config)) as z.ZodRawShape;
  const hasObjects = usesObjects(
    roles.map(({ name }) => name),
    areas,
  );
  return { ...roleShape, ...(hasQueue && queueShape), ...(hasObjects && objectsShape), ...own };
}
