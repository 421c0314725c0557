/**
 * Reads a catalogue that the schema accepts. One that the rules refuse is answered with its faults, so one correction is
 * mostly enough; the answer stays small however many there are.
 */
import { contentOf } from '../../activities/catalogue/catalogue-content.ts';
import { catalogueFaults } from '../../activities/catalogue/catalogue-faults.ts';
import type { GivenCatalogue } from '../../activities/catalogue/given-catalogue.ts';
import type { CatalogueContent } from '../../activities/shared/catalogue.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** As for faults of the shape. */
const MAX_ITEMS = 50;

export function readContent(given: GivenCatalogue): CatalogueContent {
  const errors = catalogueFaults(given);
  const [first] = errors;
  if (!first) return contentOf(given);
  const others = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  const detail = `${first.pointer} ${first.detail}${others}`;
  throw new ServiceError('VALIDATION_FAILED', detail, { status: 422, errors: errors.slice(0, MAX_ITEMS) });
}
