/**
 * Sends every operation of the served document with every kind of token. Paths, bodies and scopes come from the
 * document, so a new operation is tested without a change here.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { loadDocument, type OperationEntry } from '../../../api/shared/openapi-document.ts';
import { type Json, resolve, toJson } from '../../../api/shared/openapi-reference.ts';
import { type Answer, problemOf } from '../support/call.ts';
import { createSignedTokens, type SignedTokens } from './signed-tokens.ts';
import { BASE, type CustomersServer, inDays, newProfile, newTemporary, startCustomers } from './support.ts';

const DOCUMENT = new URL('../../../api/customers/openapi.yaml', import.meta.url);
const { operations } = loadDocument(DOCUMENT, 'Service');
const ABSENT = '4837201956';
const PASSWORD = 'a long password';

/** The profile and item of organisation 1 that a request names. */
interface TestProfile {
  readonly customerNumber: string;
  readonly email: string;
  /** The id of the item in the path. */
  readonly item: string;
}

/** Members that a request needs in addition to the document's example. */
const BODIES: Record<string, (profile: TestProfile) => object> = {
  authenticateProfile: ({ email }) => ({ username: email, password: PASSWORD }),
  createTemporaryProfile: () => ({ expirationDate: inDays(9) }),
  changeTemporaryProfile: () => ({ expirationDate: inDays(9) }),
};
const QUERIES: Record<string, (profile: TestProfile) => string> = {
  searchProfiles: ({ email }) => `?organisationId=1&includeTemporary=true&email=${encodeURIComponent(email)}`,
};
/** Answers of operations without a customer in the path to another organisation. */
const ANSWERS_TO_OTHERS: Record<string, string> = {
  createProfile: '403 ORGANISATION_FORBIDDEN',
  createTemporaryProfile: '403 ORGANISATION_FORBIDDEN',
  authenticateProfile: '401 INVALID_CREDENTIALS',
  searchProfiles: '200 no match',
  listConsentDefinitions: '200 its own',
};

describe('every operation with every token', () => {
  let server: CustomersServer;
  let tokens: SignedTokens;
  let document: Json;
  const every = [...new Set(operations.flatMap(({ scopes }) => scopes ?? []))];

  before(async () => {
    tokens = await createSignedTokens();
    server = await startCustomers({ verifyToken: tokens.verifyToken });
    document = toJson(await (await fetch(`${server.url}/api-docs/customers`)).json(), 'document');
  });
  after(async () => {
    await server.close();
  });

  const own = () => tokens.sign({ organisationId: 1, scopes: every });
  const other = () => tokens.sign({ organisationId: 2, scopes: every });
  const any = () => tokens.sign({ organisationId: 3, scopes: [...every, 'organisation:any'] });

  it('covers the served document', () => {
    const served = Object.entries(toJson(document.paths, 'paths')).flatMap(([path, item]) =>
      Object.keys(toJson(item, path)).flatMap((method) => (method === 'parameters' ? [] : [`${method} ${path}`])),
    );
    const tested = operations.map(({ method, path }) => `${method.toLowerCase()} ${path}`);
    assert.deepEqual(served.sort(), tested.sort());
    assert.ok(served.length >= 39);
  });

  for (const operation of operations) {
    describe(`${operation.method} ${operation.path}`, () => {
      const named = /\{customer/.test(operation.path);

      it('serves its own organisation', async () => {
        const answer = await request(operation, await makeProfile(operation), await own());
        assert.equal(answer.status, successOf(operation), answer.text);
      });

      it('serves a token with the right to every organisation', async () => {
        const answer = await request(operation, await makeProfile(operation), await any());
        assert.equal(answer.status, successOf(operation), answer.text);
      });

      it('is refused without a token and with an expired one', async () => {
        const profile = await makeProfile(operation);
        const expired = await tokens.sign({ organisationId: 1, scopes: every, livesSeconds: -60 });
        assert.equal(problemOf(await request(operation, profile, null)), '401 MISSING_TOKEN');
        assert.equal(problemOf(await request(operation, profile, expired)), '401 EXPIRED_TOKEN');
        assert.equal(
          problemOf(await request(operation, { ...profile, customerNumber: ABSENT }, null)),
          '401 MISSING_TOKEN',
        );
      });

      it('is refused without its scope, also for an absent profile', async () => {
        const scopes = [...every, 'organisation:any'].filter((scope) => !operation.scopes?.includes(scope));
        const token = await tokens.sign({ organisationId: 1, scopes });
        const profile = await makeProfile(operation);
        for (const each of [profile, { ...profile, customerNumber: ABSENT }]) {
          assert.equal(problemOf(await request(operation, each, token)), '403 INSUFFICIENT_SCOPE');
        }
      });

      if (named) {
        it('answers another organisation as for an absent profile, to the byte, and changes nothing', async () => {
          const profile = await makeProfile(operation);
          const before = await readAll(profile);
          const token = await other();
          for (const body of operation.body.size > 0 ? [undefined, { nonsense: true }, '{'] : [undefined]) {
            const foreign = await request(operation, profile, token, body);
            const absent = await request(operation, { ...profile, customerNumber: ABSENT }, token, body);
            assert.equal(problemOf(foreign), '404 NOT_FOUND');
            assert.deepEqual(comparable(foreign), comparable(absent));
          }
          assert.deepEqual(await readAll(profile), before);
        });
      } else {
        it('reveals nothing to another organisation', async () => {
          const profile = await makeProfile(operation);
          const answer = await request(operation, profile, await other());
          const expected = ANSWERS_TO_OTHERS[operation.operationId];
          if (expected === '200 no match') assert.deepEqual([answer.status, answer.json.items], [200, []]);
          else if (expected === '200 its own') assert.equal(answer.status, 200);
          else assert.equal(problemOf(answer), expected);
          const nobody = { ...profile, email: `nobody-${randomUUID().slice(0, 8)}@example.no` };
          assert.deepEqual(comparable(await request(operation, nobody, await other())), comparable(answer));
        });
      }
    });
  }

  it("answers another organisation's reference like an unknown one", async () => {
    const customerRef = randomUUID();
    await server.call('/profiles/', { token: await own(), body: newProfile({ customerRef }) });
    const token = await other();
    const headers = { 'x-correlation-id': randomUUID() };
    for (const query of ['', '?organisationId=1']) {
      const foreign = await server.call(`/profiles/${customerRef}${query}`, { token, headers });
      const absent = await server.call(`/profiles/${randomUUID()}${query}`, { token, headers });
      assert.equal(problemOf(foreign), '404 NOT_FOUND');
      assert.deepEqual(comparable(foreign), comparable(absent));
    }
  });

  it('answers 401 without a token for every path below its own', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of [
        '',
        '/',
        '/nothing',
        '/profiles',
        '/profiles-search',
        '/profiles/x/y/z',
        '/profiles/temporary',
        '/%ff',
      ]) {
        const answer = await server.call(path, { method, token: null });
        assert.equal(problemOf(answer), '401 MISSING_TOKEN', `${method} ${path}`);
      }
    }
    const token = await own();
    assert.equal((await server.call('/nothing', { token })).status, 404);
    const refused = await server.call('/profiles', { token });
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST, OPTIONS']);
  });

  /** Sends the operation with the document's example. */
  async function request(
    operation: OperationEntry,
    profile: TestProfile,
    token: string | null,
    body?: unknown,
  ): Promise<Answer> {
    const { operationId, method } = operation;
    const [type] = operation.body.keys();
    const example =
      type === undefined ? undefined : { ...exampleOf(operation, type), ...BODIES[operationId]?.(profile) };
    return await server.call(pathOf(operation.path, profile) + (QUERIES[operationId]?.(profile) ?? ''), {
      method,
      token,
      headers: {
        'x-correlation-id': '7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11',
        ...(type !== undefined && { 'content-type': type }),
      },
      ...(type !== undefined && { body: body ?? unique(example ?? {}) }),
    });
  }

  /** Makes a profile of organisation 1 with the item that the path names. */
  async function makeProfile({ path, operationId }: OperationEntry): Promise<TestProfile> {
    const token = await own();
    const email = `kari-${randomUUID().slice(0, 8)}@example.no`;
    const customerNumber = path.includes('/temporary/')
      ? (await server.call('/profiles/temporary', { token, body: newTemporary({ email }) })).json.customerNumber
      : await server.createProfile(
          { email, ...(operationId === 'authenticateProfile' && { password: PASSWORD }) },
          token,
        );
    const profile = { customerNumber, email, item: '' };
    const [, collection] = /^(.*)\/\{(?:id|key)\}/.exec(path) ?? [];
    if (collection === undefined) return profile;
    const creation = operations.find((each) => each.path === collection && each.method === 'POST');
    assert.ok(creation, `nothing is created at ${collection}`);
    const { json } = await request(creation, profile, token);
    return { ...profile, item: json.id ?? json.key };
  }

  /** Everything that organisation 1 sees of the profile. */
  async function readAll({ customerNumber }: TestProfile): Promise<readonly unknown[]> {
    const token = await own();
    const below = ['', '/consents', '/postal-addresses', '/preferences', '/e-cards', '/loyalty-programs'];
    return await Promise.all(
      below.map(async (path) => {
        const { status, json } = await server.call(`/profiles/${customerNumber}${path}`, { token });
        return status === 422 ? status : json;
      }),
    );
  }

  function exampleOf(operation: OperationEntry, type: string): Json {
    const pointer = (operation.body.get(type) ?? '').replace(/\/schema$/, '');
    return toJson(
      resolve(document, { $ref: `#${pointer}` }, pointer)[0].example,
      `example of ${operation.operationId}`,
    );
  }
});

function pathOf(template: string, { customerNumber, item }: TestProfile): string {
  return template
    .slice(BASE.length)
    .replace(/\{customer\w+\}/, customerNumber)
    .replace(/\{\w+\}/, item);
}

/** Gives each request another address and card number. */
function unique(example: object): object {
  return {
    ...example,
    ...('email' in example && { email: `${randomUUID()}@example.no` }),
    ...('mediaSerialNumber' in example && { mediaSerialNumber: String(Math.random()).slice(2, 12) }),
  };
}

function successOf({ path, method }: OperationEntry): number {
  const { root } = loadDocument(DOCUMENT, 'Service');
  const { responses } = toJson(toJson(toJson(root.paths, 'paths')[path], path)[method.toLowerCase()], method);
  return Number(Object.keys(toJson(responses, 'responses')).find((status) => status.startsWith('2')));
}

/** The answer without its time and address. */
function comparable({ status, headers, text, json }: Answer): unknown {
  const { date: _, 'content-length': length, ...rest } = Object.fromEntries(headers);
  const { instance = '', timestamp = '' } = json ?? {};
  const bytes = text.replace(`"instance":"${instance}"`, '').replace(`"timestamp":"${timestamp}"`, '');
  return { status, headers: rest, bytes, length: Number(length) - instance.length };
}
