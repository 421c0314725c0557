/**
 * Distinguishes failures of an unavailable dependency, after which a caller may retry, from faults of the service
 * itself.
 */
import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { toServiceError } from '../../api/shared/to-service-error.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

const withCode = (code: string | number, more: object = {}) => Object.assign(new Error('no'), { code, ...more });
const mongoError = (code: number) => new mongo.MongoServerError({ message: 'no', code });

const AWAY: Record<string, unknown> = {
  'a refused connection': withCode('ECONNREFUSED'),
  'several refused addresses': new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')]),
  'a cause deep inside': new Error('outer', { cause: new Error('inner', { cause: withCode('ECONNRESET') }) }),
  'a lost database connection': new mongo.MongoNetworkError('no'),
  'a database that shuts down': mongoError(11_600),
  'a database that is no longer the primary': mongoError(10_107),
  'a fault of the object store': Object.assign(new Error('no'), { $fault: 'server' }),
  'an unavailable workflow service': withCode(14, { details: '' }),
  'a workflow service that cancels a call at its deadline': withCode(1, { details: '' }),
  'a workflow that is not ready': withCode(9, { details: '' }),
};

const OURS: Record<string, unknown> = {
  'a defect': new TypeError('x is not a function'),
  'an unexpected duplicate key': mongoError(11_000),
  'a refusal of the object store': Object.assign(new Error('no'), { $fault: 'client' }),
  'a value that is no error': 'text',
};

describe('a failure', () => {
  for (const [name, thrown] of Object.entries(AWAY)) {
    it(`is UNAVAILABLE: ${name}`, () => {
      const error = toServiceError(thrown);
      assert.deepEqual([error.code, error.headers['retry-after']], ['UNAVAILABLE', '5']);
    });
  }

  for (const [name, thrown] of Object.entries(OURS)) {
    it(`is INTERNAL: ${name}`, () => {
      const error = toServiceError(thrown);
      assert.equal(error.code, 'INTERNAL');
      assert.equal(error.cause, thrown);
    });
  }

  it('keeps its code when it has one, also as a cause', () => {
    const error = new ServiceError('NOT_FOUND', 'There is no such thing');
    assert.equal(toServiceError(error), error);
    assert.equal(toServiceError(new Error('outer', { cause: error })), error);
  });
});
