/** Settings of the adapter to the payment provider simulator. Caller: make-simulator.ts. */
import { z } from 'zod';
import { ConfigError, fields } from '../../../platform/config.ts';
import type { EventEnvironment } from '../../../platform/events/outbox.ts';

export const simulatorShape = {
  /** How this process reaches the simulator. */
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

/** Throws ConfigError in production, and where a setting is missing. */
export function simulatorSettingOf(config: SimulatorConfig, environment: EventEnvironment): SimulatorSetting {
  const { PAYMENT_SIMULATOR_URL: url, PAYMENT_SIMULATOR_SECRET: secret } = config;
  if (environment === 'production') {
    throw new ConfigError(['PAYMENT_PROVIDERS: the payment provider simulator is refused in production']);
  }
  if (url === undefined || secret === undefined) {
    throw new ConfigError([
      'PAYMENT_SIMULATOR_URL and PAYMENT_SIMULATOR_SECRET: must be set where PAYMENT_PROVIDERS has SIMULATOR',
    ]);
  }
  return { url: url.replace(/\/+$/, ''), secret, timeoutMs: config.PAYMENT_SIMULATOR_TIMEOUT_MS };
}
