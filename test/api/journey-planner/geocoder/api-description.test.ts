/** Compares the geocoder's OpenAPI document with its answers. */
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { loadDocument } from '../../../../api/shared/openapi-document.ts';
import { SchemaChecks } from '../../../../api/shared/schema-check.ts';
import { useDemoPlanner } from '../demo-planner.ts';

const FILE = new URL('../../../../api/journey-planner/geocoder/openapi.yaml', import.meta.url);
const { root, operations } = loadDocument(FILE, 'Service');
const PLACES = '/components/schemas/Places';

describe('Geocoder: description', () => {
  const demo = useDemoPlanner();
  const get = (path: string, headers: Record<string, string> = {}) => fetch(demo.planner.url + path, { headers });

  it('is served as JSON and as YAML', async () => {
    const json = await get('/geocoder/v1/api-docs');
    assert.equal(json.headers.get('content-type'), 'application/json');
    assert.deepEqual(await json.json(), root);
    const yaml = await get('/geocoder/v1/api-docs', { accept: 'application/yaml' });
    assert.equal(yaml.headers.get('content-type'), 'application/yaml');
    assert.deepEqual(parse(await yaml.text()), root);
    assert.notEqual((await get('/geocoder/v1/api-docs', { accept: 'text/html' })).status, 200);
    const posted = await fetch(`${demo.planner.url}/geocoder/v1/api-docs`, { method: 'POST' });
    assert.equal(posted.headers.get('allow'), 'GET, HEAD');
  });

  it('has a schema for every answer', async () => {
    const check = new SchemaChecks('geocoder', root).compile(PLACES);
    const paths = [
      'autocomplete?text=nordhamn&size=50&focus.point.lat=64.7&focus.point.lon=11',
      'autocomplete?text=nothing%20of%20this%20name',
      'reverse?point.lat=64.72&point.lon=11.05&boundary.circle.radius=5&layers=venue,address',
    ];
    for (const path of paths) {
      const response = await get(`/geocoder/v1/${path}`);
      assert.equal(response.status, 200, path);
      assert.deepEqual(check(await response.json()), [], path);
    }
  });

  it('has the limits of every number', async () => {
    for (const { path, parameters } of operations) {
      const required = parameters.filter(({ required }) => required);
      const asked = new URLSearchParams(
        required.map(({ name }): [string, string] => [name, name === 'text' ? 'x' : '60']),
      );
      for (const { name, in: place, schema } of parameters) {
        const { minimum, maximum } = limitsOf(schema);
        if (place !== 'query' || minimum === undefined || maximum === undefined) continue;
        for (const [value, isTaken] of [
          [minimum, true],
          [maximum, true],
          [minimum - 1, false],
          [maximum + 1, false],
        ] as const) {
          const query = new URLSearchParams(asked);
          if (name.startsWith('focus.')) query.set('focus.point.lat', '1');
          if (name.startsWith('focus.')) query.set('focus.point.lon', '1');
          query.set(name, String(value));
          const { status } = await get(`${path}?${query}`);
          assert.equal(status === 200, isTaken, `${path}?${query}: ${status}`);
        }
      }
    }
  });
});

function limitsOf(schema: { readonly [name: string]: unknown }): { minimum?: number; maximum?: number } {
  const { minimum, maximum } = schema;
  return typeof minimum === 'number' && typeof maximum === 'number' ? { minimum, maximum } : {};
}
