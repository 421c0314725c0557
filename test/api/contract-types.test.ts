/** The types of the contracts must be current with the documents, and refuse incomplete areas. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { Operations } from '../../api/catalogue/contract.gen.ts';
import type { Operations as EventOperations } from '../../api/events/contract.gen.ts';
import { type Finds, type Handlers, madeByRequest, type Operation } from '../../api/shared/operation.ts';
import { CONTRACTS, typesOf } from '../../dev/contract/areas.ts';
import { contractTypes } from '../../dev/contract/contract-types.ts';

describe('the types of the contracts', () => {
  for (const { area, document, types } of CONTRACTS) {
    it(`are current for ${area}`, () => {
      // Without the file no types are stale: `npm run check` makes it before it checks types.
      if (existsSync(types)) assert.equal(readFileSync(types, 'utf8'), typesOf(document));
    });
  }

  it('describe path, body and answer', () => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, 'x-y': { enum: [1, 2] } },
    };
    const content = { 'application/json': { schema } };
    const operation = {
      responses: { 201: { content }, 204: {}, 404: { content: { 'application/problem+json': {} } } },
    };
    const text = contractTypes(
      {
        root: { paths: { '/a/{id}': { post: operation } }, components: { schemas: {} } },
        tokenPaths: [],
        operations: [
          {
            operationId: 'make',
            method: 'POST',
            path: '/a/{id}',
            parameters: [
              {
                name: 'id',
                in: 'path',
                required: true,
                pointer: '',
                operators: undefined,
                ownCheck: false,
                schema: { type: 'string', 'x-identifier': 'Codespace' },
              },
            ],
            body: new Map(),
            bodyRequired: false,
            deprecatedMembers: [],
            bodyLimit: undefined,
            streamedBody: false,
            produces: [],
            anyAccept: false,
            scopes: ['x'],
            deprecated: false,
            successor: undefined,
            search: undefined,
            verbatim: new Set(),
            takesIdempotencyKey: true,
            channel: undefined,
            takesSettlement: false,
            errors: undefined,
            audit: undefined,
          },
        ],
      },
      'ids.ts',
    );
    const plain = text.replaceAll(/\s+/g, ' ');
    assert.match(plain, /import type \{ Codespace \} from 'ids\.ts';/);
    assert.match(plain, /readonly path: \{ readonly id: Codespace; \}/);
    assert.match(plain, /readonly replies: \{ readonly 201: \{ readonly id: string; readonly "x-y"\?: 1 \| 2; \}; /);
    assert.match(plain, /readonly 204: undefined; \}; readonly isSecured: true;/);
  });

  // The compiler is the test: each line below that it must refuse is marked as an expected error.
  it('refuse an area that leaves something out', () => {
    // @ts-expect-error: listEvents is below a resource path and does not say how the topic is found.
    const unnamed: Finds<EventOperations> = {};
    const named: Pick<Finds<EventOperations>, 'listEvents'> = { listEvents: madeByRequest };
    const get: Operation<Operations['getCatalogue']> = async () => {
      throw new Error('is not called');
    };
    // @ts-expect-error: the answer has another status than the document.
    const otherStatus: Operation<Operations['putCatalogue']> = async () => ({ status: 201, json: { version: 1 } });
    // @ts-expect-error: the answer has another form than the document.
    const otherForm: Operation<Operations['putCatalogue']> = async () => ({ status: 200, json: { version: '1' } });
    // @ts-expect-error: the body has no such member.
    const otherBody: Operation<Operations['putCatalogue']> = async ({ body }) => ({ status: 200, json: body.colour });
    // @ts-expect-error: an operation is left out.
    const incomplete: Handlers<Operations> = { getCatalogue: get };
    assert.ok([unnamed, named, otherStatus, otherForm, otherBody, incomplete]);
  });
});
