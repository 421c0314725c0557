/** The caller of an operation that needs a token. The endpoint has checked the token; this narrows the type. */
import type { Caller, OperationContext } from './operation.ts';

export function requireCaller(context: OperationContext): Caller {
  if (!context.caller) throw new Error('The operation has no security in its document, so it has no caller');
  return context.caller;
}
