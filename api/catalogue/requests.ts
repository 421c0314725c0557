/**
 * Reads a catalogue that the schema accepts. One that the rules refuse is answered with every fault, so one correction is
 * enough.
 */
import { contentOf } from '../../activities/catalogue/catalogue-content.ts';
import { catalogueFaults } from '../../activities/catalogue/catalogue-faults.ts';
import type { GivenCatalogue } from '../../activities/catalogue/given-catalogue.ts';
import type { CatalogueContent } from '../../activities/shared/catalogue.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export function readContent(given: GivenCatalogue): CatalogueContent {
  const errors = catalogueFaults(given);
  const [first] = errors;
  if (!first) return contentOf(given);
  const others = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  throw new ServiceError('VALIDATION_FAILED', `${first.pointer} ${first.detail}${others}`, { status: 422, errors });
}
