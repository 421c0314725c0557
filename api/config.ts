/** What the API process reads from its environment. */
import { z } from 'zod';
import { customerShape } from '../activities/customers/customer-config.ts';
import {
  environmentShape,
  fields,
  mongoShape,
  objectStoreShape,
  parseConfig,
  temporalShape,
} from '../platform/config.ts';
import { authenticateShape } from './customers/config.ts';
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
  ...customerShape,
  ...authenticateShape,
  /** No proxy is believed unless configured: failed log-ins are counted by address. */
  ...httpServerShape(),
  /** JSON; loaded when there is no catalogue yet. */
  CATALOGUE_FILE: z.string().optional(),
  ...issuerShape,
  /** Of the headers that are written `Service-…` in the documents. */
  HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'must be the start of a header name')
    .default('Service'),
  /** Base URL of the journey planner, to which its paths are handed on; none: this process has nothing at them. */
  PLANNER_URL: z.url({ protocol: /^http$/ }).optional(),
  UPLOAD_LIMIT_BYTES: fields.bytes.default(150_000_000),
  /** Origins of the documentation pages, comma-separated: browsers on others are refused. */
  ALLOWED_ORIGINS: list,
  /** From when operations marked deprecated are so, and when they go: at least six months later. */
  DEPRECATED_AT: z.coerce.date().default(new Date('2026-11-21T00:00:00Z')),
  SUNSET_AT: z.coerce.date().default(new Date('2027-11-21T00:00:00Z')),
};

export type ApiConfig = z.infer<z.ZodObject<typeof shape>>;

export function readApiConfig(): ApiConfig {
  return checkIssuer(parseConfig(shape));
}
