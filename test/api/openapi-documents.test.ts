/** Checks the served documents: codes match their statuses, examples their schemas, and every error has a schema. */
import assert from 'node:assert/strict';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { escapePointer } from '../../api/shared/json.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { type Json, resolve, toJson } from '../../api/shared/openapi-reference.ts';
import { type Check, SchemaChecks } from '../../api/shared/schema-check.ts';
import { toServedDocument } from '../../api/shared/served-document.ts';
import { CONTRACTS } from '../../dev/contract/areas.ts';
import { ERROR_STATUS } from '../../workflows/shared/error-codes.ts';

const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'path-parameters-defined': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'spec-components-invalid-map-name': 'error',
  'security-defined': 'error',
} as const;

const STATUS_OF: Readonly<Record<string, number>> = ERROR_STATUS;

for (const { area: name, document } of CONTRACTS) {
  describe(`the document of ${name}`, () => {
    const { root, operations } = loadDocument(document, 'Service');
    const checks = new SchemaChecks(name, root);
    const compiled = new Map<string, Check>();

    /** Most operations share the schemas of their errors. */
    function check(pointer: string, example: unknown): ReturnType<Check> {
      const known = compiled.get(pointer) ?? checks.compile(pointer);
      compiled.set(pointer, known);
      return known(example);
    }

    function responsesOf(path: string, method: string): Json {
      const item = toJson(toJson(root.paths, 'paths')[path], path);
      return toJson(toJson(item[method.toLowerCase()], method).responses, 'responses');
    }

    it('is valid OpenAPI 3.1', async () => {
      const config = await createConfig({ rules: RULES });
      const source = JSON.stringify(root);
      const problems = await lintFromString({ source, absoluteRef: `/${name}.json`, config });
      assert.deepEqual(
        problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`),
        [],
      );
    });

    it('is served with the schema of each value of a discriminator', () => {
      const served = toServedDocument(root, 'https://api.test');
      assert.deepEqual(served.servers, [{ url: 'https://api.test' }]);
      for (const schema of Object.values(toJson(toJson(served.components, 'components').schemas ?? {}, 'schemas'))) {
        const { discriminator, oneOf } = toJson(schema, 'schema');
        if (discriminator === undefined) continue;
        const { propertyName, mapping } = toJson(discriminator, 'discriminator');
        const values = Object.entries(toJson(mapping, 'mapping'));
        assert.equal(values.length, (oneOf as readonly unknown[]).length);
        for (const [value, reference] of values) {
          const [choice] = resolve(served, { $ref: reference }, value);
          assert.equal(toJson(toJson(choice.properties, value)[String(propertyName)], value).const, value);
        }
      }
    });

    it('refers to nothing outside itself', () => {
      for (const [, reference = ''] of JSON.stringify(root).matchAll(/"\$ref":"([^"]*)"/g)) {
        assert.ok(resolve(root, { $ref: reference }, reference));
      }
    });

    for (const { operationId, path, method, scopes, body } of operations) {
      const responses = responsesOf(path, method);

      it(`has a schema for every error of ${operationId}`, () => {
        assert.ok(responses.default);
        if (scopes) for (const status of ['401', '403']) assert.ok(responses[status], status);
      });

      it(`lists codes of ${operationId} under their status only`, () => {
        for (const [status, response] of Object.entries(responses)) {
          const [{ description }] = resolve(root, response, status);
          for (const [, code = ''] of String(description).matchAll(/`([A-Z]+_[A-Z_]+)`/g)) {
            if (status !== 'default') assert.equal(STATUS_OF[code], Number(status), code);
          }
        }
      });

      if (body.size > 0) {
        it(`has a valid example request of ${operationId}`, () => {
          for (const pointer of body.values()) {
            const { example } = toJson(
              resolve(root, { $ref: `#${pointer.replace(/\/schema$/, '')}` }, pointer)[0],
              pointer,
            );
            if (example !== undefined) assert.deepEqual(check(pointer, example), []);
          }
        });
      }

      it(`has valid example answers of ${operationId}`, () => {
        for (const [status, response] of Object.entries(responses)) {
          const base = `/paths/${escapePointer(path)}/${method.toLowerCase()}/responses/${status}`;
          const [resolved, pointer] = resolve(root, response, base);
          for (const [type, media] of Object.entries(toJson(resolved.content ?? {}, 'content'))) {
            const { example } = toJson(media, type);
            if (example === undefined) continue;
            assert.deepEqual(check(`${pointer}/content/${escapePointer(type)}/schema`, example), []);
          }
        }
      });
    }
  });
}

it('a document for callers with a token lets nobody else learn which of its paths exist', () => {
  const documents = CONTRACTS.map(({ document }) => loadDocument(document, 'Service'));
  const tokenPaths = documents.flatMap((document) => document.tokenPaths);
  const isBelow = (path: string) => tokenPaths.some((each) => path === each || path.startsWith(`${each}/`));
  // The paths of the timetable answer 404 without a token, as its interface says.
  const ofOurOwn = documents.filter(({ operations }) => operations.some(({ path }) => path.startsWith('/v1/')));
  const closed = ofOurOwn.filter(({ operations }) => operations.every(({ scopes }) => scopes !== undefined));
  assert.ok(closed.length > 4);
  const open = closed.flatMap(({ operations }) => operations.map(({ path }) => path).filter((path) => !isBelow(path)));
  assert.deepEqual(open, []);
});
