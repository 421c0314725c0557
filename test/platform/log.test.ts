/** No secret may reach the log, in any part of a log entry. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLog, redactText } from '../../platform/log.ts';

const SECRET = 'S3cr3tValue42';
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';

function capture() {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', name: 'test', destination: { write: (line) => void lines.push(line) } });
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

const NAMES = [
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'client_secret',
  'clientSecret',
  'CLIENT_SECRET_KEY',
  'password',
  'oldPassword',
  'token',
  'access_token',
  'refreshToken',
  'client_assertion',
  'Idempotency-Key',
  'idempotencyKey',
  'x-api-key',
  'S3_SECRET_ACCESS_KEY',
  'KEY_ENCRYPTION_KEY',
  'privateKey',
  'PAYLOAD_KEYS',
];

describe('log redaction', () => {
  for (const name of NAMES) {
    it(`hides ${name}, at any depth and in child loggers`, () => {
      const { log, text } = capture();
      log.info({ [name]: SECRET, a: { b: [{ [name]: SECRET }] }, list: { [name]: [SECRET, { x: SECRET }] } }, 'x');
      log.child({ [name]: SECRET, headers: { [name]: SECRET } }).info('x');
      log.error(Object.assign(new Error('x'), { [name]: SECRET, config: { headers: { [name]: SECRET } } }));
      log.error({ err: new Error('x', { cause: Object.assign(new Error('y'), { [name]: SECRET }) }) }, 'x');
      log.info({ map: new Map([[name, SECRET]]) });
      assert.ok(!text().includes(SECRET), text());
    });
  }

  const texts: Record<string, string> = {
    'a bearer value': `sent Authorization: Bearer ${SECRET} to x`,
    'basic credentials': `Basic ${Buffer.from(SECRET).toString('base64')}`,
    'a query parameter': `https://x.test/a?access_token=${SECRET}&b=1`,
    'a quoted JSON body': `{"client_id":"a","client_secret":"${SECRET}"}`,
    'an escaped JSON body': JSON.stringify(`{"client_secret":"${SECRET}"}`),
    'a form body': `grant_type=client_credentials&client_secret=${SECRET}&audience=x`,
    'a connection string': `mongodb://root:${SECRET}@db.test:27017/x`,
  };
  for (const [name, value] of Object.entries(texts)) {
    it(`hides ${name} inside a text, a message, an error and its stack`, () => {
      const { log, text } = capture();
      log.info(value);
      log.info({ url: value, list: [value], address: { deep: value } }, `message ${value}`);
      log.error({ err: new Error(value, { cause: new Error(value) }) }, 'failed');
      log.error(new Error(value));
      log.info({ all: new AggregateError([new Error(value)], value) });
      assert.ok(!text().includes(SECRET) && !text().includes(Buffer.from(SECRET).toString('base64')), text());
    });
  }

  it('hides a token at every position', () => {
    const { log, text } = capture();
    log.info({ note: `got ${JWT}`, url: new URL(`https://x.test/?t=${JWT}`) }, JWT);
    assert.ok(!text().includes(JWT.slice(10)), text());
  });

  it('keeps text that is not secret', () => {
    const { log, last } = capture();
    log.info(
      { tokenLifetimeSeconds: 3600, keys: 2, path: '/v1/tokens/7', err: new RangeError('too far') },
      'issued a token',
    );
    const { time: _, err, ...line } = last();
    assert.deepEqual(line, {
      level: 'info',
      process: 'test',
      tokenLifetimeSeconds: 3600,
      keys: 2,
      path: '/v1/tokens/7',
      msg: 'issued a token',
    });
    assert.match(JSON.stringify(err), /"type":"RangeError".*"message":"too far","stack":"RangeError: too far/);
  });

  it('writes circular, deep and strange values without harm', () => {
    const { log, last } = capture();
    const circular: Record<string, unknown> = { big: 10n, fn: () => 1, bytes: Buffer.alloc(9), at: new Date(0) };
    circular.self = circular;
    log.info({ circular }, 'x');
    assert.equal(last().msg, 'x');
  });

  it('stops in a mesh of objects that all refer to each other', () => {
    const { log, text } = capture();
    const mesh: Record<string, unknown>[] = Array.from({ length: 60 }, () => ({}));
    for (const each of mesh) for (const [index, other] of mesh.entries()) each[`member${index}`] = other;
    log.info({ err: Object.assign(new Error('lost'), { mesh: mesh[0] }) }, 'x');
    assert.ok(text().length < 200_000);
    assert.match(text(), /"message":"lost"/);
  });

  it('takes linear time on hostile texts', () => {
    for (const part of ['token=', 'eyJ.', 'eyJaaaaa.', 'Bearer ', 'a://', 'a+', 'secret:"']) {
      const growth = growthOf(redactText, part);
      assert.ok(growth < 8, `${part}: ${growth.toFixed(1)} times as long`);
    }
  });

  it('hides a named secret in any surrounding text', () => {
    const around = fc.stringMatching(/^[ -~]{0,20}$/).filter((text) => !text.includes(SECRET));
    fc.assert(
      fc.property(around, fc.constantFrom(...NAMES), around, (before, name, after) => {
        const { log, text } = capture();
        log.info({ [before]: before, nested: { [`${name}`]: `${before}${SECRET}${after}` } }, before);
        return !text().includes(SECRET);
      }),
    );
  });
});

/**
 * The factor by which time grows for a text of four times the length: 4 for linear work, 16 for quadratic work. Takes
 * the minimum of many runs, so that other load does not count.
 */
function growthOf(work: (text: string) => void, part: string): number {
  const texts = [4_000, 16_000].map((length) => part.repeat(Math.ceil(length / part.length)).slice(0, length));
  const best = texts.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < 20; turn += 1) {
    for (const [at, text] of texts.entries()) {
      const startedAt = performance.now();
      for (let count = 0; count < 3; count += 1) work(text);
      best[at] = Math.min(best[at] ?? 0, performance.now() - startedAt);
    }
  }
  return (best[1] ?? 0) / (best[0] ?? 0);
}
