/**
 * `npm run ticket-keys -- add`: makes a key that signs tickets, and adds it to the file that TICKET_SIGNING_KEYS names, or `--file`.
 * The documents worker publishes it within seconds; it signs a day later, when every inspector's device knows it. The first
 * key of a file signs at once.
 *
 * `-- list` shows the keys of the file. `-- retire KEYID --yes` destroys a private half; the tickets it has signed stay valid.
 * `-- withdraw KEYID --yes` ends a key with its tickets. `--kms KEY --region REGION` adds a key of AWS
 * KMS. Needs no running service.
 */
import { type KeyFile, KeyFileError } from '../activities/tickets/signing/key-file.ts';
import { KNOWN_AFTER_MS } from '../activities/tickets/signing/key-times.ts';
import { LONGEST_TICKET_MS } from '../workflows/shared/longest-ticket.ts';
import { DAY_MS } from '../workflows/shared/spans.ts';
import { readArguments, UsageError } from './read-arguments.ts';
import { addKey, KeyWriteError, readKeyFile, retireKey, withdrawKey } from './ticket-keys/key-file-writer.ts';

const USAGE = `npm run ticket-keys -- add [--issuer CODE] [--days 365] [--kms KEY --region REGION [--endpoint URL]]
npm run ticket-keys -- list
npm run ticket-keys -- retire KEYID --yes
npm run ticket-keys -- withdraw KEYID --yes
--file FILE, or the variable TICKET_SIGNING_KEYS, names the file of the keys.`;
const USUAL_DAYS = 365;
const LONGEST_DAYS = 3_650;
const OPTIONS = {
  file: { type: 'string' },
  issuer: { type: 'string' },
  days: { type: 'string' },
  kms: { type: 'string' },
  region: { type: 'string' },
  endpoint: { type: 'string' },
  yes: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

function run(): string {
  const { values, positionals } = readArguments(OPTIONS);
  const path = values.file ?? process.env.TICKET_SIGNING_KEYS;
  if (!path) throw new UsageError(USAGE);
  const [verb, keyId, ...further] = positionals;
  if (further.length > 0) throw new UsageError(USAGE);
  if (verb === 'add' && keyId === undefined) return add(path, values);
  if (verb === 'list' && keyId === undefined) return list(path);
  if (verb === 'retire' && keyId !== undefined) return retire(path, readNumber(keyId, 99_999), values.yes ?? false);
  if (verb === 'withdraw' && keyId !== undefined) return withdraw(path, readNumber(keyId, 99_999), values.yes ?? false);
  throw new UsageError(USAGE);
}

function add(path: string, { issuer, days, kms, region, endpoint }: Values): string {
  if ((region || endpoint) && !kms) throw new UsageError('--region and --endpoint belong to --kms');
  const isFirst = (readKeyFile(path)?.keys.length ?? 0) === 0;
  const signDays = days === undefined ? USUAL_DAYS : readNumber(days, LONGEST_DAYS);
  const { keyId, validFrom, validTo, ...place } = addKey(path, {
    ...(issuer !== undefined && { issuerCode: readNumber(issuer, 32_000) }),
    ...(kms && { kms: { kmsKeyId: kms, ...(region && { region }), ...(endpoint && { endpoint }) } }),
    from: new Date(),
    signDays,
  });
  const signs = isFirst
    ? 'at once'
    : `from ${new Date(validFrom.getTime() + KNOWN_AFTER_MS).toISOString()} at the soonest`;
  const where =
    'privateKeyFile' in place
      ? `Its private half is ${place.privateKeyFile}, beside the file.`
      : 'Its private half stays in KMS.';
  return `Key ${keyId} is in ${path}. ${where}
It signs ${signs}, and tickets for ${signDays} days. Its tickets are verified until ${validTo.toISOString()}.
Every documents worker needs this file, and follows it without a restart. Keep a copy elsewhere: nothing of it is in a back-up.`;
}

function list(path: string): string {
  const file = readKeyFile(path);
  if (!file) throw new KeyWriteError(`${path} is not there: add a key first`);
  return [
    `Issuer ${file.issuerCode}${file.development ? ', for development alone' : ''}`,
    ...file.keys.map(describe),
  ].join('\n');
}

function describe(key: KeyFile['keys'][number]): string {
  const signsUntil = new Date(Math.max(key.validFrom.getTime(), key.validTo.getTime() - LONGEST_TICKET_MS));
  const place = 'kmsKeyId' in key ? `KMS ${key.kmsKeyId}` : 'publicKeyDer' in key ? 'retired' : key.privateKeyFile;
  const times = [key.validFrom, signsUntil, key.validTo].map((time) => time.toISOString().slice(0, 16));
  return `${key.keyId}  from ${times[0]}  signs any ticket until ${times[1]}  verified until ${times[2]}  ${place}`;
}

function withdraw(path: string, keyId: number, yes: boolean): string {
  if (!yes) {
    return `Every ticket that key ${keyId} has signed would be refused by inspectors, within half a minute where their devices
have a connection, and within ${(KNOWN_AFTER_MS / DAY_MS) * 24} hours elsewhere. Those tickets must be issued again. It cannot be taken back.
Do it when the private key is known to somebody else. Repeat with --yes to do it.`;
  }
  withdrawKey(path, keyId, new Date());
  return `Key ${keyId} has ended. Bring the file to the documents workers: the first that has it publishes that within seconds.
Its tickets are issued again by distribute or generate: docs/operations/ticket-keys.md tells how to list their orders.`;
}

function retire(path: string, keyId: number, yes: boolean): string {
  if (!yes)
    return `Key ${keyId} would sign nothing more, and its private half would be deleted for good. Repeat with --yes to do it.`;
  retireKey(path, keyId);
  return `Key ${keyId} signs nothing more. Its public half stays in the file, so that its tickets stay valid.`;
}

function readNumber(text: string, most: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= 1 && number <= most)) throw new UsageError(`${text} must be a number from 1 to ${most}`);
  return number;
}

try {
  console.log(run());
} catch (error) {
  const isKnown = error instanceof UsageError || error instanceof KeyWriteError || error instanceof KeyFileError;
  if (!isKnown) throw error;
  console.error(error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
