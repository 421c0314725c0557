/** The API must accept only unchanged tokens of its own issuer. */
import assert from 'node:assert/strict';
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { request } from 'node:http';
import type { JSONWebKeySet } from 'jose';
import { KeySet } from '../../api/shared/key-set.ts';
import type { Caller } from '../../api/shared/operation.ts';
import { createTokenCheck } from '../../api/shared/token-check.ts';
import { VerifiedTokens } from '../../api/shared/verified-tokens.ts';
import { startParcels, type TestServer } from './support/parcels.ts';

type Members = Record<string, unknown>;

const ISSUER = 'https://auth.test';
const AUDIENCE = 'https://api.test';
const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicJwk = { ...ours.publicKey.export({ format: 'jwk' }), kid: 'ours', alg: 'RS256', use: 'sig' };
const foreignJwk = foreign.publicKey.export({ format: 'jwk' });
const publicPem = ours.publicKey.export({ type: 'spki', format: 'pem' });

const HEADER = { alg: 'RS256', typ: 'at+jwt', kid: 'ours' };
const nowSeconds = () => Math.floor(Date.now() / 1000);
const claims = (): Members => ({
  iss: ISSUER,
  sub: 'partner',
  aud: AUDIENCE,
  iat: nowSeconds(),
  nbf: nowSeconds(),
  exp: nowSeconds() + 600,
  jti: 'b7e8b4a0-0000-4000-8000-000000000000',
  client_id: 'partner',
  organisationId: 7,
  scope: 'parcels:read',
  codespaces: ['dem'],
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signText(text: string, key: KeyObject = ours.privateKey): string {
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

/** A token with a valid signature over any content. */
function token(change: { header?: Members; claims?: Members; key?: KeyObject; without?: string } = {}): string {
  const payload: Members = { ...claims(), ...change.claims };
  if (change.without !== undefined) delete payload[change.without];
  return signText(`${encode({ ...HEADER, ...change.header })}.${encode(payload)}`, change.key);
}

/** Signs by HMAC with the public key as secret, which checks accept that trust the header's `alg`. */
function hmacToken(secret: string | Buffer): string {
  const text = `${encode({ ...HEADER, alg: 'HS256' })}.${encode(claims())}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const parts = () => token().split('.') as [string, string, string];
const unsigned = (alg: string) => `${encode({ ...HEADER, alg })}.${encode(claims())}.`;

/** Values of the `Authorization` header that must be refused; a list is a repeated header. */
const UNFIT: Record<string, () => string | string[]> = {
  'alg none without signature': () => `Bearer ${unsigned('none')}`,
  'alg None in mixed case': () => `Bearer ${unsigned('nOnE')}`,
  'alg none with a valid signature': () => `Bearer ${token({ header: { alg: 'none' } })}`,
  'HS256 with the public key in PEM': () => `Bearer ${hmacToken(publicPem)}`,
  'HS256 with the modulus': () => `Bearer ${hmacToken(Buffer.from(String(publicJwk.n), 'base64url'))}`,
  'HS256 with an empty secret': () => `Bearer ${hmacToken('')}`,
  'RS512 named in the header': () => `Bearer ${token({ header: { alg: 'RS512' } })}`,
  'PS256 named in the header': () => `Bearer ${token({ header: { alg: 'PS256' } })}`,
  'no alg': () => `Bearer ${token({ header: { alg: undefined } })}`,
  'alg as a list': () => `Bearer ${token({ header: { alg: ['RS256'] } })}`,
  'unknown key id': () => `Bearer ${token({ header: { kid: 'theirs' } })}`,
  'no key id': () => `Bearer ${token({ header: { kid: undefined } })}`,
  'key id as a path': () => `Bearer ${token({ header: { kid: '../../dev/null' }, key: foreign.privateKey })}`,
  'foreign key under our key id': () => `Bearer ${token({ key: foreign.privateKey })}`,
  'own key in jwk': () => `Bearer ${token({ header: { jwk: foreignJwk }, key: foreign.privateKey })}`,
  'own key by jku': () => `Bearer ${token({ header: { jku: 'http://127.0.0.1:1/' }, key: foreign.privateKey })}`,
  'own key by x5u': () => `Bearer ${token({ header: { x5u: 'http://127.0.0.1:1/' }, key: foreign.privateKey })}`,
  'own certificate in x5c': () => `Bearer ${token({ header: { x5c: ['AA=='] }, key: foreign.privateKey })}`,
  'valid signature with a jwk': () => `Bearer ${token({ header: { jwk: foreignJwk } })}`,
  'critical extension': () => `Bearer ${token({ header: { crit: ['b64'], b64: true } })}`,
  'unknown critical extension': () => `Bearer ${token({ header: { crit: ['exp'], exp: 1 } })}`,
  'typ JWT, as an id token has': () => `Bearer ${token({ header: { typ: 'JWT' } })}`,
  'no typ': () => `Bearer ${token({ header: { typ: undefined } })}`,
  'not yet valid': () => `Bearer ${token({ claims: { nbf: nowSeconds() + 120 } })}`,
  'issued in the future': () => `Bearer ${token({ claims: { iat: nowSeconds() + 120 } })}`,
  'other issuer': () => `Bearer ${token({ claims: { iss: 'https://evil.test' } })}`,
  'issuer with a slash': () => `Bearer ${token({ claims: { iss: `${ISSUER}/` } })}`,
  'issuer as a list': () => `Bearer ${token({ claims: { iss: [ISSUER] } })}`,
  'audience of another environment': () => `Bearer ${token({ claims: { aud: 'https://api.production' } })}`,
  'audience of several environments': () =>
    `Bearer ${token({ claims: { aud: [AUDIENCE, 'https://api.production'] } })}`,
  'organisation as text': () => `Bearer ${token({ claims: { organisationId: '7' } })}`,
  'organisation with a fraction': () => `Bearer ${token({ claims: { organisationId: 7.5 } })}`,
  'organisation below one': () => `Bearer ${token({ claims: { organisationId: 0 } })}`,
  'scope as a list': () => `Bearer ${token({ claims: { scope: ['parcels:read'] } })}`,
  'codespaces as text': () => `Bearer ${token({ claims: { codespaces: 'dem' } })}`,
  'codespaces of a wrong shape': () => `Bearer ${token({ claims: { codespaces: ['dem', '.*'] } })}`,
  'expiry as text': () => `Bearer ${token({ claims: { exp: String(nowSeconds() + 600) } })}`,
  'subject that is not the client': () => `Bearer ${token({ claims: { sub: 'operator' } })}`,
  'claims that are a list': () => `Bearer ${signText(`${encode(HEADER)}.${encode([claims()])}`)}`,
  'claims that are not JSON': () => `Bearer ${signText(`${encode(HEADER)}.eHg`)}`,
  'changed claims': () => {
    const [header, , signature] = parts();
    return `Bearer ${header}.${encode({ ...claims(), organisationId: 8 })}.${signature}`;
  },
  'empty signature': () => `Bearer ${parts().slice(0, 2).join('.')}.`,
  'two parts': () => `Bearer ${parts().slice(0, 2).join('.')}`,
  'five parts': () => `Bearer ${[...parts(), 'AA', 'AA'].join('.')}`,
  'signature part twice': () => `Bearer ${[...parts(), parts()[2]].join('.')}`,
  'trailing garbage': () => `Bearer ${token()}!`,
  'trailing dot': () => `Bearer ${token()}.`,
  'padded signature': () => `Bearer ${token()}==`,
  'standard base64 alphabet': () => `Bearer ${parts().slice(0, 2).join('.')}.${'+/'.repeat(171)}`,
  'stray bits at the end of the signature': () => {
    const text = token();
    const last = text.at(-1) ?? '';
    // 256 bytes leave two unused bits in the last character, so its neighbour decodes to the same bytes.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return `Bearer ${text.slice(0, -1)}${alphabet[alphabet.indexOf(last) + 1]}`;
  },
  'huge token': () => `Bearer ${token({ claims: { scope: 'a'.repeat(9_000) } })}`,
  'a token and more text': () => `Bearer ${token()} ${token()}`,
  'two spaces': () => `Bearer  ${token()}`,
  'tab for space': () => `Bearer\t${token()}`,
  'comma-joined': () => `Bearer ${token()}, Bearer ${token()}`,
  'no token': () => 'Bearer',
  'no scheme': () => token(),
  'scheme Token': () => `Token ${token()}`,
  'scheme Basic': () => `Basic ${token()}`,
  'lower-case scheme and forged': () => `bearer ${token({ key: foreign.privateKey })}`,
  'upper-case scheme and forged': () => `BEARER ${unsigned('none')}`,
  'two headers, the same': () => [`Bearer ${token()}`, `Bearer ${token()}`],
  'two headers, the second right': () => ['Bearer x', `Bearer ${token()}`],
};

describe('token check', () => {
  let server: TestServer;
  let served: JSONWebKeySet = { keys: [publicJwk] };
  let clockMs = 0;
  let fetches = 0;
  /** Each test replaces it, so that one server serves all tests. */
  let check: ReturnType<typeof createTokenCheck>;

  before(async () => {
    server = await startParcels({ verifyToken: async (context) => await check(context) });
  });
  beforeEach(() => {
    served = { keys: [publicJwk] };
    clockMs = 0;
    fetches = 0;
    const keys = new KeySet({
      now: () => clockMs,
      fetchKeys: async () => {
        fetches += 1;
        return served;
      },
    });
    check = createTokenCheck({ issuer: ISSUER, audience: AUDIENCE, keys });
  });
  after(async () => {
    await server.close();
  });

  /** Uses `http`, since `fetch` would merge repeated headers. */
  async function call(authorization?: string | string[], path = '/v1/parcels/abc') {
    return await new Promise<{ status: number; challenge: string | undefined; code: unknown }>((resolve, reject) => {
      const headers = ['Host', 'x', 'Connection', 'close'];
      for (const line of [authorization ?? []].flat()) headers.push('Authorization', line);
      request(`${server.url}${path}`, { headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const code = (JSON.parse(text) as { code?: unknown }).code;
          resolve({ status: response.statusCode ?? 0, challenge: response.headers['www-authenticate'], code });
        });
      })
        .on('error', reject)
        .end();
    });
  }

  it('accepts an issued token, with the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) assert.equal((await call(`${scheme} ${token()}`)).status, 200);
  });

  for (const [name, make] of Object.entries(UNFIT)) {
    it(`refuses: ${name}`, async () => {
      const { status, challenge, code } = await call(make());
      assert.equal(status, 401);
      const missing = code === 'MISSING_TOKEN';
      assert.ok(missing || code === 'INVALID_TOKEN', String(code));
      assert.equal(challenge, missing ? 'Bearer' : 'Bearer error="invalid_token"');
    });
  }

  for (const name of Object.keys(claims())) {
    it(`refuses: no ${name}`, async () => {
      assert.equal((await call(`Bearer ${token({ without: name })}`)).code, 'INVALID_TOKEN');
    });
    it(`refuses: ${name} of another type`, async () => {
      assert.equal((await call(`Bearer ${token({ claims: { [name]: { x: 1 } } })}`)).code, 'INVALID_TOKEN');
    });
  }

  it('reports an expired token only when its signature is valid', async () => {
    const old = { exp: nowSeconds() - 31, iat: nowSeconds() - 600, nbf: nowSeconds() - 600 };
    const expired = await call(`Bearer ${token({ claims: old })}`);
    assert.deepEqual(expired, { status: 401, challenge: 'Bearer error="invalid_token"', code: 'EXPIRED_TOKEN' });
    assert.equal((await call(`Bearer ${token({ claims: old, key: foreign.privateKey })}`)).code, 'INVALID_TOKEN');
  });

  it('tolerates 30 seconds between the clocks', async () => {
    assert.equal((await call(`Bearer ${token({ claims: { exp: nowSeconds() - 25 } })}`)).status, 200);
    assert.equal((await call(`Bearer ${token({ claims: { nbf: nowSeconds() + 25 } })}`)).status, 200);
  });

  it('names no error when the token is missing, and ignores a token in the query', async () => {
    const none = { status: 401, challenge: 'Bearer', code: 'MISSING_TOKEN' };
    assert.deepEqual(await call(), none);
    assert.deepEqual(await call('', '/v1/parcels/abc'), none);
    assert.deepEqual(await call(undefined, `/v1/parcels/abc?access_token=${token()}`), none);
  });

  it('names the missing scope', async () => {
    const { status, code, challenge } = await call(`Bearer ${token({ claims: { scope: 'parcels:write x' } })}`);
    assert.deepEqual([status, code], [403, 'INSUFFICIENT_SCOPE']);
    assert.match(challenge ?? '', /insufficient_scope.*parcels:read/);
  });

  it('fetches the keys again for an unknown id, at most once in 10 seconds', async () => {
    await call(`Bearer ${token()}`);
    assert.equal(fetches, 1);
    served = { keys: [publicJwk, { ...foreignJwk, kid: 'next', alg: 'RS256', use: 'sig' }] };
    const next = () => token({ header: { kid: 'next' }, key: foreign.privateKey });
    for (let count = 0; count < 5; count += 1) assert.equal((await call(`Bearer ${next()}`)).code, 'INVALID_TOKEN');
    assert.equal(fetches, 1);
    clockMs = 10_000;
    assert.equal((await call(`Bearer ${next()}`)).status, 200);
    assert.equal(fetches, 2);
    for (let count = 0; count < 5; count += 1) await call(`Bearer ${token({ header: { kid: `${count}` } })}`);
    assert.equal(fetches, 2);
  });

  it('refuses a withdrawn key after about a minute of requests, and at once after a pause', async () => {
    let made = 0;
    const fresh = () => token({ claims: { jti: `token ${++made}` } });
    const rest = { keys: [{ ...foreignJwk, kid: 'other', alg: 'RS256', use: 'sig' }] };
    assert.equal((await call(`Bearer ${fresh()}`)).status, 200);
    served = rest;
    clockMs = 60_000;
    assert.equal((await call(`Bearer ${fresh()}`)).status, 200);
    clockMs = 60_001;
    await call(`Bearer ${fresh()}`);
    assert.equal((await call(`Bearer ${fresh()}`)).code, 'INVALID_TOKEN');
    served = { keys: [publicJwk] };
    clockMs += 10_000;
    assert.equal((await call(`Bearer ${fresh()}`)).status, 200);
    served = rest;
    clockMs += 120_001;
    assert.equal((await call(`Bearer ${fresh()}`)).code, 'INVALID_TOKEN');
  });

  it('answers 503 while it has no keys, and keeps known keys while the issuer is unavailable', async () => {
    let away = true;
    const keys = new KeySet({
      now: () => clockMs,
      fetchKeys: async () => {
        if (away) throw new Error('connection refused');
        return served;
      },
    });
    check = createTokenCheck({ issuer: ISSUER, audience: AUDIENCE, keys });
    assert.equal((await call(`Bearer ${token()}`)).code, 'UNAVAILABLE');
    away = false;
    assert.equal((await call(`Bearer ${token()}`)).status, 200);
    away = true;
    clockMs = 3_600_000;
    assert.equal((await call(`Bearer ${token()}`)).status, 200);
    // Without the issuer, an unknown key may be a new one.
    for (let count = 0; count < 2; count += 1) {
      assert.equal((await call(`Bearer ${token({ header: { kid: 'new' } })}`)).code, 'UNAVAILABLE');
    }
    away = false;
    clockMs += 10_000;
    assert.equal((await call(`Bearer ${token({ header: { kid: 'new' } })}`)).code, 'INVALID_TOKEN');
  });

  it('refuses live tokens of a disabled client, also cached ones', async () => {
    const ids = new Set<string>();
    const keys = new KeySet({ fetchKeys: async () => served });
    check = createTokenCheck({ issuer: ISSUER, audience: AUDIENCE, keys, isDisabled: (id) => ids.has(id) });
    const [text, other] = [token(), token({ claims: { sub: 'other', client_id: 'other' } })];
    assert.equal((await call(`Bearer ${text}`)).status, 200);
    ids.add('partner');
    const refused = { status: 401, challenge: 'Bearer error="invalid_token"', code: 'INVALID_TOKEN' };
    assert.deepEqual(await call(`Bearer ${text}`), refused);
    assert.equal((await call(`Bearer ${other}`)).status, 200);
    ids.delete('partner');
    assert.equal((await call(`Bearer ${text}`)).status, 200);
  });

  it('verifies a token once a minute, and never accepts it after it expired', async () => {
    let nowMs = Date.now();
    let asked = 0;
    const keys = new KeySet({ fetchKeys: async () => served });
    const getKey: typeof keys.getKey = async (header, jws) => {
      asked += 1;
      return await keys.getKey(header, jws);
    };
    check = createTokenCheck({ issuer: ISSUER, audience: AUDIENCE, keys: { getKey }, now: () => nowMs });
    const text = token({ claims: { exp: Math.floor(nowMs / 1_000) + 50 } });
    for (let count = 0; count < 5; count += 1) assert.equal((await call(`Bearer ${text}`)).status, 200);
    assert.equal(asked, 1);
    nowMs += 61_000;
    assert.equal((await call(`Bearer ${text}`)).status, 200);
    assert.equal(asked, 2);
    nowMs += 20_000;
    assert.equal((await call(`Bearer ${text}`)).code, 'EXPIRED_TOKEN');
    for (let count = 0; count < 2; count += 1) {
      assert.equal((await call(`Bearer ${token({ key: foreign.privateKey })}`)).code, 'INVALID_TOKEN');
    }
    assert.equal(asked, 5);
  });
});

describe('verified tokens', () => {
  const caller = { clientId: 'partner', tokenExpiresAtMs: Number.POSITIVE_INFINITY } as Caller;

  it('are kept for a minute at most', () => {
    const verified = new VerifiedTokens();
    verified.keep('a', caller, 0);
    verified.keep('b', { ...caller, tokenExpiresAtMs: 10_000 }, 0);
    assert.equal(verified.find('a', 59_999), caller);
    assert.equal(verified.find('a', 60_000), undefined);
    assert.equal(verified.find('b', 10_000), undefined);
    assert.equal(verified.size, 0);
  });

  it('are bounded in number: the oldest goes first', () => {
    const verified = new VerifiedTokens();
    for (let count = 0; count < 10_001; count += 1) verified.keep(String(count), caller, 0);
    assert.equal(verified.size, 10_000);
    assert.deepEqual([verified.find('0', 1), verified.find('10000', 1)], [undefined, caller]);
  });
});
