/** How the events worker reaches the brokers of Kafka. Callers: the manifest, the role, the publisher's job. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from '../../platform/config.ts';

const BROKER = /^[^\s:,/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/;

export const kafkaShape = {
  /** Where events are published, too. Absent: nowhere. */
  KAFKA_BROKERS: z
    .string()
    .optional()
    .transform((text, context) => {
      const brokers = (text ?? '').split(',').map((each) => each.trim());
      if (brokers.join('') === '') return [];
      if (brokers.every((each) => BROKER.test(each))) return brokers;
      context.addIssue({ code: 'custom', message: 'must be host:port, comma-separated' });
      return z.NEVER;
    }),
  /** Outside development it must be said: without it events of all organisations would go in the clear unnoticed. */
  KAFKA_TLS: z.enum(['true', 'false', '']).default(''),
  /** PEM: the authority of the brokers' certificates, where it is not a public one. */
  KAFKA_TLS_CA_FILE: z.string().optional(),
  KAFKA_USERNAME: z.string().optional(),
  KAFKA_PASSWORD: z.string().optional(),
};

export type KafkaConfig = z.infer<z.ZodObject<typeof kafkaShape>>;

export interface KafkaAccess {
  readonly brokers: readonly string[];
  readonly tls?: { readonly ca?: string };
  readonly login?: { readonly username: string; readonly password: string };
}

/** Undefined where no brokers are configured. Throws ConfigError. */
export function kafkaAccessOf(
  config: KafkaConfig,
  environment: 'dev' | 'staging' | 'production',
): KafkaAccess | undefined {
  const { KAFKA_BROKERS: brokers, KAFKA_TLS, KAFKA_TLS_CA_FILE: file } = config;
  const { KAFKA_USERNAME: username = '', KAFKA_PASSWORD: password = '' } = config;
  if (brokers.length === 0) return undefined;
  const encrypted = KAFKA_TLS === 'true';
  if ((username === '') !== (password === ''))
    throw new ConfigError(['KAFKA_USERNAME and KAFKA_PASSWORD: set both or neither']);
  if (username !== '' && !encrypted && environment !== 'dev')
    throw new ConfigError(['KAFKA_PASSWORD: must not be sent in the clear; set KAFKA_TLS=true']);
  if (KAFKA_TLS === '' && environment !== 'dev')
    throw new ConfigError(['KAFKA_TLS: must be true, or false where events may cross the network in the clear']);
  const login = username === '' ? {} : { login: { username, password } };
  if (!encrypted) return { brokers, ...login };
  return { brokers, ...login, tls: file === undefined || file === '' ? {} : { ca: readAuthority(file) } };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError([`KAFKA_TLS_CA_FILE: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
