/**
 * An inspector's device as an example: it verifies a ticket by the inspection file, without a network.
 *
 *     npm run inspect-ticket -- fetch http://127.0.0.1:8080 inspection.jws     # with a network, once a day or more often
 *     npm run inspect-ticket -- inspection.jws BARCODE                         # without: the barcode's bytes in base64
 *
 * It prints the number, the order, the validity and the verdict, and ends with 0 for a ticket that is VALID alone. The bytes are
 * `barcode.payloadBase64` of `GET /v1/ticket-distributions`.
 *
 * The first fetch trusts the keys that the service lists. Each later one trusts the keys of the file before, and refuses an older
 * file, so that nobody can bring one back.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  type FindKey,
  type InspectionContent,
  type InspectionKey,
  inspectTicket,
  keysOf,
  type ReadInspectionFile,
  readInspectionFile,
} from '../barcode/inspection-file.ts';
import { readBarcode } from '../barcode/signed-barcode.ts';
import { fromUicInstant } from '../barcode/uic/day-of-year.ts';

/** The barcode's times are UTC; the ticket on paper shows those of this zone, and so does this example. */
const TIME_ZONE = 'Europe/Oslo';

/** `2026-11-24 08:00 (Europe/Oslo)` */
function told(instant: Date): string {
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short', timeStyle: 'short' });
  return `${form.format(instant)} (${TIME_ZONE})`;
}

/** Beside the file: the keys that it was verified with. */
const TRUSTED = '.trusted.json';

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return await answer.text();
}

function trust(keys: readonly InspectionKey[]): FindKey {
  return keysOf({ keys });
}

function readKept(path: string, now: Date): ReadInspectionFile | undefined {
  if (!existsSync(path) || !existsSync(path + TRUSTED)) return undefined;
  const trusted = JSON.parse(readFileSync(path + TRUSTED, 'utf8')) as readonly InspectionKey[];
  return readInspectionFile(readFileSync(path, 'utf8'), trust(trusted), now);
}

function describe({ number, keys, revokedTickets, validUntil }: InspectionContent): string {
  return `File ${number}: keys ${keys.length}, revoked tickets ${revokedTickets.length}, valid until ${told(new Date(validUntil))}`;
}

async function fetchFile(service: string, path: string): Promise<string> {
  const text = await fetchText(`${service}/v1/ticket-inspection-file`);
  const now = new Date();
  const kept = readKept(path, now)?.content;
  let keys = kept?.keys ?? [];
  let read = readInspectionFile(text, trust(keys), now);
  if (read.verdict === 'UNKNOWN_KEY') {
    keys = JSON.parse(await fetchText(`${service}/v1/ticket-keys`)) as readonly InspectionKey[];
    read = readInspectionFile(text, trust(keys), now);
  }
  if (read.verdict !== 'VALID' || !read.content)
    throw new Error(`The fetched file is ${read.verdict}: the one before is kept`);
  if (kept && read.content.number < kept.number)
    throw new Error('The fetched file is older than the one before, which is kept');
  writeFileSync(path + TRUSTED, JSON.stringify(keys));
  writeFileSync(path, text);
  return describe(read.content);
}

function inspect(path: string, barcode: string): { readonly verdict: string; readonly lines: readonly string[] } {
  const now = new Date();
  const { verdict, content } = readKept(path, now) ?? { verdict: 'UNREADABLE' };
  if (verdict !== 'VALID' || !content)
    throw new Error(`The inspection file is ${verdict}: fetch another before you inspect`);
  const octets = Buffer.from(barcode, 'base64');
  const signed = inspectTicket(octets, content, now);
  // What is not signed by a known key tells nothing.
  if (!SIGNED.has(signed)) return { verdict: signed, lines: [] };
  const { from, lines } = tell(octets);
  return { verdict: signed === 'VALID' && from !== undefined && now < from ? 'NOT_YET_VALID' : signed, lines };
}

const SIGNED: ReadonlySet<string> = new Set(['VALID', 'EXPIRED', 'REVOKED']);

function tell(octets: Uint8Array): { readonly from?: Date; readonly lines: readonly string[] } {
  const { ticket, validUntil } = readBarcode(octets);
  const { issuingYear: year, issuingDay, issuerPNR } = ticket.issuingDetail;
  const open = ticket.transportDocument?.flatMap((each) =>
    'openTicket' in each.ticket ? [each.ticket.openTicket] : [],
  )[0];
  const from =
    open && fromUicInstant({ year, day: issuingDay + (open.validFromDay ?? 0), minutes: open.validFromTime ?? 0 });
  const stations = [open?.fromStationNameUTF8, open?.toStationNameUTF8].filter(Boolean).join(' – ');
  const lines = [
    `Ticket ${open?.referenceIA5 ?? 'without a number'} of order ${issuerPNR ?? 'unknown'}`,
    ...[stations, open?.validRegionDesc].filter((each) => each !== undefined && each !== ''),
    `Valid from ${from ? told(from) : 'unknown'} until ${told(validUntil)}`,
  ];
  return { ...(from && { from }), lines: lines as string[] };
}

function printVerdict({ verdict, lines }: ReturnType<typeof inspect>): void {
  console.log([verdict, ...lines].join('\n'));
  process.exitCode = verdict === 'VALID' ? 0 : 1;
}

const [first = '', second = '', third = ''] = process.argv.slice(2);
try {
  if (first === 'fetch' && third) console.log(await fetchFile(second.replace(/\/+$/, ''), third));
  else if (second && !third) printVerdict(inspect(first, second));
  else throw new Error('fetch URL FILE, or FILE BARCODE');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
