/**
 * `npm run -s token -- CLIENT`: prints an access token of a development client of the running local stack, for use in
 * other commands. Without a name it lists the clients, so that nobody takes more rights by accident.
 */
import { fetchToken } from './demo/api-client.ts';
import { LocalState } from './stack/local-state.ts';
import type { ClientEntry } from './stack/prepare.ts';

const state = new LocalState();
const endpoints = state.read('endpoints.json') as Record<string, string> | undefined;
const clients = (state.read('clients.json') ?? []) as readonly ClientEntry[];
const name = process.argv[2];
const client = clients.find((each) => each.name === name);
if (endpoints?.auth === undefined) fail(state.describeAbsence());
else if (client === undefined) {
  const names = clients.map((each) => each.name).join(', ');
  fail(
    `${name === undefined ? 'Name a client' : `There is no client ${name}`}: npm run -s token -- NAME, one of ${names}.`,
  );
} else console.log((await fetchToken(endpoints.auth, client)).access_token);

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
