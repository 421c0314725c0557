/**
 * The configuration of a journey planner process, read from its environment. Callers: `server.ts`, which passes it to
 * every router in the {@link PlannerContext}. Add each new variable to docs/configuration.md, too.
 */
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseIdKeys } from '../../planner/identity/id-keys.ts';
import {
  environmentShape,
  fields,
  mongoShape,
  objectStoreShape,
  parseConfig,
  publicKeys,
} from '../../platform/config.ts';
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
  /** No proxy is trusted by default, so name the address of the API that forwards requests to this process. */
  ...httpServerShape(),
  ...mongoShape,
  ...objectStoreShape,
  ...graphqlLimitsShape,
  ...callerLimitsShape,
  /** Prefix of the headers that the documents call `Service-…`. `<Prefix>-Client-Name` names the client. */
  HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be the start of a header name')
    .default('Service'),
  /** Further names of the client-name header, comma-separated. */
  CLIENT_NAME_HEADERS: names.default(['ET-Client-Name']),
  /** Origins of the documentation pages, comma-separated. Browsers on other origins are refused. */
  ALLOWED_ORIGINS: names.default([]),
  /** Zone of times without an authority. */
  TIME_ZONE: fields.timeZone.default('Europe/Oslo'),
  /**
   * Keys that sign the ids of trip patterns and legs, comma-separated as `id:base64 of 32 bytes`. The first key signs,
   * and all keys verify. They must be the same for every planner process.
   */
  PLANNER_ID_KEYS: idKeys,
  /** Public keys of the worker that makes snapshots. A snapshot without its signature is not used. */
  PLANNER_PUBLIC_KEYS: publicKeys('PLANNER_PUBLIC_KEYS'),
  /** Number of search threads. One per core is best. */
  PLANNER_THREADS: count.max(64).default(availableParallelism()),
  /** Folder for a copy of the snapshot, so that a restarted process does not wait for the object store. */
  PLANNER_CACHE_DIR: z.string().default(join(tmpdir(), 'samferd-planner')),
  /**
   * CSV file of addresses for the geocoder: `id,name,street number,post code,place,lat,lon`. Without it the geocoder
   * has stop places only.
   */
  GEOCODER_ADDRESSES: z.string().optional(),
  /** Folder of the built query page. `npm run build:ide` writes it to the default. */
  IDE_DIRECTORY: z.string().default(join(import.meta.dirname, '../../dist/ide')),
  /** Interval at which a process reads the pointer to the newest snapshot. */
  PLANNER_POLL_MS: fields.milliseconds.min(50).default(1_000),
};

export type PlannerConfig = z.infer<z.ZodObject<typeof shape>>;

export function readPlannerConfig(environment?: Readonly<Record<string, string | undefined>>): PlannerConfig {
  return parseConfig(shape, environment);
}
