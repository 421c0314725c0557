/**
 * Memory of the API process under many uploads at once: `node dev/bench/upload-memory.ts [uploads] [bytes each]`.
 *
 * Runs api/server.ts against a real database and object store, uploads from another process, and prints the highest
 * resident size that the kernel saw. Exits 1 when that is 200 MB or more, or an upload failed. Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { API_NODE_FLAGS } from '../../api/node-flags.ts';
import { stopServers, useMongo, useObjectStore } from '../../test/support/stack.ts';

const LIMIT_BYTES = 200_000_000;
const AUDIENCE = 'https://bench.invalid';
const BOUNDARY = 'bench-boundary';
const CHUNK = randomBytes(64 * 1024);

const [role, ...rest] = process.argv.slice(2);
if (role === 'send') await sendAll(rest);
else process.exitCode = await measure(Number(role ?? 10), Number(rest[0] ?? 150_000_000));

async function measure(uploads: number, bytesEach: number): Promise<number> {
  const auth = await startKeyServer();
  const api = await startApi(auth.issuer);
  try {
    const token = await auth.sign({ organisationId: 1, codespaces: ['*'], scope: 'timetable:write codespaces:write' });
    await putCodespace(api.url, token);
    const idle = residentBytes(api.process, 'VmRSS');
    const began = performance.now();
    const args = [import.meta.filename, 'send', api.url, token, String(uploads), String(bytesEach)];
    const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
    const seconds = (performance.now() - began) / 1_000;
    const peak = residentBytes(api.process, 'VmHWM');
    const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
    const rate = ((uploads * bytesEach) / 1e6 / seconds).toFixed(0);
    console.log(`${uploads} uploads of ${mb(bytesEach)} MB at once: ${seconds.toFixed(1)} s, ${rate} MB/s`);
    console.log(`API process: ${mb(idle)} MB before, ${mb(peak)} MB at the peak (limit ${mb(LIMIT_BYTES)})`);
    return code === 0 && peak < LIMIT_BYTES ? 0 : 1;
  } finally {
    api.process.kill('SIGTERM');
    await once(api.process, 'exit');
    auth.close();
    await stopServers();
  }
}

async function startApi(issuer: string): Promise<{ process: ChildProcess; url: string }> {
  const [mongo, objects] = await Promise.all([useMongo(), useObjectStore()]);
  const child = spawn(process.execPath, [...API_NODE_FLAGS, 'api/server.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...objects,
      ENVIRONMENT: 'development',
      LOG_LEVEL: 'info',
      PORT: '0',
      MONGODB_URI: mongo.uri('bench'),
      CUSTOMER_KEYS_MONGODB_URI: mongo.uri('bench_customer_keys'),
      CUSTOMER_MASTER_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      CUSTOMER_SEARCH_KEY: randomBytes(32).toString('base64'),
      AUTH_ISSUER: issuer,
      AUDIENCE,
      // Nobody listens there: receipts count without it.
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      PAYLOAD_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as { msg?: string; url?: string };
    if (entry.msg !== 'ready' || entry.url === undefined) continue;
    child.stdout.resume();
    return { process: child, url: entry.url };
  }
  throw new Error('The API did not start');
}

async function startKeyServer() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' };
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    close: () => server.close(),
    sign: async (claims: Record<string, unknown>) =>
      await new SignJWT({ client_id: 'bench', ...claims })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'bench' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject('bench')
        .setJti(randomBytes(8).toString('hex'))
        .setIssuedAt()
        .setNotBefore('0s')
        .setExpirationTime('1h')
        .sign(privateKey),
  };
}

async function putCodespace(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/timetable/v1/codespaces/ben`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', ownerOrganisationId: 1 }),
  });
  if (!answer.ok) throw new Error(`The codespace was refused: ${await answer.text()}`);
}

function residentBytes(child: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  return Number(line?.[1]) * 1_024;
}

async function sendAll([url = '', token = '', uploads = '1', bytesEach = '1']: string[]): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: Number(uploads) }, (_, index) => send(url, token, Number(bytesEach), index)),
  );
  if (answers.some((status) => status !== 200)) process.exitCode = 1;
}

/** Half of them say how long they are, half come in chunks. */
async function send(url: string, token: string, sizeBytes: number, index: number): Promise<number> {
  const head = Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${index}.zip"\r\n` +
      'Content-Type: application/zip\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const outgoing = request(`${url}/timetable/v1/timetable-management/datasets/ben`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(index % 2 === 0 && { 'content-length': head.length + sizeBytes + tail.length }),
    },
  });
  const answered = once(outgoing, 'response');
  const write = async (bytes: Uint8Array) => {
    if (!outgoing.write(bytes)) await once(outgoing, 'drain');
  };
  await write(head);
  await write(Buffer.from([index]));
  for (let left = sizeBytes - 1; left > 0; left -= CHUNK.length)
    await write(CHUNK.subarray(0, Math.min(left, CHUNK.length)));
  outgoing.end(tail);
  const [response] = await answered;
  let text = '';
  for await (const part of response) text += part;
  if (response.statusCode !== 200) console.error(response.statusCode, text);
  return response.statusCode;
}
