/**
 * Whose tokens a process takes, and by what it fetches their keys: outside development by HTTPS alone, or whoever is on the way could
 * put keys of his own in their place. Callers: processes that check tokens. Fetches nothing itself.
 */
import { z } from 'zod';
import { ConfigError, type environmentShape } from '../../platform/config.ts';

export const issuerShape = {
  /** Base URL of the authentication server, exactly as it stands in the tokens. */
  AUTH_ISSUER: z.url({ protocol: /^https?$/ }),
  /** Names this environment; tokens for another one are refused. */
  AUDIENCE: z.string(),
};

type IssuerConfig = z.infer<z.ZodObject<typeof issuerShape & Pick<typeof environmentShape, 'ENVIRONMENT'>>>;

export function checkIssuer<Config extends IssuerConfig>(config: Config): Config {
  if (config.ENVIRONMENT === 'development' || new URL(config.AUTH_ISSUER).protocol === 'https:') return config;
  throw new ConfigError(['AUTH_ISSUER: must start with https:// outside development']);
}
