/** Settings of the adapter to the payment provider simulator. Callers: the processes that call providers or hear from them. */
import { z } from 'zod';
import { ConfigError, environmentShape, fields } from '../../../platform/config.ts';

export const simulatorShape = {
  ENVIRONMENT: environmentShape.ENVIRONMENT,
  /** Absent: there is no simulator. Refused in production. */
  PAYMENT_SIMULATOR_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The simulator signs its callbacks with it. */
  PAYMENT_SIMULATOR_SECRET: z.string().min(32).optional(),
  PAYMENT_SIMULATOR_TIMEOUT_MS: fields.milliseconds.min(1).default(8_000),
};

export type SimulatorConfig = z.infer<z.ZodObject<typeof simulatorShape>>;

export interface SimulatorSetting {
  /** Without a trailing slash. */
  readonly url: string;
  readonly secret: string;
  readonly timeoutMs: number;
}

/** Undefined where no simulator is configured. Throws ConfigError in production, and without a secret. */
export function simulatorSettingOf(config: SimulatorConfig): SimulatorSetting | undefined {
  const {
    PAYMENT_SIMULATOR_URL: url,
    PAYMENT_SIMULATOR_SECRET: secret,
    PAYMENT_SIMULATOR_TIMEOUT_MS: timeoutMs,
  } = config;
  if (url === undefined) return undefined;
  if (config.ENVIRONMENT === 'production') {
    throw new ConfigError(['PAYMENT_SIMULATOR_URL: the payment provider simulator is refused in production; unset it']);
  }
  if (secret === undefined)
    throw new ConfigError(['PAYMENT_SIMULATOR_SECRET: must be set beside PAYMENT_SIMULATOR_URL']);
  return { url: url.replace(/\/+$/, ''), secret, timeoutMs };
}
