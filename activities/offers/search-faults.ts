/** Collects what is wrong with a search, so that one correction is enough. */
import { type ErrorItem, ServiceError } from '../../workflows/shared/service-error.ts';

export function fault(pointer: string, code: string, detail: string): ErrorItem {
  return { pointer, code, detail };
}

/** Throws VALIDATION_FAILED with every fault. */
export function refuseFaults(faults: readonly ErrorItem[]): void {
  const [first] = faults;
  if (!first) return;
  const others = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  throw new ServiceError('VALIDATION_FAILED', `${first.pointer} ${first.detail}${others}`, { errors: faults });
}
