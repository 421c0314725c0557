/** What the API process reads from its environment; each area adds its own in `api/<area>/compose.ts`. */
import { z } from 'zod';
import { environmentShape, mongoShape, objectStoreShape, parseConfig, temporalShape } from '../platform/config.ts';
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
  /** No proxy is believed unless configured: failed log-ins are counted by address. */
  ...httpServerShape(),
  ...issuerShape,
  /** Of the headers that are written `Service-…` in the documents. */
  HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be the start of a header name')
    .default('Service'),
  /** Base URL of the journey planner, to which its paths are handed on; none: this process has nothing at them. */
  PLANNER_URL: z.url({ protocol: /^http$/ }).optional(),
  /** Origins of the documentation pages, comma-separated: browsers on others are refused. */
  ALLOWED_ORIGINS: list,
  /** From when operations marked deprecated are so, and when they go: at least six months later. */
  DEPRECATED_AT: z.coerce.date().default(new Date('2026-11-21T00:00:00Z')),
  SUNSET_AT: z.coerce.date().default(new Date('2027-11-21T00:00:00Z')),
};

export type ApiConfig = z.infer<z.ZodObject<typeof shape>>;

/** Parses with the variables of the areas, so that one error names everything that is wrong. Throws ConfigError. */
export function readApiConfig(areas: readonly { readonly config: z.ZodRawShape }[]): ApiConfig {
  parseConfig(Object.assign({}, ...areas.map(({ config }) => config), shape) as z.ZodRawShape);
  return checkIssuer(parseConfig(shape));
}
