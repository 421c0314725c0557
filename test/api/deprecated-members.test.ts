/** Deprecated members of request bodies, found in the document and in a body. */
import assert from 'node:assert/strict';
import { hasMember, listDeprecatedMembers } from '../../api/shared/deprecated-members.ts';

const OLD = { type: 'string', deprecated: true };
const ROOT = {
  components: {
    schemas: {
      Parcel: {
        type: 'object',
        properties: {
          old: OLD,
          parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
          inner: { $ref: '#/components/schemas/Parcel' },
        },
      },
      Part: { type: 'object', properties: { old: OLD, weight: { type: 'number' } } },
    },
  },
};

describe('deprecated members', () => {
  const members = listDeprecatedMembers(ROOT, { $ref: '#/components/schemas/Parcel' }, '#');

  it('are found in objects and in items, once', () => {
    assert.deepEqual(members, [['old'], ['parts', '*', 'old']]);
  });

  for (const [body, isDeprecated] of [
    [{ old: 'x' }, true],
    [{ parts: [{ weight: 1 }, { old: 'x' }] }, true],
    [{ parts: [{ weight: 1 }] }, false],
    [{ parts: 'old' }, false],
    [{}, false],
    [undefined, false],
  ] as const) {
    it(`are ${isDeprecated ? 'given' : 'not given'} in ${JSON.stringify(body)}`, () => {
      assert.equal(
        members.some((member) => hasMember(body, member)),
        isDeprecated,
      );
    });
  }
});
