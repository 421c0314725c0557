/**
 * Callers that take what they can: trickled connections, uploads, waiting readers. Runs as a process of its own, with the lowest
 * priority, because attackers have machines of their own: `node dev/bench/attack/attackers.ts <kind> <JSON>`. Caller: attack.ts.
 * Says by IPC when the attack has begun, and at the end what became of it.
 */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

export interface Attack {
  readonly url: string;
  readonly token: string;
  readonly topic: string;
  readonly callers: number;
  /** Of each upload. */
  readonly bytes: number;
  /** Local addresses that the connections come from. */
  readonly addresses: readonly string[];
  /** The attack has begun when so many of its requests are answered. */
  readonly answersFirst?: number;
}

export type AttackKind = 'trickle' | 'uploads' | 'readers' | 'impatient';

/** How often each thing happened: status codes, `opened`, `closed`. */
export type Tally = Record<string, number>;

const LOWEST_PRIORITY = 19;
const TRICKLE_MS = 2_000;
/** So many begin together. */
const RAMP = 50;
const RAMP_MS = 50;
const CHUNK = Buffer.alloc(65_536, 'x');
const tally: Tally = {};
let stopped = false;
let answers = 0;

const count = (what: string | number) => {
  tally[what] = (tally[what] ?? 0) + 1;
};

/** Each connection sends the head of a request, or a body, byte by byte, and opens again when it is closed. */
async function trickle({ url, token, callers, addresses }: Attack): Promise<void> {
  const json = 'Content-Type: application/json\r\nContent-Length: 50000\r\n';
  const beginnings = [
    'GET /health/live HTTP/1.1\r\nHost: x\r\nX-A: ',
    `PUT /timetable/v1/codespaces/atk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${json}\r\n{`,
    `POST /journey-planner/v3/graphql HTTP/1.1\r\nHost: x\r\n${json}\r\n{`,
  ];
  const { hostname, port } = new URL(url);
  const open = (at: number) => {
    if (stopped) return;
    const localAddress = addresses[at % addresses.length];
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    count('opened');
    socket.on('error', () => {});
    socket.resume();
    socket.write(beginnings[at % beginnings.length] ?? '');
    const timer = setInterval(() => socket.write(' '), TRICKLE_MS);
    socket.once('close', () => {
      clearInterval(timer);
      count('closed');
      setTimeout(open, 1_000, at);
    });
  };
  for (let at = 0; at < callers; at += 1) {
    open(at);
    if (at % RAMP === 0) await delay(RAMP_MS);
  }
}

interface Sent {
  readonly attack: Attack;
  /** The number of the caller, which decides its address. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
}

/** Seconds until the caller may come again. */
function send({ attack, number, method, path }: Sent, write?: (body: NodeJS.WritableStream) => Promise<void>) {
  const { url, token, addresses } = attack;
  return new Promise<number>((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(write && { 'content-type': 'multipart/form-data; boundary=b' }),
    };
    const localAddress = addresses[number % addresses.length];
    const outgoing = request(`${url}${path}`, { method, headers, agent, ...(localAddress && { localAddress }) });
    let retryAfter = 1;
    outgoing.once('error', () => {
      count('failed');
      resolve(retryAfter);
    });
    outgoing.once('response', (answer) => {
      count(answer.statusCode ?? 0);
      answers += 1;
      retryAfter = Number(answer.headers['retry-after'] ?? 0);
      answer.resume().once('close', () => resolve(retryAfter));
    });
    if (write)
      write(outgoing).then(
        () => outgoing.end(),
        () => outgoing.destroy(),
      );
    else outgoing.end();
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Also when the request has ended meanwhile. */
async function drained(body: NodeJS.WritableStream): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      body.off('drain', done).off('close', done);
      resolve();
    };
    body.once('drain', done).once('close', done);
  });
}

async function upload(attack: Attack, number: number): Promise<number> {
  const path = '/timetable/v1/timetable-management/datasets/atk';
  return await send({ attack, number, method: 'POST', path }, async (body) => {
    body.write('--b\r\nContent-Disposition: form-data; name="f"; filename="a.zip"\r\n\r\n');
    for (let left = attack.bytes; left > 0; left -= CHUNK.length) {
      if (!body.write(CHUNK.subarray(0, left))) await drained(body);
    }
    body.write('\r\n--b--\r\n');
  });
}

async function read(attack: Attack, number: number): Promise<number> {
  return await send({ attack, number, method: 'GET', path: `/v1/events/${attack.topic}?after=latest&wait=30` });
}

/** Begins again after each answer; a refused caller comes back when it may. */
async function repeat(attack: Attack, once: (attack: Attack, number: number) => Promise<number>): Promise<void> {
  for (let number = 0; number < attack.callers; number += 1) {
    void (async () => {
      while (!stopped) await delay((await once(attack, number)) * 1_000);
    })();
    if (number % RAMP === 0) await delay(RAMP_MS);
  }
}

/** Comes again as soon as it is refused, whatever the answer says. */
async function readAtOnce(attack: Attack, number: number): Promise<number> {
  await read(attack, number);
  return 0;
}

const KINDS: Readonly<Record<AttackKind, (attack: Attack) => Promise<void>>> = {
  trickle,
  uploads: (attack) => repeat(attack, upload),
  readers: (attack) => repeat(attack, read),
  impatient: (attack) => repeat(attack, readAtOnce),
};

if (import.meta.main) {
  setPriority(LOWEST_PRIORITY);
  const [kind = '', json = '{}'] = process.argv.slice(2);
  const attack = JSON.parse(json) as Attack;
  await KINDS[kind as AttackKind](attack);
  while (answers < (attack.answersFirst ?? 0)) await delay(RAMP_MS);
  process.send?.({ begun: true });
  process.once('message', () => {
    stopped = true;
    process.send?.({ tally }, () => process.exit());
  });
}
