/**
 * `node test/workflows/show-history.ts NAME` prints a stored history as JSON, with payloads as text. Without a name it
 * lists all names.
 */
import { listStoredHistories, readStoredHistory } from './stored-history.ts';

const [name] = process.argv.slice(2);
const BASE64_MEMBERS = new Set(['data', 'encoding', 'type']);
const asText = (member: string, value: unknown): unknown =>
  typeof value === 'string' && BASE64_MEMBERS.has(member) ? Buffer.from(value, 'base64').toString() : value;
const shown = name === undefined ? listStoredHistories() : (await readStoredHistory(name)).events;
process.stdout.write(`${JSON.stringify(shown, asText, 1)}\n`);
