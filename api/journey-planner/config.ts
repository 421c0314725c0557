/**
 * What a journey planner process reads from its environment. Callers: `server.ts`, which hands it to every router through
 * the {@link PlannerContext}. Add each new variable to docs/configuration.md too.
 */
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseIdKeys } from '../../planner/identity/id-keys.ts';
import { environmentShape, fields, mongoShape, objectStoreShape, parseConfig } from '../../platform/config.ts';
import { httpServerShape } from '../shared/http-server-options.ts';
import { callerLimitsShape } from './callers/caller-limits.ts';
import { graphqlLimitsShape } from './guards/limits.ts';

const count = z.coerce.number().int().positive();
const names = z.string().transform((text) => text.split(',').filter((item) => item !== ''));

const idKeys = z.string().transform((text, context) => {
  try {
    return parseIdKeys(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
});

const shape = {
  ...environmentShape,
  /** The API hands requests on to this process, usually on the same machine. */
  ...httpServerShape('127.0.0.0/8,::1'),
  ...mongoShape,
  ...objectStoreShape,
  ...graphqlLimitsShape,
  ...callerLimitsShape,
  /** Of the headers that are written `Service-…` in the documents; `<Prefix>-Client-Name` says who asks. */
  HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be the start of a header name')
    .default('Service'),
  /** Further names of the client-name header, comma-separated. */
  CLIENT_NAME_HEADERS: names.default(['ET-Client-Name']),
  /** Origins of the documentation pages, comma-separated: browsers on others are refused. */
  ALLOWED_ORIGINS: names.default([]),
  /** Zone of times that belong to no authority. */
  TIME_ZONE: fields.timeZone.default('Europe/Oslo'),
  /**
   * Sign the ids of trip patterns and legs; the same for every planner process. `id:base64 of 32 bytes`, comma-separated: the first
   * signs, all are read.
   */
  PLANNER_ID_KEYS: idKeys,
  /** Searches at once; one a core is best. */
  PLANNER_THREADS: count.max(64).default(availableParallelism()),
  /** The snapshot is kept here too, so that a restarted process does not wait for the object store. */
  PLANNER_CACHE_DIR: z.string().default(join(tmpdir(), 'samferd-planner')),
  /** CSV file of addresses for the geocoder: `id,name,street number,post code,place,lat,lon`; none: stop places only. */
  GEOCODER_ADDRESSES: z.string().optional(),
  /** The built query page; `npm run build:ide` makes it where it is looked for by default. */
  IDE_DIRECTORY: z.string().default(join(import.meta.dirname, '../../dist/ide')),
  /** How often the pointer to the newest snapshot is read. */
  PLANNER_POLL_MS: fields.milliseconds.min(50).default(1_000),
};

export type PlannerConfig = z.infer<z.ZodObject<typeof shape>>;

export function readPlannerConfig(environment?: Readonly<Record<string, string | undefined>>): PlannerConfig {
  return parseConfig(shape, environment);
}
