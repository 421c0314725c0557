/**
 * The issuer whose tokens a process accepts. Outside development its URL must be HTTPS: over plain HTTP an attacker could replace
 * the keys. Callers: processes that check tokens. Fetches nothing itself.
 */
import { z } from 'zod';
import { ConfigError, type environmentShape } from '../../platform/config.ts';

export const issuerShape = {
  /** Base URL of the authentication server, exactly as in the `iss` claim of its tokens. */
  AUTH_ISSUER: z.url({ protocol: /^https?$/ }),
  /** Name of this environment. Tokens for another audience are refused. */
  AUDIENCE: z.string(),
};

type IssuerConfig = z.infer<z.ZodObject<typeof issuerShape & Pick<typeof environmentShape, 'ENVIRONMENT'>>>;

export function checkIssuer<Config extends IssuerConfig>(config: Config): Config {
  if (config.ENVIRONMENT === 'development' || new URL(config.AUTH_ISSUER).protocol === 'https:') return config;
  throw new ConfigError(['AUTH_ISSUER: must start with https:// outside development']);
}
