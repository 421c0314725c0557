/** The keys that sign the planner's snapshots in tests: as variables, and read. */
import { formatPublicKeys, parseSigningKeys, type SigningKeys } from '../../platform/keys/signing-keys.ts';

export const PLANNER_SIGNING_KEYS = `test:${Buffer.alloc(32, 3).toString('base64')}`;
export const SIGNING_KEYS: SigningKeys = parseSigningKeys(PLANNER_SIGNING_KEYS, 'PLANNER_SIGNING_KEYS');
export const PLANNER_PUBLIC_KEYS = formatPublicKeys(SIGNING_KEYS);
/** Keys of another owner, under the same id. */
export const FOREIGN_KEYS = parseSigningKeys(`test:${Buffer.alloc(32, 4).toString('base64')}`, 'PLANNER_SIGNING_KEYS');
