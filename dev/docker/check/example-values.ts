/**
 * Example values of the settings that an operator has to give, of the kind that env.example asks for. New each time,
 * and valid.
 */
import { randomBytes } from 'node:crypto';
import { formatPublicKeys, parseSigningKeys } from '../../../platform/keys/signing-keys.ts';
import { listVariables } from '../compose-file.ts';

const OWN: Readonly<Record<string, string>> = {
  PUBLIC_HOST: 'samferd.example.org',
  PROXY_TLS: 'operations@example.org',
  AUDIENCE: 'samferd-production',
  PAYMENT_PAGE_HOST: 'pay.example.org',
  MAIL_SERVER: 'smtps://samferd:secret@mail.example.org',
  MAIL_FROM: 'Samferd <tickets@example.org>',
};
const LISTED_KEYS =
  /^(PAYLOAD_KEYS|KEY_ENCRYPTION_KEY|CUSTOMER_MASTER_KEYS|BACKUP_KEYS|PLANNER_ID_KEYS|PLANNER_SIGNING_KEYS|IDEMPOTENCY_KEYS|WEBHOOK_KEYS|PAYMENT_PAGE_KEYS|AUDIT_KEYS)$/;

/** For every variable of the compose file that has no default. */
export function exampleValues(compose: string): Readonly<Record<string, string>> {
  const names = listVariables(compose).flatMap(({ name, required }) => (required ? [name] : []));
  const values = Object.fromEntries(names.map((name) => [name, OWN[name] ?? makeValue(name)]));
  const { PLANNER_SIGNING_KEYS: signing = makeValue('PLANNER_SIGNING_KEYS') } = values;
  return { ...values, PLANNER_PUBLIC_KEYS: formatPublicKeys(parseSigningKeys(signing, 'PLANNER_SIGNING_KEYS')) };
}

function makeValue(name: string): string {
  if (name === 'PLANNER_PUBLIC_KEYS') return '';
  if (LISTED_KEYS.test(name)) return `2026a:${randomBytes(32).toString('base64')}`;
  if (/PASSWORD|^S3_SECRET|REPLICA_KEY/.test(name)) return randomBytes(20).toString('hex');
  if (name.endsWith('_KEY')) return randomBytes(32).toString('base64');
  throw new Error(`No example value for ${name}: add one in example-values.ts`);
}
