/** Who may lift the fee and the window of a rule: support, by a code that the operator has configured. */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller } from '../shared/operation.ts';

const SCOPE = 'refunds:overrule';

/** Throws INSUFFICIENT_SCOPE, and VALIDATION_FAILED with 422 for an unknown code. */
export function assertMayOverrule(
  { scopes }: Pick<Caller, 'scopes'>,
  code: string | undefined,
  known: readonly string[],
): void {
  if (code === undefined) return;
  if (!scopes.has(SCOPE)) throw new ServiceError('INSUFFICIENT_SCOPE', `overruleCode needs the scope ${SCOPE}.`);
  if (known.includes(code)) return;
  const detail = known.length === 0 ? 'is not used here: no code is configured' : `is none of ${known.join(', ')}`;
  throw new ServiceError('VALIDATION_FAILED', `/overruleCode ${detail}.`, {
    status: 422,
    errors: [{ pointer: '/overruleCode', code: 'UNKNOWN_REFERENCE', detail }],
  });
}
