/** Pure parts of the HTTP base: canonical JSON, media types, the route table, search filters. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson, MAX_JSON_VALUES, parseJsonBody } from '../../api/shared/json.ts';
import { negotiate } from '../../api/shared/negotiate.ts';
import { RouteTable } from '../../api/shared/routes.ts';
import { type SearchTerm, toMongoFilter, toSearchPage } from '../../platform/mongo/search-filter.ts';

describe('canonical JSON', () => {
  it('is the same for the same value, in any order of members', () => {
    assert.equal(canonicalJson({ b: [1, { d: 'x', c: null }], a: true }), '{"a":true,"b":[1,{"c":null,"d":"x"}]}');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        return canonicalJson(turned) === canonicalJson(value);
      }),
    );
  });

  it('differs for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(JSON.parse(canonicalJson(a))) === JSON.stringify(JSON.parse(canonicalJson(b)));
        return same === (canonicalJson(a) === canonicalJson(b));
      }),
    );
  });

  it('parses back to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value);
        return canonicalJson(JSON.parse(text)) === text;
      }),
    );
  });
});

describe('JSON bodies', () => {
  it('are parsed or refused, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          parseJsonBody(bytes);
        } catch (error) {
          return error instanceof Error && error.name === 'ServiceError';
        }
        return true;
      }),
    );
  });
});

describe('JSON bodies with many values', () => {
  const ones = (count: number) => Buffer.from(`[${Array.from({ length: count - 1 }, () => 1)}]`);
  const refused = { code: 'VALIDATION_FAILED', message: /^The body must not hold more than 10,000 values/ };

  it('are refused, however small they are', () => {
    assert.equal((parseJsonBody(ones(MAX_JSON_VALUES)) as unknown[]).length, MAX_JSON_VALUES - 1);
    assert.throws(() => parseJsonBody(ones(MAX_JSON_VALUES + 1)), refused);
    for (const part of ['{},', '[],', '"":[],']) {
      assert.throws(() => parseJsonBody(Buffer.from(`[${part.repeat(MAX_JSON_VALUES)}0]`)), refused);
    }
  });

  it('are not those with long texts', () => {
    const text = '[{,\\"'.repeat(MAX_JSON_VALUES);
    assert.deepEqual(parseJsonBody(Buffer.from(JSON.stringify({ text }))), { text });
  });
});

describe('content negotiation', () => {
  const offered = ['application/json', 'text/html', 'text/csv'];
  for (const [accept, expected] of [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/*', 'text/html'],
    ['text/csv', 'text/csv'],
    ['text/*;q=0.5, text/csv', 'text/csv'],
    ['text/html;q=0, text/*', 'text/csv'],
    ['application/vnd.x+json', 'application/json'],
    ['application/json;q=0, */*;q=0.1', 'text/html'],
    ['image/png', undefined],
    ['*/*;q=0', undefined],
    ['nonsense', undefined],
    ['text/html, application/json', 'text/html'],
    ['*/*, text/csv', 'text/csv'],
    ['application/json; charset=utf-8', 'application/json'],
    ['text/csv; header=present', 'text/csv'],
    ['application/vnd.x+json; v=2', 'application/json'],
    ['application/vnd.x+json;q=0', undefined],
    ['text/csv;q=x', undefined],
    ['Application/JSON; charset=UTF-8', 'application/json'],
    ['application/json; charset=utf-8, text/csv;q=0.5', 'application/json'],
    ['application/vnd.x+json, text/csv;q=0.5', 'application/json'],
    ['application/json;q=0, application/vnd.x+json', undefined],
  ] as const) {
    it(`agrees on ${expected} for ${accept}`, () => {
      assert.equal(negotiate(accept, offered), expected);
    });
  }
});

describe('the route table', () => {
  const endpoint = async () => ({ status: 204 });

  it('refuses a path that can never match, before any request', () => {
    assert.throws(() => new RouteTable().add('GET', '/parcels(old)', endpoint), /parcels/);
  });

  it('prefers literal paths, and matches paths as sent', () => {
    const table = new RouteTable();
    for (const path of ['/a/{b}', '/a/own', '/a/{b}/c']) table.add('GET', path, endpoint);
    const found = (path: string) => {
      const match = table.find(path);
      return match && [match.route.path, { ...match.encodedPath }];
    };
    assert.deepEqual(found('/a/own'), ['/a/own', {}]);
    assert.deepEqual(found('/a/own/'), ['/a/own', {}]);
    assert.deepEqual(found('/a/Own'), ['/a/{b}', { b: 'Own' }]);
    assert.deepEqual(found('/a/x%2Fc'), ['/a/{b}', { b: 'x%2Fc' }]);
    assert.deepEqual(found('/a/x#c'), ['/a/{b}', { b: 'x#c' }]);
    for (const path of ['/A/x', '/a//', '//a/x', '/a//c', '/%61/x', '/a/x/c/d', 'a/x']) {
      assert.equal(found(path), undefined, path);
    }
  });
});

describe('search filters', () => {
  const fields = {
    state: { member: 'state' },
    date: { member: 'receivedAt', toStored: (value: string | number | boolean) => new Date(String(value)) },
  };
  const term = (field: string, operator: SearchTerm['operator'], ...values: string[]) => ({ field, operator, values });

  it('combine all terms, so that two make a range', () => {
    const terms = [term('date', 'gte', '2026-01-01T00:00:00Z'), term('date', 'lt', '2026-02-01T00:00:00Z')];
    assert.deepEqual(toMongoFilter(terms, fields), {
      $and: [
        { receivedAt: { $gte: new Date('2026-01-01T00:00:00Z') } },
        { receivedAt: { $lt: new Date('2026-02-01T00:00:00Z') } },
      ],
    });
    assert.deepEqual(toMongoFilter([term('state', 'nin', 'OK', 'FAILED')], fields), {
      $and: [{ state: { $nin: ['OK', 'FAILED'] } }],
    });
    assert.deepEqual(toMongoFilter([], fields), {});
  });

  it('refuse a field that has no stored member', () => {
    assert.throws(() => toMongoFilter([term('other', 'eq', 'x')], fields), /other/);
  });

  it('count pages', () => {
    const search = { terms: [], page: 9, perPage: 25, orderBy: undefined, sortBy: 'asc' as const };
    assert.deepEqual(toSearchPage(search, [], 51), { items: [], page: 9, perPage: 25, totalItems: 51, totalPages: 3 });
  });
});
