/**
 * docker/compose.yaml as data. It knows only what this project uses of the Compose format, so that a misspelt key is a
 * fault and not a setting without effect. Callers: the checks of the composition, the try of it without an engine.
 */
import { parse } from 'yaml';
import { z } from 'zod';

const scalar = z.union([z.string(), z.number()]).transform(String);
const words = z.array(scalar);
const condition = z.enum(['service_started', 'service_healthy', 'service_completed_successfully']);

const healthcheck = z.strictObject({
  test: words,
  interval: z.string(),
  timeout: z.string(),
  retries: z.number(),
  start_period: z.string(),
  start_interval: z.string().optional(),
});

const service = z.strictObject({
  image: z.string().optional(),
  build: z
    .union([
      z.string().transform((context) => ({ context, dockerfile: 'Dockerfile', args: {} })),
      z.strictObject({ context: z.string(), dockerfile: z.string(), args: z.record(z.string(), scalar).default({}) }),
    ])
    .optional(),
  profiles: z.array(z.string()).default([]),
  entrypoint: words.optional(),
  command: words.default([]),
  environment: z.record(z.string(), scalar).default({}),
  depends_on: z.record(z.string(), z.strictObject({ condition })).default({}),
  healthcheck: healthcheck.optional(),
  ports: words.default([]),
  volumes: z
    .array(
      z.union([
        z.string(),
        z.strictObject({ type: z.literal('volume'), target: z.string() }).transform(({ target }) => target),
      ]),
    )
    .default([]),
  tmpfs: words.default([]),
  networks: z
    .union([
      z
        .array(z.string())
        .transform((names) => Object.fromEntries(names.map((name): [string, Attachment] => [name, {}]))),
      z.record(
        z.string(),
        z
          .strictObject({ ipv4_address: z.string().optional(), aliases: z.array(z.string()).default([]) })
          .transform((attachment): Attachment => attachment),
      ),
    ])
    .default({}),
  scale: scalar.optional(),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  user: z.string().optional(),
  network_mode: z.literal('none').optional(),
  read_only: z.boolean().default(false),
  cap_drop: words.default([]),
  cap_add: words.default([]),
  security_opt: words.default([]),
  mem_limit: z.string().optional(),
  shm_size: z.string().optional(),
  logging: z.object({ driver: z.string() }).optional(),
});

export interface Attachment {
  readonly ipv4_address?: string | undefined;
  readonly aliases?: readonly string[];
}

const network = z.strictObject({
  internal: z.boolean().default(false),
  ipam: z
    .strictObject({ config: z.array(z.strictObject({ subnet: z.string(), ip_range: z.string().optional() })) })
    .optional(),
});

const composeFile = z.strictObject({
  name: z.string().optional(),
  services: z.record(z.string(), service),
  networks: z.record(z.string(), network).default({}),
  volumes: z.record(z.string(), z.null()).default({}),
});

export type ComposeFile = z.infer<typeof composeFile>;
export type ComposeService = z.infer<typeof service>;

/**
 * With `values` in place of variables; without, as they stand. Throws for what is no such file and for variables that
 * are missing.
 */
export function readCompose(text: string, values?: Readonly<Record<string, string>>): ComposeFile {
  const document = parseOnce(text) as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(document).filter(([key]) => !key.startsWith('x-')));
  return composeFile.parse(values ? mapStrings(own, (each) => interpolate(each, values)) : own);
}

let last: { readonly text: string; readonly document: unknown } | undefined;

/** Keeps the last document, because several checks read one text in turn. Callers must not change it. */
function parseOnce(text: string): unknown {
  // The file is our own: each service takes several parts that all have in common.
  if (last?.text !== text) last = { text, document: parse(text, { merge: true, maxAliasCount: 1_000 }) };
  return last.document;
}

const REFERENCE = /\$(?:(\$)|\{([A-Z][A-Z0-9_]*)(?::([-?])([^}]*))?\}|(.|$))/g;

export interface VariableUse {
  readonly name: string;
  readonly usual?: string;
  /** The engine prints this when it is not set. */
  readonly required?: string;
}

/**
 * Every use of a variable in the text, comments left out. Throws for a form that is none of `${A}`, `${A:-b}`,
 * `${A:?why}`, `$$`.
 */
export function listVariables(text: string): readonly VariableUse[] {
  const uses: VariableUse[] = [];
  mapStrings(parseOnce(text), (each) => {
    for (const [, dollar, name, kind, rest = '', stray] of each.matchAll(REFERENCE)) {
      if (stray !== undefined) throw new Error(`A $ that names no variable: ${each}`);
      if (dollar || name === undefined) continue;
      uses.push({ name, ...(kind === '-' && { usual: rest }), ...(kind === '?' && { required: rest }) });
    }
    return each;
  });
  return uses;
}

export function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(REFERENCE, (_, dollar, name, kind, rest = '', stray) => {
    if (stray !== undefined) throw new Error(`A $ that names no variable: ${text}`);
    if (dollar) return '$';
    const value = values[name];
    if (value) return value;
    if (kind === '-') return rest;
    throw new Error(`${name} is not set${kind === '?' ? `: ${rest}` : ''}`);
  });
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, change)]));
}

/** `40s`, `2m`. */
export function toSeconds(duration: string): number {
  const [, count, unit] = /^(\d+)(s|m|h)$/.exec(duration) ?? [];
  if (count === undefined) throw new Error(`${duration} is no duration`);
  return Number(count) * { s: 1, m: 60, h: 3_600 }[unit as 's' | 'm' | 'h'];
}
