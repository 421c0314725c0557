/** The keys that sign tickets in a local stack or a test: made once in its folder, and refused elsewhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addKey } from '../../ops/ticket-keys/key-file-writer.ts';

/** A code that UIC has given to no company. */
const ISSUER = 9901;
const SIGN_DAYS = 3_650;

/** The path of the file. */
export function ensureTicketKeys(folder: string): string {
  const path = join(folder, 'ticket-keys.json');
  if (!existsSync(path)) addKey(path, { issuerCode: ISSUER, from: new Date(), signDays: SIGN_DAYS, development: true });
  return path;
}
