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
import { request } from 'node:http';
import { putCodespace, startApiAlone } from './api-alone.ts';

const LIMIT_BYTES = 200_000_000;
const NO_QUOTA = {
  UPLOADS_PER_CLIENT: '1000',
  UPLOAD_BYTES_PER_HOUR: String(Number.MAX_SAFE_INTEGER),
  UPLOAD_BYTES_PER_DAY: String(Number.MAX_SAFE_INTEGER),
};
const BOUNDARY = 'bench-boundary';
const CHUNK = randomBytes(64 * 1024);

const [role, ...rest] = process.argv.slice(2);
if (role === 'send') await sendAll(rest);
else process.exitCode = await measure(Number(role ?? 10), Number(rest[0] ?? 150_000_000));

async function measure(uploads: number, bytesEach: number): Promise<number> {
  const api = await startApiAlone(NO_QUOTA);
  try {
    const claims = { organisationId: 1, codespaces: ['*'], scope: 'timetable:write codespaces:write' };
    const token = await api.sign('bench', claims);
    await putCodespace(api.url, token, 'ben');
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
    await api.stop();
  }
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
