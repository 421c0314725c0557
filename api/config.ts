/** Configuration of the API process. Each area adds its own in `api/<area>/compose.ts`. */
import { z } from 'zod';
import {
  environmentShape,
  keyRing,
  mongoShape,
  objectStoreShape,
  parseConfig,
  temporalShape,
} from '../platform/config.ts';
import { auditedCallsShape } from './shared/audited-calls.ts';
import { httpServerShape } from './shared/http-server-options.ts';
import { checkIssuer, issuerShape } from './shared/issuer.ts';

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((item) => item !== ''));

const shape = {
  ...environmentShape,
  ...mongoShape,
  ...objectStoreShape,
  ...temporalShape,
  /** No proxy is trusted by default, because a trusted one says where a caller is and whether it used HTTPS. */
  ...httpServerShape(),
  ...issuerShape,
  ...auditedCallsShape,
  /** Hash the requests that come with an `Idempotency-Key`, so that a repeat is recognised. */
  IDEMPOTENCY_KEYS: keyRing('IDEMPOTENCY_KEYS'),
  /** Replaces `Service` in the headers that the documents write `Service-…`. */
  HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be the start of a header name')
    .default('Service'),
  /** Base URL of the journey planner. Requests to its paths are forwarded there; without it they get 404. */
  PLANNER_URL: z.url({ protocol: /^http$/ }).optional(),
  /** Origins of the documentation pages, comma-separated. Browsers on other sites are refused. */
  ALLOWED_ORIGINS: list,
  /** When deprecated operations became so, and when they end: at least six months later. */
  DEPRECATED_AT: z.coerce.date().default(new Date('2026-11-21T00:00:00Z')),
  SUNSET_AT: z.coerce.date().default(new Date('2027-11-21T00:00:00Z')),
};

export type ApiConfig = z.infer<z.ZodObject<typeof shape>>;

/** Parses with the variables of the areas, so that one error names everything that is wrong. Throws ConfigError. */
export function readApiConfig(areas: readonly { readonly config: z.ZodRawShape }[]): ApiConfig {
  parseConfig(Object.assign({}, ...areas.map(({ config }) => config), shape) as z.ZodRawShape);
  return checkIssuer(parseConfig(shape));
}
