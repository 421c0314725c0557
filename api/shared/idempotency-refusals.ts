/** The errors that a request with an `Idempotency-Key` can meet for its key. Caller: idempotency.ts. */
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** The same answer as for any other resource of an erased person. */
export function erased(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such resource.');
}

/** The caller may not know whether its request took effect, and must not send it again before it does. */
export function invalidAnswer(): ServiceError {
  return new ServiceError(
    'IDEMPOTENCY_ANSWER_INVALID',
    'The answer stored for this Idempotency-Key is not the one that the service stored, so it is not repeated, and the ' +
      'request was not carried out again. Look up whether it took effect before you send it with a new key, and tell ' +
      'the operator.',
    {
      cause: new Error(
        'A stored answer has a wrong MAC: it was changed in the database, or IDEMPOTENCY_KEYS lost a key too early',
      ),
    },
  );
}

export function keyReused(): ServiceError {
  return new ServiceError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Use a new key.',
  );
}

export function inProgress(): ServiceError {
  return new ServiceError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running. Try again shortly.',
    {
      headers: { 'retry-after': '1' },
    },
  );
}
