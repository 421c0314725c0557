/**
 * Refuses a catalogue that the schema accepts but the rules do not. The error lists every fault, so one correction is
 * enough.
 */
import { catalogueFaults, type GivenCatalogue } from '../../activities/catalogue/catalogue-faults.ts';
import type { CatalogueContent } from '../../activities/shared/catalogue.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export function refuseFaults(content: GivenCatalogue): asserts content is CatalogueContent {
  const errors = catalogueFaults(content);
  const [first] = errors;
  if (!first) return;
  const others = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  throw new ServiceError('VALIDATION_FAILED', `${first.pointer} ${first.detail}${others}`, { status: 422, errors });
}
