/**
 * Tests Idempotency-Key as callers see it: one effect, the same answer again, refusals, and answers that are not kept.
 */

import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { type AnswerSeal, unkeyed } from '../../api/shared/idempotency.ts';
import { canonicalJson } from '../../api/shared/json.ts';
import type { Operation, OperationContext, Reply } from '../../api/shared/operation.ts';
import { type IdempotencyStore, LEASE_MS } from '../../platform/idempotency/idempotency-store.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { subjectKind } from '../../platform/personal/subject-id.ts';
import type { ErrorCode } from '../../workflows/shared/error-codes.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { useMongo } from '../support/stack.ts';
import { keyedRequests } from './support/keyed-requests.ts';
import { startParcels, type TestServer, TOKEN } from './support/parcels.ts';

const BODY = { place: 'Oslo', weight: 1 };

describe('Idempotency-Key', () => {
  let connection: Connection;
  let server: TestServer;
  let clockMs = Date.now();
  /** The effects of the handlers in this test. */
  let effects: { workId: string; body: unknown }[] = [];
  let act: (context: OperationContext) => Promise<Reply>;
  let key = '';
  let store: IdempotencyStore;
  /** Persons whose data key exists. */
  const keysOf = new Set<string>();
  let keysAreAway = false;

  const create: Operation = async (context) => {
    const { workId } = await context.idempotency.claim();
    effects.push({ workId, body: context.body });
    return await act(context);
  };

  /** Holds streamed bodies in memory, in place of the object store. */
  const objects = new Map<string, string>();
  const putPhoto: Operation = async (context) => {
    const claim = await context.idempotency.claim();
    const chunks: Buffer[] = [];
    for await (const chunk of context.request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (!claim.bodyKnown) objects.set(claim.workId, text);
    const stored = await claim.identify(createHash('sha256').update(text).digest('hex'));
    if (stored) return stored;
    effects.push({ workId: claim.workId, body: text });
    return await act(context);
  };

  before(async () => {
    connection = await connectMongo((await useMongo()).uri('idempotency'));
    const idempotency = keyedRequests(connection, () => clockMs);
    await idempotency.store.ensureIndexes();
    const answerSeal: AnswerSeal = {
      seal: async (person, _scope, body) => {
        if (keysAreAway) throw new ServiceError('UNAVAILABLE', 'The keys database is away.');
        return keysOf.has(person) ? Buffer.from(body).reverse() : undefined;
      },
      open: async (person, _scope, sealed) => (keysOf.has(person) ? Buffer.from(sealed).reverse() : undefined),
    };
    store = idempotency.store;
    server = await startParcels({ idempotency, answerSeal, graceMs: 50, replaced: { createParcel: create, putPhoto } });
  });
  beforeEach(() => {
    effects = [];
    objects.clear();
    act = async () => ({ status: 200, headers: { 'x-made': 'yes' }, json: { made: effects.length } });
    key = randomUUID();
  });
  after(async () => {
    await server.close();
    await connection.close();
  });

  async function post(body: unknown = BODY, headers: Record<string, string> = {}, path = '/v1/parcels') {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...TOKEN, 'content-type': 'application/json', 'idempotency-key': key, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { response, text: await response.text() };
  }

  async function put(body: string) {
    const response = await fetch(`${server.url}/v1/parcels/abc/photo`, {
      method: 'PUT',
      headers: { ...TOKEN, 'content-type': 'image/png', 'idempotency-key': key },
      body,
    });
    return { response, text: await response.text() };
  }

  const codeOf = (text: string) => (JSON.parse(text) as { code?: string }).code;
  const fail = (code: ErrorCode) => async () => {
    throw new ServiceError(code, 'no');
  };

  it('has one effect when 20 requests with one key come at once', async () => {
    const { promise: othersAnswered, resolve: release } = Promise.withResolvers<void>();
    act = async () => {
      await othersAnswered;
      return { status: 200, json: { made: effects.length } };
    };
    let refused = 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await post();
        if (answer.response.status === 409) refused += 1;
        if (refused === 19) release();
        return answer;
      }),
    );
    assert.equal(effects.length, 1);
    for (const { response, text } of answers.filter((answer) => answer.response.status === 409)) {
      assert.equal(codeOf(text), 'IDEMPOTENCY_IN_PROGRESS');
      assert.equal(response.headers.get('retry-after'), '1');
    }
  });

  it('would have 20 effects without the key', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const headers = { ...TOKEN, 'content-type': 'application/json' };
        const body = JSON.stringify({ ...BODY, weight: index + 1 });
        await (await fetch(`${server.url}/v1/parcels`, { method: 'POST', headers, body })).text();
      }),
    );
    assert.equal(new Set(effects.map(({ workId }) => workId)).size, 20);
  });

  it('replays the same answer with a mark', async () => {
    const first = await post();
    const again = await post();
    assert.equal(effects.length, 1);
    assert.equal(again.text, first.text);
    assert.equal(first.response.headers.get('idempotency-replayed'), null);
    assert.equal(again.response.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.response.headers.get('x-made'), 'yes');
    assert.notEqual(again.response.headers.get('x-correlation-id'), first.response.headers.get('x-correlation-id'));
  });

  it('treats bodies with another member order or white space as equal', async () => {
    await post('{"place":"Oslo","weight":1}');
    assert.equal((await post('{ "weight": 1,\n"place": "Oslo", "note": null }')).response.status, 200);
    assert.equal(effects.length, 1);
  });

  it('refuses another request under the same key', async () => {
    await post();
    for (const other of [await post({ ...BODY, weight: 2 }), await post(BODY, {}, '/v1/parcels?dryRun=true')]) {
      assert.equal(codeOf(other.text), 'IDEMPOTENCY_KEY_REUSED');
      assert.equal(other.response.status, 422);
    }
    assert.equal(effects.length, 1);
  });

  it('keeps keys of clients, organisations and paths apart', async () => {
    await post();
    await post(BODY, { authorization: 'Bearer other/1/parcels:write' });
    await post(BODY, { authorization: 'Bearer tester/2/parcels:write' });
    assert.equal(effects.length, 3);
    const response = await fetch(`${server.url}/v1/parcels/abc`, {
      method: 'DELETE',
      headers: { ...TOKEN, 'idempotency-key': key },
    });
    assert.equal(response.status, 204);
  });

  for (const code of ['NOT_FOUND', 'INVALID_STATE'] as const) {
    it(`keeps the final refusal ${code}`, async () => {
      act = fail(code);
      const first = await post();
      const again = await post();
      assert.deepEqual([again.response.status, again.text], [first.response.status, first.text]);
      assert.equal(again.response.headers.get('content-type'), 'application/problem+json');
      assert.equal(effects.length, 1);
    });
  }

  for (const code of [
    'INVALID_SEARCH',
    'CODESPACE_FORBIDDEN',
    'REQUEST_TIMEOUT',
    'PAYLOAD_TOO_LARGE',
    'RATE_LIMITED',
  ] as const) {
    it(`forgets the refusal ${code}, so that a corrected request may follow`, async () => {
      act = fail(code);
      await post();
      act = async () => ({ status: 200, json: {} });
      assert.equal((await post({ ...BODY, weight: 3 })).response.status, 200);
    });
  }

  it('does not keep a request that failed validation', async () => {
    assert.equal((await post({ place: 'Oslo' })).response.status, 400);
    assert.equal((await post()).response.status, 200);
  });

  it('keeps a conflict, but not one with Retry-After', async () => {
    act = async () => {
      throw new ServiceError('INVALID_STATE', 'Busy; try again', { headers: { 'retry-after': '1' } });
    };
    assert.equal((await post()).response.status, 409);
    act = fail('INVALID_STATE');
    for (const _ of [1, 2]) assert.equal((await post()).response.status, 409);
    assert.equal(effects.length, 2);
    act = async () => ({ status: 200, json: {} });
    assert.equal((await post()).response.headers.get('idempotency-replayed'), 'true');
  });

  it('lets a retry after an internal failure continue the work', async () => {
    act = fail('INTERNAL');
    assert.equal((await post()).response.status, 500);
    assert.equal((await post({ ...BODY, weight: 2 })).response.status, 422);
    act = async () => ({ status: 200, json: {} });
    assert.equal((await post()).response.status, 200);
    assert.equal(effects.length, 2);
    assert.equal(effects[0]?.workId, effects[1]?.workId);
  });

  it('lets another process take over the key of a crashed one', async () => {
    act = async () => await new Promise<Reply>(() => {});
    void post().catch(() => {});
    while (effects.length === 0) await delay(5);
    assert.equal((await post()).response.status, 409);
    clockMs += LEASE_MS;
    act = async () => ({ status: 200, json: {} });
    assert.equal((await post()).response.status, 200);
    assert.equal(effects[0]?.workId, effects[1]?.workId);
  });

  it('stores no hash that a reader of the database could guess requests by', async () => {
    key = 'guessable';
    await post();
    const stored = await connection.collection('idempotency_keys').find().toArray();
    const request = createHash('sha256')
      .update(JSON.stringify(['POST', '/v1/parcels', '', canonicalJson(BODY)]))
      .digest('hex');
    const guesses = [request, createHmac('sha256', key).update(request).digest('hex')];
    const found = stored.filter(({ fingerprint }) => guesses.some((guess) => String(fingerprint).includes(guess)));
    assert.deepEqual(found, []);
    assert.ok(stored.length > 0);
  });

  it('refuses a key that is not 1 to 255 printable characters', async () => {
    for (const bad of ['', 'x'.repeat(256), 'b\u00e5d', 'a\tb']) {
      key = bad;
      const { response, text } = await post();
      assert.equal(response.status, 400, JSON.stringify(bad));
      assert.match(text, /"pointer":"\/header\/Idempotency-Key"/);
    }
    key = 'x'.repeat(255);
    assert.equal((await post()).response.status, 200);
  });

  describe('on a streamed body', () => {
    it('replays the answer to the same bytes and refuses others', async () => {
      const first = await put('photo');
      const again = await put('photo');
      assert.deepEqual([again.response.status, again.text], [200, first.text]);
      assert.equal(again.response.headers.get('idempotency-replayed'), 'true');
      assert.equal(codeOf((await put('another')).text), 'IDEMPOTENCY_KEY_REUSED');
      assert.equal(effects.length, 1);
      assert.deepEqual([...objects.values()], ['photo']);
    });

    it('has one effect under 20 concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, async () => await put('photo')));
      assert.equal(effects.length, 1);
      assert.ok(answers.every(({ response }) => response.status === 200 || response.status === 409));
    });

    it('uses the stored bytes after a failure, and never replaces them', async () => {
      act = fail('UNAVAILABLE');
      assert.equal((await put('photo')).response.status, 503);
      act = async () => ({ status: 200, json: {} });
      assert.equal((await put('another')).response.status, 422);
      assert.equal((await put('photo')).response.status, 200);
      assert.equal(effects[0]?.workId, effects[1]?.workId);
      assert.deepEqual([...objects.values()], ['photo']);
    });
  });

  describe('with a stored answer that was changed in the database', () => {
    const keys = () => connection.collection('idempotency_keys');
    beforeEach(() => {
      server.logged.length = 0;
    });
    const changes: Readonly<Record<string, object>> = {
      'another status': { $set: { 'answer.status': 404 } },
      'another body': { $set: { 'answer.body': Buffer.from('{"made":2}') } },
      'another header': { $set: { 'answer.headers.location': '/v1/parcels/theirs' } },
      'another fingerprint': { $set: { fingerprint: `test:${'0'.repeat(64)}` } },
      'a body of another type': { $set: { 'answer.body': '{"made":2}' } },
      'an answer of another type': { $set: { answer: 5 } },
      'nothing in place of the answer': { $set: { answer: null } },
      'no fingerprint, as after an erasure': { $unset: { fingerprint: 1 } },
      'no MAC': { $unset: { mac: 1 } },
      'a person who has no key': { $set: { subject: 'customer/7' } },
    };
    for (const [what, change] of Object.entries(changes)) {
      it(`repeats neither answer nor request: ${what}`, async () => {
        await post();
        const workId = effects[0]?.workId;
        assert.equal((await keys().updateOne({ workId }, change)).modifiedCount, 1);
        const again = await post();
        assert.deepEqual([again.response.status, codeOf(again.text)], [500, 'IDEMPOTENCY_ANSWER_INVALID']);
        assert.match(again.text, /was not carried out again/);
        assert.equal(again.response.headers.get('idempotency-replayed'), null);
        assert.equal(effects.length, 1);
        const line = server.logged.findLast(({ msg }) => msg === 'the request failed');
        assert.deepEqual([line?.level, line?.code], ['error', 'IDEMPOTENCY_ANSWER_INVALID']);
      });
    }

    it('nor one that belongs to another key', async () => {
      await post();
      const other = await keys().findOne({ workId: effects[0]?.workId });
      assert.ok(other);
      const { answer, mac, fingerprint } = other;
      key = randomUUID();
      await post({ ...BODY, weight: 2 });
      await keys().updateOne({ workId: effects[1]?.workId }, { $set: { answer, mac, fingerprint } });
      assert.equal((await post()).response.status, 500);
      assert.equal(effects.length, 2);
    });

    it('nor that of an upload', async () => {
      await put('photo');
      await keys().updateOne({ workId: effects[0] && [...objects.keys()][0] }, { $set: { 'answer.status': 404 } });
      assert.equal((await put('photo')).response.status, 500);
      assert.equal(effects.length, 1);
    });
  });

  it('runs every request without a key', async () => {
    const claims = await Promise.all([unkeyed().claim(), unkeyed().claim()]);
    assert.notEqual(claims[0].workId, claims[1].workId);
    assert.equal(await claims[0].identify('x'), undefined);
  });

  describe('with personal data in the answer', () => {
    const subject = subjectKind('customer').subjectOf('1234567');
    const stored = async () => await connection.collection('idempotency_keys').find({ subject }).toArray();

    beforeEach(async () => {
      await store.eraseAnswersOf(subject);
      keysOf.add(subject);
      act = async () => ({ status: 201, json: { name: 'Kari Nordmann' }, subject });
    });

    it('stores it sealed, and replays it until the person is erased', async () => {
      const first = await post();
      const again = await post();
      assert.equal(again.text, first.text);
      assert.equal(again.response.headers.get('idempotency-replayed'), 'true');
      assert.equal(effects.length, 1);
      const [kept] = await stored();
      assert.ok(!JSON.stringify(kept?.answer.body.toString()).includes('Kari'));
    });

    it('answers 404 after the key of the person is erased, without a second effect', async () => {
      await post();
      keysOf.clear();
      const again = await post();
      assert.equal(again.response.status, 404);
      assert.equal(effects.length, 1);
    });

    it('keeps neither answer nor request of an erased person, only that the key was used', async () => {
      await post();
      await store.eraseAnswersOf(subject);
      await store.eraseAnswersOf(subject);
      assert.equal(await store.hasAnswersOf(subject), false);
      const again = await post();
      assert.equal(again.response.status, 404);
      assert.equal(effects.length, 1);
      const kept = await connection.collection('idempotency_keys').findOne({ workId: effects[0]?.workId });
      assert.equal(kept?.answer.body.length(), 0);
      assert.equal(kept?.fingerprint, undefined);
    });

    it('lets the next try continue the work when the answer could not be sealed', async () => {
      keysAreAway = true;
      assert.equal((await post()).response.status, 503);
      keysAreAway = false;
      assert.equal((await post()).response.status, 201);
      assert.equal(new Set(effects.map(({ workId }) => workId)).size, 1);
      assert.equal(effects.length, 2);
    });

    it('stores nothing readable when the person was erased while the request ran', async () => {
      keysOf.clear();
      const first = await post();
      assert.equal(first.response.status, 201);
      const [kept] = await stored();
      assert.equal(kept?.answer.body.length(), 0);
      assert.equal((await post()).response.status, 404);
    });
  });
});
