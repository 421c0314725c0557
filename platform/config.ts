/**
 * Configuration: every process states the variables it reads as one schema and parses the environment once at start.
 * The only place that touches `process.env`.
 */
import { z } from 'zod';
import { type KeyRing, parseKeyRing } from './keys/key-ring.ts';
import { type PublicKeys, parsePublicKeys, parseSigningKeys, type SigningKeys } from './keys/signing-keys.ts';
import { tracingShape } from './tracing/tracing.ts';

/** Names the variable and its fault, and stops the process that needs it. Never shows the value. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable: ${problems.join('; ')}`);
    this.name = 'ConfigError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Parses what `shape` names; an empty variable counts as absent. Throws {@link ConfigError}. */
export function parseConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Environment = process.env,
): z.infer<z.ZodObject<Shape>> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = z.object(shape).safeParse(given);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  return result.data;
}

/** Parses for one of several servers in a process: `PAYMENT_PAGE__PORT` is the `PORT` of `payment-page`, and of no other. */
export function readConfigOf(
  name: string,
  environment: Environment = process.env,
): <Shape extends z.ZodRawShape>(shape: Shape) => z.infer<z.ZodObject<Shape>> {
  const prefix = `${name.toUpperCase().replaceAll('-', '_')}__`;
  const own = Object.entries(environment).flatMap(([variable, value]) =>
    variable.startsWith(prefix) ? [[variable.slice(prefix.length), value] as const] : [],
  );
  const merged = { ...environment, ...Object.fromEntries(own) };
  return (shape) => parseConfig(shape, merged);
}

export const port = z.coerce.number().int().min(0).max(65_535);
/** A list of keys, `keyId:base64 of 32 bytes`, comma-separated: the first writes, all read. */
export function keyRing(variable: string) {
  return parsedBy((text): KeyRing => parseKeyRing(text, variable));
}

/** The same of private Ed25519 keys: the first signs, all verify. */
export function signingKeys(variable: string) {
  return parsedBy((text): SigningKeys => parseSigningKeys(text, variable));
}

/** The same of public Ed25519 keys, which only verify. */
export function publicKeys(variable: string) {
  return parsedBy((text): PublicKeys => parsePublicKeys(text, variable));
}

/** An error that `parse` throws is the fault of the variable. */
function parsedBy<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context): Value => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
}

const bytes = z.coerce.number().int().positive();
const milliseconds = z.coerce.number().int().nonnegative();

export const environmentShape = {
  ENVIRONMENT: z.enum(['development', 'staging', 'production']),
  ...tracingShape,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** The revision that the image was built from, for metrics. */
  BUILD_REVISION: z.string().max(64).default('unknown'),
};

export const mongoShape = { MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb://') };

export const objectStoreShape = {
  S3_ENDPOINT: z.url(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().default('samferd'),
  S3_ACCESS_KEY_ID: z.string(),
  S3_SECRET_ACCESS_KEY: z.string(),
};

export const temporalShape = {
  TEMPORAL_ADDRESS: z.string().regex(/^[^/]+:\d+$/, 'must be host:port'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /** PEM: the authority of the server's certificate. Connections are encrypted when it is set. */
  TEMPORAL_TLS_CA_FILE: z.string().optional(),
  /** PEM: the certificate and key of this process. */
  TEMPORAL_TLS_CERT_FILE: z.string().optional(),
  TEMPORAL_TLS_KEY_FILE: z.string().optional(),
  /** The name in the server's certificate where it is not that of the address. */
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  /** A JSON Web Token with the role of this process in the namespace; read again when it changes. */
  TEMPORAL_AUTH_TOKEN_FILE: z.string().optional(),
  /** `keyId:base64 of 32 bytes`, comma-separated; the first writes, all read. */
  PAYLOAD_KEYS: z.string(),
};

/** Listen address. Port 0 takes a free one. */
export const listenShape = {
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  /** Time for running requests to end after SIGTERM. */
  SHUTDOWN_GRACE_MS: milliseconds.default(20_000),
};

/**
 * An IANA name. Temporal must know it too: it takes no offsets, and no other capitals than the list has, which data may
 * (`isTimeZone`).
 */
const timeZone = z.string().refine(isListedZone, 'must be a time zone of the IANA list, as Europe/Oslo');

function isListedZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return /^[A-Z]/.test(name) && (timeZone === name || timeZone.toLowerCase() !== name.toLowerCase());
  } catch {
    return false;
  }
}

export const fields = { bytes, milliseconds, port, timeZone };
