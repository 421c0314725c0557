/** The variables that worker processes read. Each role adds its own in its manifest. */
import { z } from 'zod';
import type { WorkerRole } from '../../platform/area.ts';
import {
  environmentShape,
  fields,
  listenShape,
  mongoShape,
  objectStoreShape,
  temporalShape,
} from '../../platform/config.ts';
import { VERSIONING_MODES } from '../../platform/temporal/version-take-over.ts';

/** Of every role; all that a role without a task queue needs. */
export const roleShape = {
  ...environmentShape,
  ...mongoShape,
  /** For health and metrics. */
  ...listenShape,
};

/** Of roles with a task queue. */
export const queueShape = {
  ...objectStoreShape,
  ...temporalShape,
  /** File made by workers/build-bundle.ts. Its checksum tells operators which build a worker runs. */
  WORKFLOW_BUNDLE: z.string(),
  /** How a build comes to get the work; see version-take-over.ts. In development `at-start` unless given. */
  WORKER_VERSIONING: z.enum(VERSIONING_MODES).optional(),
  /** More than the minute after which a waiting worker asks again. */
  WORKER_STRANDED_SECONDS: z.coerce.number().int().min(1).default(150),
  /** After SIGTERM: how long running tasks may take to end by themselves, then to end cancelled. */
  WORKER_GRACE_MS: fields.milliseconds.default(20_000),
  WORKER_FORCE_MS: fields.milliseconds.default(30_000),
};

export type QueueConfig = z.infer<z.ZodObject<typeof roleShape & typeof queueShape>>;

/** Everything that a process of these roles reads. */
export function shapeOf(roles: readonly WorkerRole[]): z.ZodRawShape {
  const hasQueue = roles.some(({ queue }) => queue !== undefined);
  const own = Object.assign({}, ...roles.map(({ config }) => config)) as z.ZodRawShape;
  return { ...roleShape, ...(hasQueue && queueShape), ...own };
}
