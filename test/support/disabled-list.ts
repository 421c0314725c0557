/** The list of disabled clients as the authentication server makes it at its start, for tests in which none runs. */
import type { Connection } from 'mongoose';
import { DisabledListStore } from '../../activities/auth/disabled-list-store.ts';

/** `secretKey`: that of the client store. */
export async function makeDisabledList(connection: Connection, secretKey: Uint8Array): Promise<void> {
  const store = new DisabledListStore(connection, secretKey);
  await store.write(await store.read(), new Map(), 0);
}
