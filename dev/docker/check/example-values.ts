/** Example values of the settings that an operator has to give, of the kind that env.example asks for. New each time, and valid. */
import { randomBytes } from 'node:crypto';
import { listVariables } from '../compose-file.ts';

const OWN: Readonly<Record<string, string>> = {
  PUBLIC_HOST: 'samferd.example.org',
  PROXY_TLS: 'operations@example.org',
  AUDIENCE: 'samferd-production',
  S3_ACCESS_KEY_ID: 'samferd',
};
const LISTED_KEYS = /^(PAYLOAD_KEYS|KEY_ENCRYPTION_KEY|CUSTOMER_MASTER_KEYS|PLANNER_ID_KEYS)$/;

/** For every variable of the compose file that has no default. */
export function exampleValues(compose: string): Readonly<Record<string, string>> {
  const names = listVariables(compose).flatMap(({ name, required }) => (required ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, OWN[name] ?? makeValue(name)]));
}

function makeValue(name: string): string {
  if (LISTED_KEYS.test(name)) return `2026a:${randomBytes(32).toString('base64')}`;
  if (/PASSWORD|ACCESS_KEY|REPLICA_KEY/.test(name)) return randomBytes(20).toString('hex');
  if (name.endsWith('_KEY')) return randomBytes(32).toString('base64');
  throw new Error(`No example value for ${name}: add one in example-values.ts`);
}
