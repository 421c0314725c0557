/**
 * Light servers that share a process: `node api/servers.ts auth codec payment-page`. Each listens on its own port; a variable with
 * the server's name before it (`CODEC__PORT`) is read by that server alone. Each also runs alone, by
 * `api/<name>/server.ts`.
 */
import { readConfigOf } from '../platform/config.ts';
import { runProcess } from '../platform/process/run-process.ts';
import { startTogether } from '../platform/process/start-together.ts';
import { startAuth } from './auth/start-auth.ts';
import { startCodec } from './codec/start-codec.ts';
import { startPages } from './payment-page/start-pages.ts';

const SERVERS = { auth: startAuth, codec: startCodec, 'payment-page': startPages };
type ServerName = keyof typeof SERVERS;

function isServerName(word: string): word is ServerName {
  return word in SERVERS;
}

await runProcess(async () => {
  const words = process.argv.slice(2);
  const names = words.filter(isServerName);
  if (names.length === 0 || names.length < words.length) {
    throw new Error(`Name the servers to run: ${Object.keys(SERVERS).join(', ')}`);
  }
  return await startTogether(names.map((name) => () => SERVERS[name](readConfigOf(name))));
});
